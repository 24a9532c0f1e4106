"""`spina practice`: a table, a plot, every lost game as a file, and an exit code for scripts."""

from pathlib import Path

from tests.services.cli.program import one_sentence, run

BOT = """
def choose(board, choices):
    if choices["kind"] != "move":
        return {"kind": "pass"}
    speed = choices["speeds"][0]
    return {"kind": "move", "minuses": speed["minuses"][0], "path": speed["moves"][0]["path"]}
"""


def test_a_bot_practises_and_leaves_its_losses(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(BOT)
    arguments = ("practice", f"{tmp_path}/bot.py:choose", "--against", "fast", "--games", "6", "--to", str(tmp_path))

    ended = run(*arguments, "--least", "90")

    assert ended.returncode == 1
    assert one_sentence(ended).startswith("expected at least 90 % won, found ")
    assert "won from seat 1" in ended.stdout
    assert "a second" in ended.stdout
    # Beside them Python keeps the bot as it compiled it.
    found = {path.name for path in tmp_path.iterdir()} - {"__pycache__"}
    assert found == {"bot.py", "losses", "plot.svg", "report.json"}
    assert list((tmp_path / "losses").glob("*.ndjson"))


def test_a_bot_that_is_not_there_is_refused_in_a_sentence(tmp_path: Path) -> None:
    ended = run("practice", f"{tmp_path}/bot.py:choose", "--games", "1")

    assert ended.returncode == 1
    assert one_sentence(ended).startswith("expected a module ")
