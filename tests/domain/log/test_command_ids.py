"""The ids of a game's commands: each is found again, none that was not used, and adding one costs about the same."""

from itertools import accumulate

from hypothesis import given
from hypothesis import strategies as st

from domain.ids import CommandId
from domain.log.state import NO_COMMANDS, with_command

# As many as a test of growth needs to distinguish n, n log n and n squared.
MANY = 4_096


def command(number: int) -> CommandId:
    return CommandId(f"0199c0de-0000-7000-9000-{number:012d}")


@given(st.integers(0, 300))
def test_what_was_used_is_found_and_nothing_else(count: int) -> None:
    ids = NO_COMMANDS
    for number in range(count):
        ids = with_command(ids, command(number))

    assert len(ids) == count
    assert all(command(number) in ids for number in range(count))
    assert command(count) not in ids
    assert None not in ids


def test_an_earlier_value_stays_as_it_was() -> None:
    before = with_command(NO_COMMANDS, command(1))

    after = with_command(before, command(2))

    assert command(2) in after
    assert command(2) not in before
    assert before == with_command(NO_COMMANDS, command(1))


def test_the_values_after_each_of_many_commands_share_almost_all_they_hold() -> None:
    values = accumulate(map(command, range(MANY)), with_command, initial=NO_COMMANDS)

    chunks = {id(chunk): chunk for value in list(values) for chunk in value.chunks}

    digits = MANY.bit_length()
    assert sum(len(chunk) for chunk in chunks.values()) <= MANY * digits
