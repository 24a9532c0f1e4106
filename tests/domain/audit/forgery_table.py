"""The table of forgeries: name, construction, and the checks that catch each.

A check that catches one must name `at`, the first line that is not as it was.
"""

from collections.abc import Callable

from msgspec import Struct

from domain.audit.bundle import Bundle
from tests.domain.audit.audited_game import OFFLINE, bundle_of
from tests.domain.audit.forgeries import (
    a_card_changed,
    a_choice_by_a_stand_in,
    a_clock_run_out_too_early,
    a_contribution_left_out,
    a_contribution_left_out_of_a_reveal,
    a_contribution_repeated,
    a_demand_added,
    a_die_changed,
    a_field_nobody_reads,
    a_hand_over_made_up,
    a_hash_broken,
    a_line_after_the_secret,
    a_line_inserted,
    a_line_removed,
    a_link_skipped,
    a_link_used_twice,
    a_pause_removed,
    a_pause_without_consent,
    a_rank_changed,
    a_replaced_seal_removed,
    a_ruling_by_a_stranger,
    a_ruling_changed,
    a_seal_and_reveal_changed,
    a_seal_not_kept,
    a_second_opening,
    a_secret_withheld,
    a_shuffle_of_fewer_cards,
    a_shuffle_renamed,
    a_signature_for,
    a_signature_of_another_decision,
    a_signature_of_another_seat,
    a_table_made_up,
    a_tail_cut,
    a_time_too_late,
    all_keys_replaced,
    an_end_of_a_pause_removed,
    an_end_of_no_pause,
    an_end_without_consent,
    an_illegal_move,
    an_input_put_twice,
    an_input_without_a_command,
    an_opening_with_a_signature,
    an_organiser_made_up,
    another_secret,
    another_spelling,
    other_components,
    other_components_and_their_hash,
    time_given_back_to_some,
    two_contributions_swapped,
    two_lines_swapped,
)
from tests.domain.audit.forgery_tools import Forged, by_seat, places
from tests.domain.audit.misplaced_lines import (
    a_rematch_of_itself,
    a_seat_reclaimed_by_its_own_player,
    a_seat_that_the_game_lacks,
    a_secret_in_the_middle,
)


class Forgery(Struct, frozen=True, kw_only=True):
    """`caught_by` are all checks in which it shows; the first of them is the one made for it, and names line `at`.

    `unchecked` are the checks that can no longer decide; their input is missing.
    """

    name: str
    forge: Callable[[], Forged]
    caught_by: tuple[str, ...]
    unchecked: tuple[str, ...] = ()


