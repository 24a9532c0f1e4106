"""The wait for play ends: servers that do not heal are a violation, and no run without an end."""

import pytest

from simulate.load.journal import Journal, NotHealed


async def test_play_that_does_not_go_on_is_told() -> None:
    with pytest.raises(NotHealed, match="expected an acknowledged command within 0 s, found none"):
        await Journal().wait_for_command(0.0, within_s=0.0)
