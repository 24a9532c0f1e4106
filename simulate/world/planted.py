"""Planted faults: mutations of the product's code, by name, each of which a run of the simulation has to find."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

from msgspec import Struct

from domain.ids import Seat
from infra.postgres.append_channel import AppendChannel
from infra.postgres.appender import Appender
from services.commands import write_path
from services.commands.write_path import WritePath
from services.ledger import leaves
from services.ledger.notary import Notary
from services.ledger.public_ledger import PublicLedger
from services.live import frame_buffer, hub, reader
from services.live.frame_buffer import FrameBuffer
from services.live.hub import Hub
from services.live.reader import Reader
from services.reading import access
from services.workers import archivist, timekeeper
from services.workers.notifier import Notifier
from services.workers.projector import Tail
from services.workers.timekeeper import Timekeeper
from simulate.world.mailbox import Mailbox
from simulate.world.mutations import (
    Mutate,
    all_waited,
    always,
    answer_before_commit,
    answer_wrong,
    at_once,
    decide_stale,
    deliver_on,
    fail_unread,
    for_ever,
    forget_losses,
    give_nothing_back,
    go_on_after_fault,
    line_before,
    mark_first,
    newest,
    note_first,
    note_no_absence,
    of_version_before,
    one_too_far,
    read_no_boxes,
    settle_first,
    share_states,
    show_before_commit,
    sign_first,
    skip_a_line,
    take_for_done,
    take_while_reading,
    without,
)

# The owner of an attribute, its name, and the change of it.
Mutation = tuple[Any, str, Mutate]


class Planted(Struct, frozen=True):
    """A mistake in words, the checker that has to find it, and its mutations."""

    mistake: str
    checker: str
    mutations: Sequence[Mutation]


@contextmanager
def planting(name: str) -> Iterator[None]:
    """Run the block with a planted fault."""
    with ExitStack() as stack:
        for owner, attribute, mutate in PLANTED[name].mutations:
            sound = getattr(owner, attribute)
            stack.callback(setattr, owner, attribute, sound)
            setattr(owner, attribute, mutate(sound))
        yield


PLANTED: Mapping[str, Planted] = {
    "answer-before-commit": Planted(
        "a command is answered before its lines are stored",
        "answers",
        [(Appender, "append", answer_before_commit)],
    ),
    "shown-before-commit": Planted(
        "readers are shown lines that are not stored yet",
        "readers",
        [(WritePath, "_decide", show_before_commit)],
    ),
    "command-ids-not-stored": Planted(
        "a command is stored without its id",
        "answers",
        [(write_path, "build_append", without(command=None))],
    ),
    "nothing-given-back": Planted(
        "no game gets the time of an absence back",
        "clocks",
        [(Timekeeper, "_give_back", give_nothing_back)],
    ),
    "all-given-back": Planted(
        "every game gets all the time back that it has waited",
        "given_back",
        [(timekeeper, "count_lost_ms", all_waited)],
    ),
    "given-back-noted-first": Planted(
        "an absence counts as given back before it is",
        "clocks",
        [(Timekeeper, "_give_back", note_first)],
    ),
    "absence-not-noted": Planted(
        "a timekeeper's absence is not noted",
        "clocks",
        [(Timekeeper, "_beat", note_no_absence)],
    ),
    "signed-before-stored": Planted(
        "a checkpoint is signed before its leaves are stored",
        "ledger",
        [(Notary, "grow", sign_first)],
    ),
    "leaf-of-another-version": Planted(
        "a line becomes the leaf of another version",
        "errors",
        [(leaves, "build_leaf", of_version_before)],
    ),
    "line-skipped": Planted(
        "a buffer skips a line of a long command",
        "errors",
        [(FrameBuffer, "_go_on", skip_a_line)],
    ),
    "taken-while-reading": Planted(
        "a room takes lines while a read is under way",
        "errors",
        [(hub, "react", take_while_reading)],
    ),
    "rows-lost-after-fault": Planted(
        "a projector moves on without its rows after a fault",
        "projections",
        [(Tail, "step", go_on_after_fault)],
    ),
    "states-kept-by-process": Planted(
        "a projector's next session uses the states of the last",
        "errors",
        [(Tail, "__init__", share_states)],
    ),
    "heads-not-looked-up": Planted(
        "a lost hint is never made up for",
        "healed",
        [(Hub, "look_for_ever", for_ever)],
    ),
    "delay-not-kept": Planted(
        "spectators are shown a delayed game at once",
        "delays",
        [(access, "find_shown_version", newest), (frame_buffer, "find_shown_version", newest)],
    ),
    "private-shown": Planted(
        "strangers are shown a private game",
        "private",
        [(access, "may_see", always(value=True)), (reader, "may_see", always(value=True))],
    ),
    "passed-before-kept": Planted(
        "the archivist's bookmark moves before proofs are kept",
        "healed",
        [(archivist, "look_through", mark_first)],
    ),
    "lost-append-taken-for-done": Planted(
        "an append without an answer counts as stored",
        "readers",
        [(AppendChannel, "call", take_for_done)],
    ),
    "losses-not-told": Planted(
        "an append that lost its race counts as stored",
        "answers",
        [(AppendChannel, "call", forget_losses)],
    ),
    "seat-of-another": Planted(
        "every reader sees as seat 0",
        "boards",
        [(reader, "find_seat", always(Seat(0)))],
    ),
    "seat-not-looked-up-again": Planted(
        "a reader who sits down goes on as a spectator",
        "healed",
        [(Reader, "_is_displaced", always(value=False))],
    ),
    "custody-not-stored": Planted(
        "entrusted actions are not stored with their seal",
        "healed",
        [(write_path, "build_append", without(held=()))],
    ),
    "custody-not-caught-up": Planted(
        "a state that is folded on has no entrusted actions",
        "healed",
        [(WritePath, "__init__", read_no_boxes)],
    ),
    "repeat-answered-wrong": Planted(
        "a repeated command gets another answer",
        "answers",
        [(WritePath, "_repeat", answer_wrong)],
    ),
    "resumed-too-far": Planted(
        "a reader who returns misses a line",
        "readers",
        [(Hub, "join", one_too_far)],
    ),
    "rejected-on-stale-state": Planted(
        "a rejection is given on a state behind the log",
        "rejections",
        [(WritePath, "_decide", decide_stale)],
    ),
    "delivery-fails-unread": Planted(
        "a delivery ends with an exception that no code reads",
        "errors",
        [(Notifier, "_serve", fail_unread)],
    ),
    "settled-before-sent": Planted(
        "a notice is deleted before it is delivered",
        "notices",
        [(Notifier, "_deliver", settle_first)],
    ),
    "next-sent-after-failure": Planted(
        "a way gets the next notice after one that failed",
        "notices",
        [(Notifier, "_deliver", deliver_on), (Mailbox, "at_once_max", at_once)],
    ),
    "proof-of-another-line": Planted(
        "the proof of another line is kept",
        "errors",
        [(PublicLedger, "find_trusted_proof", line_before)],
    ),
}
