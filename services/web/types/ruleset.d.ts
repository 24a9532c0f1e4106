// The contract of a ruleset's picture and of its panel. `rulesets/<name>/picture.js` keeps the first, and exports the
// second as `buildPanel`; without them `board/plain_board.js` and `panel/plain_panel.js` stand in.

/** Content of an element: a text, an element, or many of them. */
type Content = string | number | Node | null | undefined | Content[];

/** The answer to a decision as the API takes it, in the form of the ruleset. */
type Action = Api.RulesetAction;

declare namespace Panel {
  /** One decision of the viewer's own seat, and the page around it. */
  interface Asked<Choices = any, View = any> {
    decision: { decision: string; kind: Api.OwedShown["kind"]; choices: Choices };
    /** The board as the seat sees it. */
    view: View;
    /** The game around the board. */
    shown: Api.GameShown;
    /** The element with the picture. */
    board: any;
    /** The JSON Schema of all actions, or nothing where the server does not offer the ruleset. */
    actions?: object;
    /** What the player had chosen before the page was loaded again, as the panel gave it to `keep`; null at first. */
    draft: any;
    keep(draft: object): void;
    /** Called whenever the answer changes, with null where it is incomplete; the seat previews it and offers to send it. */
    choose(action: Action | null, said?: string, risk?: Risk | null): void;
    /** Sends an answer at once. */
    act(action: Action, said: string): void;
  }

  /** Asked before an answer is sent that a player would regret. */
  interface Risk {
    title: string;
    lines: Content[];
    act: string;
  }

  interface Built {
    element: Element;
    /** Takes the panel's marks off the board. */
    close?(): void;
    /** A preview in words, or as an element. */
    tellEffect?(effect: any): string | Node;
    /** The answer that is given when the time is up. */
    safe?: string;
  }

  type Build = (asked: Asked) => Built;
}

declare namespace Picture {
  type Line = LogLine;

  interface Board extends HTMLElement {
    /** Shows a board; `passed` are the lines since the last one, `turn` those of the turn so far. */
    show(shown: Api.GameShown, lines: { passed: Line[]; turn: Line[] }): void;
  }

  interface Chariot {
    /** Of the chariot in its ruleset: a seat, a number or a colour. */
    key: number | string;
    colour: string;
    name: string;
    seat: number;
    /** Why the chariot races no longer, or null. */
    fate: string | null;
    /** How far along it is, in units of the ruleset; null where it races no longer. */
    progress: number | null;
  }

  /** Where a line of the log puts a chariot; `isOut` where it leaves the race. */
  interface Place {
    key: Chariot["key"];
    progress?: number;
    pose?: object;
    /** In the ranking, once the chariot has crossed the line for the last time. */
    place?: number;
    isOut?: boolean;
  }

  /** What a chariot did in a turn, with the numbers that made it. */
  interface Move {
    version: number;
    begins?: number;
    title: string;
    parts: [string, number][];
    total: number | null;
    /** The total as a reader says it: "16 spaces", "speed 4". */
    said: string | null;
    pieces: object[];
    notes: string[];
  }

  /** `View` is the ruleset's board as the API shows it. */
  interface Ruleset<View = any> {
    /** The class of the element that draws the board. */
    element: new () => Board;
    /** A display for each chariot, in the order of the race; `turn` are the lines of the turn so far. */
    showDisplays(view: View, turn: { turn: Line[]; owed: Api.OwedShown[] }): Node[];
    listChariots(view: View): Chariot[];
    findPlaces(line: Line): Place[];
    /** Null as a whole where the ruleset tells no moves, or for a chariot without one in these lines. */
    findMove: ((key: any, turn: any[]) => Move | null) | null;
    /** How far a place is, asked in the order of the race; without it, by `progress`. */
    buildMeasure?(view: View): (place: any) => number;
    tellDistance?(behind: number): string;
    /** What a seat has: its name, its value, and the tip that explains it. */
    showOwn?(view: View, seat: number): [string, Content, string?][];
    showPiece?(piece: any): Node;
    /** The codes of pieces in sentences, and what is drawn in their place. */
    codes?: { pattern: RegExp; draw(code: string): Node };
    showEmblem?(): Element;
    buildPanel?: Panel.Build;
    /** The page on which players draw what this ruleset is played on. */
    editor?: string;
    tips?: Record<string, string>;
    /** The first game's guide: a selector of the page, and the sentence about it. */
    guide?: [string, string][];
    /** How long each event is looked at, in milliseconds. */
    beats?: Record<string, number>;
  }
}
