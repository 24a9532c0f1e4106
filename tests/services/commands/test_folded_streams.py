"""The folded streams of a process: those used last stay."""

from domain.ids import StreamId
from services.commands.folded_streams import FoldedStreams


def test_streams_used_last_are_kept() -> None:
    streams: FoldedStreams[int] = FoldedStreams(streams_max=2)
    streams.keep(StreamId("a"), 1)
    streams.keep(StreamId("b"), 2)
    streams.find(StreamId("a"))

    streams.keep(StreamId("c"), 3)

    assert streams.find(StreamId("a")) == 1
    assert streams.find(StreamId("b")) is None
