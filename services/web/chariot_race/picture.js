// The picture of Chariot Race: its board, displays, places and moves.

import { ChariotRaceBoard } from "./board.js";
import { showChariots } from "./displays.js";
import { findMove } from "./moves.js";
import * as places from "./places.js";

export const PICTURE = { element: ChariotRaceBoard, showDisplays: showChariots, findMove, ...places };
