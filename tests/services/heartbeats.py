"""Heartbeats for workers in tests that do not ask for any."""


async def no_beat(_worker: str) -> None:
    """Store no heartbeat."""
