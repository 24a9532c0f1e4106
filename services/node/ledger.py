"""The ledger of one process, by the settings: its keys, its witnesses, and its public view."""

from pathlib import Path

import asyncpg

from domain.ledger.policy import Policy
from domain.ledger.policy_file import parse_policy
from domain.ledger.spelling import Misspelt
from infra.keys import MasterKey
from infra.ledger_keys import derive_log_signer
from infra.postgres.ledger_store import PostgresLedger
from infra.settings import Settings
from services.ledger.proofs import LedgerProofs
from services.ledger.public_ledger import PublicLedger, build_policy

# Beside the last signed checkpoint, so that every part of the ledger outside the database is in one folder.
POLICY_FILE_NAME = "witnesses.policy"


class PolicyRefused(Exception):
    """The file that should name the witnesses cannot be read."""

    def __init__(self, path: Path, reason: str) -> None:
        self.path = path
        super().__init__(f"expected a policy that names witnesses at {path}, found: {reason}")


def build_public_ledger(settings: Settings, pool: asyncpg.Pool, key: MasterKey) -> PublicLedger:
    ledger = PostgresLedger(pool)
    return PublicLedger(
        ledger=ledger,
        proofs=LedgerProofs(ledger),
        policy=build_policy(derive_log_signer(key, settings.origin), read_policy_file(settings)),
    )


def read_policy_file(settings: Settings) -> Policy | None:
    """Read the witnesses to ask, if the operator has put a file of them there. Raises PolicyRefused."""
    path = settings.ledger_folder / POLICY_FILE_NAME
    try:
        return parse_policy(path.read_bytes())
    except FileNotFoundError:
        return None
    except OSError as error:
        raise PolicyRefused(path, error.strerror or str(error)) from error
    except Misspelt as error:
        raise PolicyRefused(path, str(error)) from error
