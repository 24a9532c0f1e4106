"""The bot of docs/bot.md, as it stands there: taken out of the page and run against a real server."""

import ast
import asyncio
import json
import re
import sys
from pathlib import Path
from typing import Any

import msgspec
from httpx2 import AsyncClient

from domain.canonical import encode
from domain.ruleset.bot import Choose, Numbers
from domain.rulesets.chariot_race.actions import Action
from domain.rulesets.chariot_race.bots.roster import choose_at_random
from domain.rulesets.chariot_race.choices import Choices
from domain.rulesets.chariot_race.ruleset import ChariotRaceRuleset
from domain.rulesets.chariot_race.view import RaceView
from domain.rulesets.charioteer.ruleset import CharioteerRuleset
from domain.rulesets.chariotmaster.ruleset import ChariotmasterRuleset
from services.api.http.ruleset_schemas import describe_rulesets
from tests.database import Database
from tests.domain.rulesets.chariot_race.bots.test_bots import RULES, drive
from tests.services.cli.program import ROOT, environment
from tests.services.listening import listening
from tests.test_tours import put_spina_there, run_shell

PAGE = (ROOT / "docs" / "bot.md").read_text()
PROGRAM = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SHELL = re.compile(r"^```sh\n(spina practice.*?|export.*?)^```$", re.MULTILINE | re.DOTALL)
PATIENCE_S = 60.0
# The page's own claim: short enough to be read at once.
LINES_MAX = 40


async def run_python(program: str, folder: Path, *, port: str) -> str:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-I",
        "-c",
        program,
        cwd=folder,
        env=environment({"SPINA_PORT": port}),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    async with asyncio.timeout(PATIENCE_S):
        out, err = await process.communicate()
    assert process.returncode == 0, f"{out.decode()}\n{err.decode()}"
    return out.decode()


async def read_game(url: str, game: str) -> Any:
    async with AsyncClient() as client:
        return (await client.get(f"{url}/v1/games/{game}")).json()


async def test_the_bot_plays_a_whole_race_against_the_house_as_it_stands_on_the_page(
    database: Database, tmp_path: Path
) -> None:
    program, with_client, serving, _ = PROGRAM.findall(PAGE)
    assert len([line for line in program.splitlines() if line]) <= LINES_MAX

    async with listening(database) as url:
        port = url.rpartition(":")[2]
        printed, of_client, followed = await asyncio.gather(
            *(run_python(text, tmp_path, port=port) for text in (program, with_client, serving))
        )
        shown = await read_game(url, printed.split()[0])

    assert shown["status"] == "finished"
    assert shown["board"]["ended"] is not None
    assert [seat["house"] for seat in shown["seats"]] == [None, "careful"]
    assert re.fullmatch(r"[0-9a-f-]{36}( \d\. seat [01]){2}\n", of_client)
    assert followed.startswith("1 game_opened ")
    assert followed.endswith(" finished\n")
    assert printed.split()[1:] == [
        word for each in shown["ranking"] for word in (f"{each['place']}.", ("Ada", "careful")[each["seat"]])
    ]


async def test_the_driver_of_the_page_practises_as_it_stands_and_beats_the_house(tmp_path: Path) -> None:
    put_spina_there(tmp_path)
    (tmp_path / "driver.py").write_text(PROGRAM.findall(PAGE)[-1])
    # Fewer games than on the page where a few show the difference; the same seed gives the same ones.
    commands = (
        SHELL.findall(PAGE)[0]
        .replace("--games 100 --to", "--games 40 --json --to")
        .replace("--games 100\n", "--games 60 --json\n")
    )

    careful, fast = map(json.loads, (await run_shell(commands, tmp_path)).splitlines())

    assert (careful["faults"], fast["faults"]) == ([], [])
    assert (careful["words"]["ended by"], fast["words"]["ended by"]) == ({"finished": 40}, {"finished": 60})
    assert careful["won"]["count"] > 2 * careful["lost"]["count"]
    assert fast["won"]["count"] > fast["lost"]["count"]
    assert {path.name for path in (tmp_path / "practice").iterdir()} == {"losses", "plot.svg", "report.json"}


def test_the_bot_finishes_its_races_and_mostly_beats_a_random_one() -> None:
    choose = choose_of_the_page()
    races = range(15)

    alone = [drive((choose, choose), game=game) for game in races]
    against = [drive((choose, choose_at_random), game=game) for game in races]

    assert [board.ended for board in alone] == ["finished"] * len(races)
    assert sum(RULES.ranking(board)[0].seat == 0 for board in against) >= 12


def choose_of_the_page() -> Choose[RaceView, Choices, Action]:
    """Take the page's function out of its program, and give it the API's values."""
    program, *_ = PROGRAM.findall(PAGE)
    (function,) = [
        each for each in ast.parse(program).body if isinstance(each, ast.FunctionDef) and each.name == "choose"
    ]
    namespace: dict[str, Any] = {}
    exec(ast.unparse(function), namespace)  # noqa: S102  our own page

    def choose(_view: RaceView, choices: Choices, _numbers: Numbers) -> Action:
        answer: Action = msgspec.convert(namespace["choose"](msgspec.to_builtins(choices)), Action)
        return answer

    return choose


def test_the_page_names_components_that_are_there() -> None:
    described = describe_rulesets()

    named = re.findall(r"`(ChariotRace1\w+)`", PAGE)

    assert named
    assert set(named) <= set(described)


def test_the_safe_answers_of_the_page_are_actions_in_canonical_form() -> None:
    rulesets = (CharioteerRuleset, ChariotRaceRuleset, ChariotmasterRuleset)

    answers = [match_.replace("[N]", "[1]") for match_ in re.findall(r"`({\"[^`]*})`", PAGE)]

    assert len(answers) == 7
    for answer in answers:
        assert answer in [_spell(answer, ruleset.action_type) for ruleset in rulesets], answer


def _spell(answer: str, action_type: Any) -> str | None:
    try:
        return encode(msgspec.json.decode(answer, type=action_type)).decode()
    except msgspec.ValidationError:
        return None
