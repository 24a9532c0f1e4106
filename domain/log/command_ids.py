"""The ids of a stream's commands, each of which is used once: a value that grows with the log and is cheap to keep.

Never changed in place: every folded stream keeps its own, and shares all but the newest chunks with the others.
"""

from typing import Final

from msgspec import Struct

from domain.ids import CommandId


class CommandIds(Struct, frozen=True):
    """Chunks of ids, each at least twice as large as the next: as the digits of a binary number.

    Two of one size become one of twice the size. So an id is copied once for each doubling, not once for each input,
    and is looked for in as many chunks as the count of ids has binary digits.
    """

    chunks: tuple[frozenset[CommandId], ...] = ()

    def __contains__(self, command: object) -> bool:
        """Say whether this id was used."""
        return any(command in chunk for chunk in self.chunks)

    def __len__(self) -> int:
        return sum(len(chunk) for chunk in self.chunks)


NO_COMMANDS: Final = CommandIds()


def with_command(commands: CommandIds, command: CommandId) -> CommandIds:
    """Return the ids with one more, which is none of them."""
    chunks, newest = list(commands.chunks), frozenset((command,))
    while chunks and len(chunks[-1]) == len(newest):
        newest |= chunks.pop()
    return CommandIds((*chunks, newest))
