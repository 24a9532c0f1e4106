"""The secrets of seats in a folder of the player's own, so that a program that was killed plays on."""

import os
from pathlib import Path

from spina_client.ids import GameId
from spina_client.seat_secrets import SeatSecrets


class KeptSeats:
    """One file for each game, for its owner alone to read. A reader of the folder can play the seats."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)

    def read(self, game: GameId) -> SeatSecrets | None:
        """Return the secrets that were kept for a game. Raises SecretsUnreadable."""
        try:
            return SeatSecrets.from_bytes(self._path(game).read_bytes())
        except FileNotFoundError:
            return None

    def keep(self, game: GameId, secrets: SeatSecrets) -> None:
        """Keep them whole or not at all, on the disk before this returns."""
        path = self._path(game)
        unfinished = path.with_suffix(".new")
        with os.fdopen(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(secrets.to_bytes())
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)

    def forget(self, game: GameId) -> None:
        self._path(game).unlink(missing_ok=True)

    def _path(self, game: GameId) -> Path:
        return self._folder / f"{game}.seat"
