// The picture of Chariotmaster: its board, displays, places and moves.

import { ChariotmasterBoard } from "./board.js";
import { showChariots } from "./displays.js";
import { findMove } from "./moves.js";
import * as places from "./places.js";

export const PICTURE = { element: ChariotmasterBoard, showDisplays: showChariots, findMove, ...places };