_WALKS = tuple(check.name for check in OFFLINE if check.walks)
FORGERIES = (
    Forgery(
        name="an outcome removed",
        forge=lambda: a_line_removed(places("bid_shown")[1]),
        caught_by=("redecision", "bases"),
    ),
    Forgery(
        name="a roll removed",
        forge=lambda: a_line_removed(places("dice_rolled")[1]),
        caught_by=("dice-links", "redecision", "bases"),
        unchecked=("dice-faces",),
    ),
    Forgery(
        name="an outcome inserted",
        forge=a_line_inserted,
        caught_by=("redecision", "bases"),
        unchecked=("clocks", "ranking"),
    ),
    Forgery(name="two outcomes swapped", forge=two_lines_swapped, caught_by=("redecision", "bases")),
    Forgery(
        name="an answer removed",
        forge=lambda: a_line_removed(by_seat("action_played", 2)),
        caught_by=("redecision", "chain", "contributions", "dice-faces", "bases"),
        unchecked=("clocks", "ranking"),
    ),
    Forgery(name="an input put twice", forge=an_input_put_twice, caught_by=("commands", "redecision", "bases")),
    Forgery(
        name="the tail cut", forge=a_tail_cut, caught_by=(), unchecked=("ending", "secret", "redecision", "ranking")
    ),
    Forgery(name="all keys and signatures replaced", forge=all_keys_replaced, caught_by=()),
    Forgery(name="a replaced seal removed", forge=a_replaced_seal_removed, caught_by=("bases",)),
    Forgery(name="a ruling unsigned with its key", forge=an_organiser_made_up, caught_by=("bases",)),
    Forgery(name="a die changed", forge=a_die_changed, caught_by=("dice-faces", "redecision", "bases")),
    Forgery(
        name="a link used twice",
        forge=a_link_used_twice,
        caught_by=("dice-links", "redecision", "bases"),
        unchecked=("dice-faces",),
    ),
    Forgery(
        name="a link skipped",
        forge=a_link_skipped,
        caught_by=("dice-links", "redecision", "bases"),
        unchecked=("dice-faces",),
    ),
    Forgery(name="a shuffle renamed", forge=a_shuffle_renamed, caught_by=("shuffles", "redecision", "bases")),
    Forgery(name="a shuffle of fewer cards", forge=a_shuffle_of_fewer_cards, caught_by=("redecision", "bases")),
    Forgery(name="a hidden card changed", forge=a_card_changed, caught_by=("redecision", "bases")),
    Forgery(name="a seal not kept", forge=a_seal_not_kept, caught_by=("seals", "redecision", "bases")),
    Forgery(name="a seal and its reveal changed", forge=a_seal_and_reveal_changed, caught_by=("redecision", "bases")),
    Forgery(name="an answer too late", forge=a_time_too_late, caught_by=("clocks", "redecision", "bases")),
    Forgery(name="time given back to some", forge=time_given_back_to_some, caught_by=("clocks", "redecision", "bases")),
    Forgery(
        name="a clock run out too early", forge=a_clock_run_out_too_early, caught_by=("clocks", "redecision", "bases")
    ),
    Forgery(
        name="two contributions swapped",
        forge=two_contributions_swapped,
        caught_by=("contributions", "redecision", "bases"),
    ),
    Forgery(
        name="a contribution repeated",
        forge=a_contribution_repeated,
        caught_by=("contributions", "redecision", "bases"),
    ),
    Forgery(
        name="a contribution left out",
        forge=a_contribution_left_out,
        caught_by=("contributions", "redecision", "bases"),
    ),
    Forgery(
        name="a contribution left out of a reveal",
        forge=a_contribution_left_out_of_a_reveal,
        caught_by=("contributions", "redecision", "bases"),
    ),
    Forgery(name="an illegal move", forge=an_illegal_move, caught_by=("redecision", "bases")),
    Forgery(
        name="a signature of another decision",
        forge=a_signature_of_another_decision,
        caught_by=("signatures", "bases"),
    ),
    Forgery(
        name="a signature of another stream",
        forge=lambda: a_signature_for(stream="0199c0de-0000-7000-8000-000000000002"),
        caught_by=("signatures", "bases"),
    ),
    Forgery(
        name="a signature of another type",
        forge=lambda: a_signature_for(type_="action_revealed"),
        caught_by=("signatures", "bases"),
    ),
    Forgery(name="a signature of another seat", forge=a_signature_of_another_seat, caught_by=("signatures", "bases")),
    Forgery(name="a ruling changed", forge=a_ruling_changed, caught_by=("signatures", "bases")),
    Forgery(name="a ruling by a stranger", forge=a_ruling_by_a_stranger, caught_by=("authors", "redecision", "bases")),
    Forgery(
        name="a choice by a stand-in that was not there",
        forge=a_choice_by_a_stand_in,
        caught_by=("authors", "contributions", "redecision", "bases"),
    ),
    Forgery(
        name="a hand-over made up, and its seat's signatures left out",
        forge=a_hand_over_made_up,
        caught_by=("authors", "redecision", "bases"),
    ),
    Forgery(
        name="a pause without consent",
        forge=a_pause_without_consent,
        caught_by=("redecision", "bases"),
        unchecked=("clocks", "ranking"),
    ),
    Forgery(name="a pause removed", forge=a_pause_removed, caught_by=("redecision",), unchecked=("clocks",)),
    Forgery(name="the end of a pause removed", forge=an_end_of_a_pause_removed, caught_by=("redecision", "clocks")),
    Forgery(
        name="the end of a pause that was not",
        forge=an_end_of_no_pause,
        caught_by=("redecision", "bases"),
        unchecked=("clocks", "ranking"),
    ),
    Forgery(name="an end without consent", forge=an_end_without_consent, caught_by=("redecision",)),
    Forgery(name="a rank changed", forge=a_rank_changed, caught_by=("ranking", "redecision")),
    Forgery(name="another secret", forge=another_secret, caught_by=("secret",), unchecked=("redecision",)),
    Forgery(
        name="the secret withheld",
        forge=a_secret_withheld,
        caught_by=("ending",),
        unchecked=("secret", "redecision"),
    ),
    Forgery(name="a secret in the middle", forge=a_secret_in_the_middle, caught_by=("ending", "redecision", "bases")),
    Forgery(
        name="a seat that the game lacks",
        forge=a_seat_that_the_game_lacks,
        caught_by=("fields", "redecision", "bases"),
        unchecked=("clocks", "ranking"),
    ),
    Forgery(
        name="a seat reclaimed that was not handed over",
        forge=a_seat_reclaimed_by_its_own_player,
        caught_by=("authors", "redecision", "bases"),
    ),
    Forgery(name="a rematch of itself", forge=a_rematch_of_itself, caught_by=("opening", "bases")),
    Forgery(
        name="a line after the secret",
        forge=a_line_after_the_secret,
        caught_by=("ending", "redecision"),
    ),
    Forgery(
        name="other components",
        forge=other_components,
        caught_by=("components",),
        unchecked=("fields", "clocks", "redecision", "ranking"),
    ),
    Forgery(
        name="other components and their hash", forge=other_components_and_their_hash, caught_by=("redecision", "bases")
    ),
    Forgery(name="an opening with a signature", forge=an_opening_with_a_signature, caught_by=("opening", "bases")),
    Forgery(name="a field nobody reads", forge=a_field_nobody_reads, caught_by=("fields", "bases")),
    Forgery(
        name="a demand for signatures added",
        forge=lambda: a_demand_added("signed", by_seat("seat_taken", 2)),
        caught_by=("demands", "redecision", "bases"),
    ),
    Forgery(
        name="a demand for own custody added",
        forge=lambda: a_demand_added("own_custody", places("action_revealed")[1]),
        caught_by=("demands", "redecision", "bases"),
    ),
    Forgery(
        name="a demand for a witness added",
        forge=lambda: a_demand_added("witnessed_opening", by_seat("seat_taken", 0)),
        caught_by=("demands", "redecision", "bases"),
    ),
    Forgery(
        name="a table of a tournament made up",
        forge=a_table_made_up,
        caught_by=("demands", "redecision", "bases"),
        unchecked=("clocks", "ranking"),
    ),
    Forgery(
        name="an input without a command",
        forge=an_input_without_a_command,
        caught_by=("commands", "redecision", "bases"),
    ),
    Forgery(name="a second opening", forge=a_second_opening, caught_by=("opening", "redecision", "bases")),
    Forgery(name="a hash broken", forge=a_hash_broken, caught_by=("chain",)),
    Forgery(name="another spelling", forge=another_spelling, caught_by=("form", "chain"), unchecked=_WALKS),
)


def forged_bundle(forged: Forged) -> Bundle:
    return bundle_of(forged.raws, forged.components)
