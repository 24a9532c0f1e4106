// The picture of Charioteer: its board, displays, places and moves.

import { CharioteerBoard } from "./board.js";
import { showDrivers } from "./displays.js";
import { findMove } from "./moves.js";
import * as places from "./places.js";

export const PICTURE = { element: CharioteerBoard, showDisplays: showDrivers, findMove, ...places };
