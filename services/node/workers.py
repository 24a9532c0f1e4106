"""The workers of one process, built from its parts: each one of the list, but those left to other processes."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from httpx2 import ASGITransport
from litestar.types import ASGIApp

from infra.postgres.clock_book import timekeeper_book
from infra.postgres.kept_proofs import KeptProofs
from infra.postgres.notices import notice_book
from infra.postgres.projection_store import projector_desk
from infra.postgres.worker_signs import ARCHIVIST_LOCK, STEWARD_LOCK, checked_lock
from services.api.http.parts import Parts
from services.ledger.public_ledger import PublicLedger
from services.notices.composing import Composer
from services.notices.finding import NoticeFinder
from services.workers.archivist import ArchivistSources, build_archivist
from services.workers.house import HouseSources, build_house
from services.workers.kinds import ARCHIVIST, HOUSE, NOTARY, NOTIFIER, PROJECTOR, STEWARD, TIMEKEEPER
from services.workers.notary_standby import NotaryParts, build_notary
from services.workers.notifier import NotifierSources, build_notifier
from services.workers.projector import ProjectorSources, build_projector
from services.workers.standby import Worker
from services.workers.steward import StewardSources
from services.workers.steward_sources import build_steward, listing_lapsing, listing_running, listing_unfinished
from services.workers.timekeeper import build_timekeeper


def build_workers(  # noqa: PLR0913  each is a part of one process
    parts: Parts,
    notary: NotaryParts,
    ledger: PublicLedger,
    kept: KeptProofs,
    app: ASGIApp,
    *,
    url: str,
    without: frozenset[str],
) -> list[Worker]:
    projecting = ProjectorSources(log=parts.log, open_desk=partial(projector_desk, url))
    builders: Mapping[str, Callable[[], Sequence[Worker]]] = {
        NOTARY.name: lambda: [build_notary(notary)],
        ARCHIVIST.name: lambda: [
            build_archivist(build_archivist_sources(parts, ledger, kept), partial(checked_lock, url, ARCHIVIST_LOCK))
        ],
        TIMEKEEPER.name: lambda: [build_timekeeper(parts.games.arena, partial(timekeeper_book, url), parts.now_ms)],
        STEWARD.name: lambda: [build_steward(build_steward_sources(parts), partial(checked_lock, url, STEWARD_LOCK))],
        HOUSE.name: lambda: [build_house(build_house_sources(parts, app), url)],
        NOTIFIER.name: lambda: [build_notifier(build_notifier_sources(parts), partial(notice_book, url))],
        PROJECTOR.name: lambda: build_projector(projecting),
    }
    return [worker for name, build in builders.items() if name not in without for worker in build()]


def build_house_sources(parts: Parts, app: ASGIApp) -> HouseSources:
    # The two packages write the same protocol with types of their own.
    transport = ASGITransport(app=app, raise_app_exceptions=False)  # type: ignore[arg-type]  # see above
    return HouseSources(
        keys=parts.games.house, projections=parts.projections, kits=parts.games.kits, transport=transport
    )


def build_archivist_sources(parts: Parts, ledger: PublicLedger, kept: KeptProofs) -> ArchivistSources:
    return ArchivistSources(
        kept=kept,
        ledger=ledger,
        command=parts.games.arena.handle,
        command_tournament=parts.tournaments.write_path.handle,
        now_ms=parts.now_ms,
    )


def build_notifier_sources(parts: Parts) -> NotifierSources:
    games, people, tournaments = parts.games, parts.people, parts.tournaments.histories
    return NotifierSources(
        log=parts.log,
        build_finder=partial(NoticeFinder, games.histories, tournaments),
        composer=Composer(
            parts.games.histories,
            parts.games.arena.load,
            parts.tournaments.histories,
            parts.games.words,
            parts.people.declines.find,
        ),
        outbox=people.outbox,
        ways=people.ways,
        senders=people.senders,
        now_ms=parts.now_ms,
    )


def build_steward_sources(parts: Parts) -> StewardSources:
    return StewardSources(
        tournaments=parts.tournaments.write_path,
        arena=parts.games.arena,
        store=parts.log,
        list_running=listing_running(parts.projections, parts.now_ms),
        list_unfinished=listing_unfinished(parts.projections, parts.now_ms),
        list_lapsing=listing_lapsing(parts.projections, parts.now_ms),
        now_ms=parts.now_ms,
        random_bytes=parts.random_bytes,
    )
