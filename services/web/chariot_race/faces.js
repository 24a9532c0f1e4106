// The faces of a die of Chariot Race as people read them.

export const FACES = { plus_minus: "±", sprint: "sprint", steer: "steer", attack: "attack", fortuna: "Fortuna" };
