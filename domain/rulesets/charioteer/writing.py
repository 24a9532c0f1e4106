"""The script of this game, to which its rules write."""

from domain.ruleset.script import Script
from domain.rulesets.charioteer.actions import Action
from domain.rulesets.charioteer.board import Board
from domain.rulesets.charioteer.outcomes import Outcome

CharioteerScript = Script[Board, Action, Outcome]
