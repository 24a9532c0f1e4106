"""Ids and counts as the API's JSON has them: text and numbers, named so that none passes for another."""

from typing import NewType

GameId = NewType("GameId", str)
TournamentId = NewType("TournamentId", str)
PlayerId = NewType("PlayerId", str)
CommandId = NewType("CommandId", str)
# Of a decision within its game: `t1/move/2`.
DecisionId = NewType("DecisionId", str)
# The SHA-256 of a line of a log, in hex.
LineHash = NewType("LineHash", str)

# A place in a game, from 0.
Seat = NewType("Seat", int)
# The place of an event in the log of its game or tournament, from 1; 0 is the empty log.
StreamVersion = NewType("StreamVersion", int)
