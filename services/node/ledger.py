"""The ledger of one process, by the settings: its keys, its witnesses, and its public view."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from domain.ledger.log_list import parse_log_list
from domain.ledger.note_key import NoteKey, format_note_key
from domain.ledger.policy import Policy
from domain.ledger.policy_file import parse_policy
from domain.ledger.spelling import Misspelt
from infra.keys import MasterKey
from infra.ledger_keys import derive_log_signer
from infra.postgres.ledger_store import PostgresLedger
from infra.postgres.queries import Queries
from infra.settings import Settings
from services.ledger.cosigning import LOOK_EVERY_S
from services.ledger.proofs import LedgerProofs
from services.ledger.public_ledger import PublicLedger, build_policy

Parsed = TypeVar("Parsed")

# Beside the last signed checkpoint, so that every part of the ledger outside the database is in one folder.
POLICY_FILE_NAME = "witnesses.policy"
# The entry of this log in a public list of logs, as it was sent to the maintainers of the list.
LIST_FILE_NAME = "log-list"
DAY_S = 86_400


class LedgerFileRefused(Exception):
    """A file that names the witnesses, or states how often they may be asked, cannot be read."""

    def __init__(self, expected: str, path: Path, reason: str) -> None:
        self.path = path
        super().__init__(f"expected {expected} at {path}, found: {reason}")


def build_public_ledger(settings: Settings, queries: Queries, key: MasterKey) -> PublicLedger:
    ledger = PostgresLedger(queries)
    return PublicLedger(
        ledger=ledger,
        proofs=LedgerProofs(ledger),
        policy=build_policy(derive_log_signer(key, settings.origin), read_policy_file(settings)),
    )


def read_policy_file(settings: Settings) -> Policy | None:
    """Read the witnesses to ask, if the operator has put a file of them there. Raises LedgerFileRefused."""
    return _read_file(settings.ledger_folder / POLICY_FILE_NAME, "a policy that names witnesses", parse_policy)


def read_ask_every_s(settings: Settings, key: NoteKey) -> float:
    """Return the pause between two requests to a witness, by the list that names this log. Raises LedgerFileRefused."""
    path, expected = settings.ledger_folder / LIST_FILE_NAME, "a list of logs"
    listed = _read_file(path, expected, parse_log_list)
    if listed is None:
        return LOOK_EVERY_S
    own = next((log for log in listed if log.key == key), None)
    if own is None:
        raise LedgerFileRefused(expected, path, f"none with the key {format_note_key(key)}")
    return max(LOOK_EVERY_S, DAY_S / own.requests_per_day)


def _read_file(path: Path, expected: str, parse: Callable[[bytes], Parsed]) -> Parsed | None:
    try:
        return parse(path.read_bytes())
    except FileNotFoundError:
        return None
    except OSError as error:
        raise LedgerFileRefused(expected, path, error.strerror or str(error)) from error
    except Misspelt as error:
        raise LedgerFileRefused(expected, path, str(error)) from error
