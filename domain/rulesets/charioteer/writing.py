"""The script of this game: what its rules write to."""

from domain.rulesets.charioteer.actions import Action
from domain.rulesets.charioteer.board import Board
from domain.rulesets.charioteer.outcomes import Outcome
from domain.rulesets.script import Script

CharioteerScript = Script[Board, Action, Outcome]
