"""A process's knowledge of its own notary, beyond the database.

Only `services/workers/office.py` changes it.
"""

from msgspec import Struct


class NotaryState(Struct):
    """Nothing is signed while it is refusing, and a person has to see to it: the log of the process says why."""

    is_notary: bool = False
    is_refusing: bool = False
