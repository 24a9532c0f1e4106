"""Who may be named as an organiser at an opening: a typing mistake would leave the game without one, for ever.

Asked at the edge alone: accounts are no part of the log, and a verifier need not know them.
"""

from collections.abc import Collection

from domain.game.rejections import UnfitTerms
from domain.ids import OrganiserId
from infra.postgres.accounts import Accounts


async def require_organisers(accounts: Accounts, named: Collection[OrganiserId]) -> None:
    """Refuse ids that belong to no organiser."""
    strangers = sorted(set(named) - await accounts.find_organisers(named))
    if strangers:
        raise UnfitTerms(expected="organisers that have an account of that scope", found=", ".join(strangers))
