"""An audit as one page of HTML that needs nothing else, for a screen and for paper.

Everything that came out of a bundle is escaped: a hostile log must not write the page.
"""

from collections.abc import Iterator

from domain.audit.findings import Finding, Report
from domain.audit.tournament import TournamentReport
from services.audits.audit import (
    HOLDS,
    Audit,
    Audited,
    TournamentAudit,
    exit_code_of,
)
from services.audits.sentences import (
    ASSURANCES,
    VERDICT_MARKS,
    kind_of,
    mark_of,
    tell_holders,
    tell_result,
    tell_rulings,
    tell_unvouched,
    tell_verdict,
    tell_why,
)
from services.reading.markup import escape

STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; color: #1c1a17; background: #fff }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.6rem }
h3 { font-size: 1rem; margin: 1.2rem 0 .2rem; break-after: avoid }
h2 { font-size: 1.15rem; margin: 2.2rem 0 .2rem; overflow-wrap: anywhere }
table { border-collapse: collapse; width: 100%; margin: .6rem 0 }
td { vertical-align: top; padding: .3rem .5rem; border-bottom: 1px solid #d8d2c7; overflow-wrap: anywhere }
td:first-child { width: 1.5rem; font-weight: bold }
.detail { color: #5b554b; width: 45% }
.held td:first-child { color: #2c6e2f }
.did_not_hold { background: #fbe9e5 }
.did_not_hold td:first-child { color: #a3230f }
.verdict { font-weight: 600; border-left: 4px solid; padding-left: .6rem }
.proven { color: #2c6e2f }
.unvouched, .untold, .newer { color: #7a5200 }
.changed, .unreadable, .exhausting { color: #a3230f }
.unproven { border-left: 4px solid #a3230f; padding-left: .6rem; font-weight: 600 }
th { text-align: left; padding: .3rem .5rem }
footer { color: #5b554b; margin-top: 3rem; font-size: .85rem }
@media print {
  body { margin: 0; max-width: none; font-size: 10pt }
  tr { break-inside: avoid }
  h2 { break-after: avoid }
  .did_not_hold { background: none; outline: 1.5pt solid #a3230f }
}
"""
NOT_PROMISED = (
    "What no audit shows: the server deals, so its operator could look at hidden hands while the game ran; "
    "whoever knew the secret knew each die until another seat's contribution came in between; and what was "
    "rewritten before anyone outside had seen a checkpoint. What is not signed is the operator's word."
)
_MARK_CLASSES = {"✓": "held", "…": "not_checkable_yet", "✗": "did_not_hold"}


def build_page(audit: Audit) -> str:
    """Build the whole page."""
    held = sum(exit_code_of(file) == HOLDS for file in audit.files)
    parts = [
        '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
        f"<title>Audit of {len(audit.files)} files</title><style>{STYLE}</style>",
        f"<h1>Audit</h1><p>{held} of {len(audit.files)} bundles hold in everything.</p>",
        *(_summary(audit.files) if len(audit.files) > 1 else ()),
        *(part for audited in audit.files for part in _file(audited)),
    ]
    for shared in audit.shared:
        names = " and ".join(escape(name) for name in shared.names)
        parts += [f"<section><h2>{names}</h2>", *_findings((shared.finding,)), "</section>"]
    parts.append(f"<footer><p>{escape(NOT_PROMISED)}</p></footer></html>")
    return "\n".join(parts) + "\n"


def _summary(files: tuple[Audited, ...]) -> Iterator[str]:
    """One line for each file: who has a season before them looks for those that do not hold."""
    yield "<table>"
    for file in files:
        mark = VERDICT_MARKS[kind_of(file)]
        cells = f'<td>{mark}<td>{escape(file.path)}<td class="detail">{escape(tell_verdict(file))}'
        yield f'<tr class="{_MARK_CLASSES[mark]}">{cells}'
    yield "</table>"


def _file(audited: Audited) -> Iterator[str]:
    yield f"<section><h2>{escape(audited.path)}</h2>"
    yield f'<p class="verdict {kind_of(audited)}">{escape(tell_verdict(audited))}</p>'
    yield from (
        f"<p>{escape(sentence)}</p>" for sentence in (tell_why(audited), tell_holders(audited)) if sentence is not None
    )
    if isinstance(audited, TournamentAudit):
        yield from () if audited.report is None else _tournament(audited.report)
    elif audited.verified is not None:
        report = audited.verified.report
        yield f"<p>{escape(' · '.join(report.about))}</p>"
        yield from _findings(report.findings)
        yield from _assurances(report)
        yield from _contributions(report)
        yield f"<p>{escape(tell_unvouched(report))}</p>"
    yield "</section>"


def _tournament(report: TournamentReport) -> Iterator[str]:
    about = (str(report.name), str(report.tournament), str(report.ruleset), report.status, f"{report.lines} lines")
    yield f"<p>{escape(' · '.join(about))}</p>"
    if report.head is not None:
        yield f'<p class="detail">The last line has the SHA-256 {report.head}.</p>'
    yield from _findings(report.findings)
    yield from _assurances(report)
    yield f"<p>{escape(tell_unvouched(report))}</p>"
    yield "<h3>Games</h3><table>"
    for game in report.games:
        mark = VERDICT_MARKS["proven" if game.is_proven else "changed" if game.is_broken else "untold"]
        cells = f'<td>{mark}<td>{escape(game.game)}, {game.lines} lines<td class="detail">{escape(game.told)}'
        yield f'<tr class="{_MARK_CLASSES[mark]}">{cells}'
    yield "</table><h3>Rulings</h3>"
    told = "".join(f"<li>{escape(ruling)}" for ruling in tell_rulings(report))
    yield f"<ul>{told}</ul>" if told else "<p>None.</p>"
    yield f'<h3>Standings</h3><p class="unproven">{escape(report.names_told)}</p><table><thead><tr>'
    yield "".join(f"<th scope=col>{each}" for each in ("Place", "Entrant", "Account", "Name, unproven", "Points"))
    yield "</thead>"
    who = {entrant.entrant: entrant for entrant in report.entrants}
    for standing in report.standings:
        called = who[standing.entrant]
        name, rounds = escape(called.unproven_name or ""), " + ".join(map(str, standing.rounds))
        cells = f"<td>{standing.place}<td>{standing.entrant}<td>{escape(called.player)}<td><bdi>{name}</bdi>"
        yield f"<tr>{cells}<td>{standing.points} points: {rounds}"
    yield "</table>"


def _findings(findings: tuple[Finding, ...]) -> Iterator[str]:
    yield "<table>"
    for finding in findings:
        mark = mark_of(finding)
        cells = f'<td>{mark}<td>{escape(finding.claim)}<td class="detail">{escape(tell_result(finding))}'
        yield f'<tr class="{_MARK_CLASSES[mark]}">{cells}'
    yield "</table>"


def _assurances(report: Report | TournamentReport) -> Iterator[str]:
    yield "<table>"
    for assurance in report.assurances:
        demanded = "demanded" if assurance.is_demanded else "not demanded"
        kept = "✓" if assurance.is_kept else "-"
        yield f'<tr><td>{kept}<td>{ASSURANCES[assurance.name]}, {demanded}<td class="detail">{escape(assurance.told)}'
    yield "</table>"


def _contributions(report: Report) -> Iterator[str]:
    yield "<table>"
    for seat in report.contributions:
        signed = "signed" if seat.is_signed else "unsigned"
        told = f"{seat.nonces} contributions to chance" if seat.nonces else "contributed nothing to chance"
        yield f'<tr><td>{"✓" if seat.nonces else "-"}<td>Seat {seat.seat}<td class="detail">{told}, {signed}'
    yield "</table>"
