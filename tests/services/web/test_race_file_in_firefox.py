"""The page of a race in Firefox, opened from a file: collected where Firefox is installed."""

from pathlib import Path

from services.web.race_file import build_race_file
from tests.services.audits.files import race
from tests.services.web.firefox import PROGRAM, firefox

# Answers once the verdict is told and every roll is checked; then every twentieth moment is drawn.
WATCH = """
const [draws, done] = arguments;
const find = (selector) => [...document.querySelectorAll(selector)];
const game = document.querySelector("spina-game");
const draw = async () => {
  for (let version = 1; version <= game.playhead.newest; version += 20) {
    game.playhead.seek(version);
    await game.settled(version);
  }
  return [find(".verdict")[0].textContent, game.playhead.newest];
};
const look = () => {
  if (!find(".verdict").length || find("spina-draws summary span")[0]?.textContent !== `${draws}`) return;
  watching.disconnect();
  draw().then(done, (error) => done([`${error}`, 0]));
};
const watching = new MutationObserver(look);
watching.observe(document, { subtree: true, childList: true, attributes: true });
look();
"""

if PROGRAM is not None:

    def test_a_race_plays_and_is_checked_from_a_file(tmp_path: Path) -> None:
        page = tmp_path / "race.html"
        page.write_bytes(build_race_file(race(), {}))
        lines = race().log.splitlines()
        draws = sum(b'"type":"dice_rolled"' in line or b'"type":"deck_shuffled"' in line for line in lines)

        with firefox(tmp_path / "profile") as browser:
            browser.ask("WebDriver:Navigate", url=page.as_uri())
            verdict, newest = browser.ask("WebDriver:ExecuteAsyncScript", script=WATCH, args=[draws])["value"]

        assert newest == len(lines)
        assert "Chariot Race ended on" in verdict
        assert "without a winner" in verdict
        assert "you gave no key" in verdict
