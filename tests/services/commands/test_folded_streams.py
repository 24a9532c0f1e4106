"""The folded streams of a process: those used last stay."""

from domain.ids import GameId
from services.commands.folded_streams import FoldedStreams


def test_streams_used_last_are_kept() -> None:
    streams: FoldedStreams[int] = FoldedStreams(streams_max=2)
    streams.keep(GameId("a"), 1)
    streams.keep(GameId("b"), 2)
    streams.find(GameId("a"))

    streams.keep(GameId("c"), 3)

    assert streams.find(GameId("a")) == 1
    assert streams.find(GameId("b")) is None
