"""`spina tournament`, command by command, at a real server: what each prints, and what it refuses in which words."""

import json
import re
from pathlib import Path

import pytest

from domain.audit.bundle import parse_bundle
from domain.audit.tournament_bundle import parse_tournament_bundle
from tests.services.api.opening_defaults import DEFAULT_TERMS, pick_defaults
from tests.services.cli.tournament_session import Cup
from tests.services.cli.tournament_terminal import Hall, invoke

NOBODYS = "01a1f052-e131-7442-97b2-21e17c05f850"
POINTS = ("--ruling", "points_ruled", "--reason", "so it is")


def test_a_tournament_is_organised_from_a_terminal_to_its_end(hall: Hall, cup: Cup) -> None:
    shown = hall.spina("show", cup.id)

    assert cup.printed["closed entries"].out == "entries are closed with 3 entrants\n"
    assert cup.printed["called"].out.startswith("round 1 is called: 3 may check in until 20")
    assert cup.printed["closed"].out == "closed: the standings are final\n"
    assert shown.code == 0
    assert "Consualia · chariot-race@1 · finished, round 2" in shown.out
    assert "Round 2 · closed" in shown.out
    assert "Table 1: Drawn by score" in shown.out
    assert "sits out and has 30 points. Tables of 2 do not seat all" in shown.out


def test_an_organiser_sees_who_is_waited_for_and_who_does_what(cup: Cup) -> None:
    at_check_in, at_tables = cup.printed["due at check-in"].out, cup.printed["due at tables"].json["items"]
    doing = [item["doing"] for item in cup.printed["entrants at tables"].json["items"]]

    assert at_check_in.startswith("Check-in, round 1, until 20")
    assert at_check_in.endswith(": =Bob, Cleo <b>\n")
    assert cup.printed["entrants at check-in"].out.count("is to check in") == 2
    assert [(table["what"], table["is_late"], len(table["missing"])) for table in at_tables] == [("sit_down", False, 2)]
    assert sorted(doing) == ["plays", "plays", "sits out"]
    assert cup.printed["due at the end"].out == "nothing is waited for\n"


def test_a_ruling_is_told_with_its_author_its_reason_and_its_effect(hall: Hall, cup: Cup) -> None:
    award, replaced = cup.printed["award"].out, cup.printed["replacement"].out

    assert ': Orga gave =Bob 7 points in round 1. Reason: Swept the track, "unasked". Points changed: =Bob ' in award
    # Who meets whom in the second round is drawn.
    assert re.search(r": Orga replaced the result of round 2, table 1: 1\. .+, 1\. .+ \(before: 1\. ", replaced)
    assert "). Reason: A dead heat. Points changed: " in replaced
    assert award.strip() in hall.spina("show", cup.id).out


def test_a_ruling_is_previewed_in_the_words_in_which_it_is_told_then(cup: Cup) -> None:
    for name in ("award", "replacement"):
        _, _, told = cup.printed[name].out.strip().partition(": ")
        assert cup.printed[name].err.startswith(told)
    assert "Round 2, table 1 counts 1. " in cup.printed["replacement"].err
    assert "It stays in the log for ever" in cup.printed["award"].err


def test_every_reading_command_prints_json_for_machines(hall: Hall, cup: Cup) -> None:
    shown = hall.spina("show", cup.id, "--json").json
    listed = hall.spina("list", "--status", "finished", "--ruleset", "chariot-race@1", "--json").json["items"]
    entered = hall.spina("entrants", cup.id, "--json").json["items"]

    assert shown["tournament"]["status"] == "finished"
    assert [ruling["type"] for ruling in shown["tournament"]["rulings"]] == ["points_ruled", "result_replaced"]
    assert cup.id in [item["id"] for item in listed]
    assert [each["name"] for each in entered] == ["Ada", "=Bob", "Cleo <b>"]


def test_the_list_names_every_tournament_whole(hall: Hall, cup: Cup) -> None:
    listed = hall.spina("list").out

    assert cup.id in listed
    assert "Consualia" in listed


def test_further_terms_come_from_a_file_and_demands_by_name(hall: Hall, tmp_path: Path) -> None:
    terms = tmp_path / "terms.json"
    terms.write_text(json.dumps({"format": {"kind": "knockout", "survivors": 1}, "entries_max": 8, "delay_s": 60}))

    cup = hall.open("--terms", str(terms), "--demand", "signed", "--demand", "links")

    shown = hall.spina("show", cup, "--json").json["tournament"]["terms"]
    assert (shown["format"]["kind"], shown["entries_max"], shown["delay_s"]) == ("knockout", 8, 60)
    assert shown["demands"] == ["links", "signed"]


def test_what_is_not_said_is_as_on_the_form_and_in_the_api(hall: Hall) -> None:
    shown = hall.spina("show", hall.open(), "--json").json["tournament"]["terms"]

    assert pick_defaults(shown) == DEFAULT_TERMS


def test_a_tournament_is_aborted_with_a_reason_and_closed_early_only_with_one(hall: Hall) -> None:
    one, two = hall.open(), hall.open()

    aborted = hall.organise("abort", one, "--reason", "A fire.")
    unreasoned = hall.spina("close", two, "--token-file", str(hall.token_file))
    hall.organise("close", two, "--reason", "The hall closes at ten.")

    assert aborted.out == "aborted\n"
    assert unreasoned.sentence.startswith("reason-missing (422): expected a reason, as not all rounds were played")
    statuses = [hall.spina("show", name, "--json").json["tournament"]["status"] for name in (one, two)]
    assert statuses == ["aborted", "finished"]


def test_the_token_may_stand_in_the_environment_and_is_never_printed(hall: Hall, cup: Cup) -> None:
    token = hall.token_file.read_text()

    ended = hall.spina("round", cup.id, SPINA_TOKEN=token)

    assert ended.sentence == "tournament-over (409): expected a tournament that goes on, found one that is finished"
    told = "".join(result.out + result.err for result in (ended, *cup.printed.values()))
    assert token not in told


@pytest.mark.parametrize(
    ("token", "told"),
    [
        ("", "expected your token in --token-file or SPINA_TOKEN, found neither"),
        (
            "wrong",
            "not-authenticated (401): expected a live token or session, found one unknown here, or ended a while ago",
        ),
        ("wr\tong", "expected a token in SPINA_TOKEN, found something else"),
    ],
)
def test_without_a_good_token_nothing_is_organised(hall: Hall, cup: Cup, token: str, told: str) -> None:
    ended = hall.spina("close-entries", cup.id, SPINA_TOKEN=token)

    assert (ended.code, ended.sentence) == (1, told)


def test_a_token_file_without_a_token_is_told_by_its_name(hall: Hall, cup: Cup, tmp_path: Path) -> None:
    ended = hall.spina("close-entries", cup.id, "--token-file", str(tmp_path / "no.token"))

    assert (ended.code, ended.sentence) == (
        1,
        f"expected a token in {tmp_path / 'no.token'}, found none that can be read",
    )


def test_a_player_is_no_organiser(hall: Hall) -> None:
    cup = hall.open()
    (guest,) = hall.enter(cup, "Dido")

    ended = hall.spina("abort", cup, "--reason", "I lost", SPINA_TOKEN=guest.account.token)

    assert ended.code == 1
    assert ended.sentence.startswith("not-allowed (403): expected organiser:")


@pytest.mark.parametrize("command", ["show", "entrants", "due", "bundle"])
@pytest.mark.parametrize(
    ("given", "told"),
    [
        (NOBODYS, f"no-such-tournament (404): expected the id of a tournament, found {NOBODYS}"),
        ("../games", "expected the id of a tournament, found '../games'"),
    ],
)
def test_what_is_no_tournament_is_told(hall: Hall, command: str, given: str, told: str) -> None:
    ended = hall.spina(command, given)

    assert (ended.code, ended.sentence) == (1, told)
    assert not Path(f"{given}.tournament.zip").exists()


def test_a_server_that_is_not_there_is_told_at_once() -> None:
    ended = invoke("tournament", "list", "--url", "http://127.0.0.1:1")

    assert (ended.code, ended.out) == (1, "")
    assert ended.sentence.startswith("expected a server at http://127.0.0.1:1, found none; start it with `make run`")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--entrant", "Nero", "--round", "1", "--points", "3"), "expected one entrant called Nero, found nobody"),
        (
            ("--entrant", "9", "--round", "1", "--points", "3"),
            "tournament-over (409): expected a tournament that goes on",
        ),
    ],
)
def test_a_ruling_that_does_not_apply_is_refused(hall: Hall, cup: Cup, arguments: tuple[str, ...], told: str) -> None:
    ended = hall.spina("rule", cup.id, "--yes", *POINTS, *arguments, "--token-file", str(hall.token_file))

    assert ended.code == 1
    assert told in ended.sentence


def test_a_ruling_on_what_was_not_drawn_yet_is_refused(hall: Hall) -> None:
    cup = hall.open()
    hall.enter(cup, "Dora")
    ruled = ("rule", cup, "--yes", "--token-file", str(hall.token_file))

    points = hall.spina(*ruled, *POINTS, "--entrant", "0", "--round", "1", "--points", "3")
    void = hall.spina(*ruled, "--ruling", "game_voided", "--reason", "why", "--round", "1", "--table", "1")
    places = ("--ruling", "result_replaced", "--reason", "why", "--round", "1", "--table", "1", "--places", "1,x")
    replaced = hall.spina(*ruled, *places)

    assert points.sentence.startswith("not-next-round (409): expected one of 0 rounds that were drawn")
    assert void.sentence == "expected a table that was drawn, found round 1, table 1"
    assert replaced.code == 1


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("rule", NOBODYS, *POINTS), "points_ruled takes --entrant, --round, --points, found none"),
        (("rule", NOBODYS, *POINTS, "--entrant", "1", "--table", "2"), "found --entrant, --table"),
        (
            ("rule", NOBODYS, "--reason", "x", "--ruling", "entrant_removed", "--entrant", "1", "--entrant", "2"),
            "entrant_removed takes one --entrant, found 2",
        ),
        (("rule", NOBODYS, *POINTS, "--entrant", "1", "--round", "1", "--points", "3"), "expected --yes"),
        (("rule", NOBODYS, "--ruling", "nonsense", "--reason", "x"), "expected one of points_ruled, result_replaced"),
        (("open", "--name", "Cup", "--ruleset", "chess"), "expected one of charioteer"),
        (("open", "--name", "Cup", "--terms", "nowhere.json"), "expected a JSON object of terms in nowhere.json"),
    ],
)
def test_what_was_typed_wrong_ends_with_the_code_of_usage(arguments: tuple[str, ...], told: str) -> None:
    ended = invoke("tournament", *arguments)

    assert ended.code == 2
    assert told in " ".join(ended.err.replace("│", " ").split())


def test_a_file_that_cannot_be_written_is_told(hall: Hall, cup: Cup, tmp_path: Path) -> None:
    ended = hall.spina("bundle", cup.id, "--to", str(tmp_path / "no" / "cup.zip"))

    assert ended.code == 1
    assert "No such file or directory" in ended.sentence


def test_terms_that_are_none_are_told_field_by_field(hall: Hall, tmp_path: Path) -> None:
    terms = tmp_path / "terms.json"
    terms.write_text('{"entries_max": 1}')

    ended = hall.spina("open", "--name", "Cup", "--terms", str(terms), "--token-file", str(hall.token_file))

    assert ended.code == 1
    assert ended.sentence.startswith("invalid-input (400): $.entries_max: Expected an integer >= 2")


def test_a_tournament_that_demands_everything_is_played_and_every_game_of_it_keeps_that(
    hall: Hall, tmp_path: Path
) -> None:
    kept, terms, policy = tmp_path / "strict.tournament.zip", tmp_path / "terms.json", tmp_path / "trusted.policy"
    clock = {"per_decision_ms": 60_000, "bank_ms": 600_000}
    terms.write_text(json.dumps({"delay_s": 300, "clock": clock, "sit_down_ms": 20_000}))
    plan = ("--ruleset", "chariot-race", "--players", "2", "--rounds", "1", "--table-size", "2")
    demands = [f"--demand={each}" for each in ("own_custody", "signed", "witnessed_opening", "links")]

    hall.organise("demo", *plan, *demands, "--terms", str(terms), "--bundle", str(kept))

    policy.write_bytes(hall.fetch("/v1/ledger/policy"))
    audited = invoke("verify", str(kept), "--policy", str(policy), "--json")
    findings = {finding["check"]: finding["result"] for finding in audited.json["files"][0]["report"]["findings"]}
    (member,) = parse_tournament_bundle(kept.read_bytes()).games
    first, second = parse_bundle(member.raw).log.splitlines()[:2]
    opened = json.loads(first)["data"]
    assert audited.code == 0, audited.out
    assert findings["opening-witness"]["seen"].startswith("index ")
    assert sorted(opened["demands"]) == ["links", "own_custody", "signed", "witnessed_opening"]
    assert (opened["delay_s"], opened["clock"]) == (300, clock)
    assert json.loads(second)["type"] == "opening_witnessed"


def test_an_organiser_who_named_a_key_rules_by_it_and_by_nothing_else(hall: Hall, tmp_path: Path) -> None:
    key = tmp_path / "orga.key"
    public = invoke("tournament", "key", str(key)).out.strip()
    cup = hall.open("--key-file", str(key), "--organiser", hall.organiser)
    abort = ("abort", cup, "--reason", "It was a rehearsal.", "--token-file", str(hall.token_file))

    unsigned = hall.spina(*abort)
    signed = hall.spina(*abort, "--key-file", str(key))

    shown = hall.spina("show", cup, "--json").json["tournament"]
    assert shown["terms"]["organisers"] == {hall.organiser: public}
    assert unsigned.sentence.startswith("signature-missing (403): expected sig by the key that organiser:")
    assert (signed.code, shown["status"]) == (0, "aborted")


def test_a_helper_joins_by_a_link_with_a_key_and_does_what_the_role_allows(hall: Hall, tmp_path: Path) -> None:
    key, token = tmp_path / "bea.key", tmp_path / "bea.token"
    invoke("tournament", "key", str(key))
    cup = hall.open()
    (bea,) = hall.enter(hall.open(), "Bea")
    token.write_text(bea.account.token)
    mine = ("--token-file", str(token), "--key-file", str(key))
    invited = ("rule", cup, "--ruling", "helper_invited", "--reason", "She helps.", "--choice", "desk", "--yes")
    link = hall.organise(*invited).out.split()[-1]

    joined = hall.spina("helper", cup, "--link", link, *mine)
    again = hall.spina("helper", cup, "--link", link, *mine)
    held = hall.spina("rule", cup, "--ruling", "draw_held", "--round", "1", "--reason", "We look.", "--yes", *mine)
    looked = hall.spina("follow", cup, "--round", "1", "--table", "1", *mine)

    assert joined.out == "you help as desk, helper 0\n"
    assert again.sentence == "expected an invitation that waits, found none: it was used, or taken back"
    assert "Bea holds the draw of round 1" in held.out
    assert looked.sentence == "expected a table that was drawn, found round 1, table 1"
    assert hall.spina("helper", cup, "--link", "none", *mine).sentence.startswith("expected the link of an organiser")


def test_a_key_and_whose_it_is_are_named_together(hall: Hall, tmp_path: Path) -> None:
    ended = hall.spina("open", "--name", "Cup", "--organiser", hall.organiser, "--token-file", str(hall.token_file))
    lost = hall.spina("close-entries", NOBODYS, "--key-file", str(tmp_path / "no.key"), SPINA_TOKEN="a token")

    assert ended.sentence == "expected --key-file and --organiser together, found one of them"
    assert lost.sentence == f"expected a key of 64 hex digits in {tmp_path / 'no.key'}, found none that can be read"


def test_an_id_is_never_broken_over_two_lines(hall: Hall, cup: Cup) -> None:
    game = hall.spina("show", cup.id, "--json").json["pairings"]["items"][-1]["tables"][0]["game"]

    listed = hall.spina("list", COLUMNS="80").out
    assert cup.id in listed
    assert {"tournament", "ruleset", "status", "entrants", "chariot-race@1", "finished"} <= set(listed.split())
    assert game in hall.spina("show", cup.id, COLUMNS="80").out


def test_a_round_that_was_not_called_is_not_shown(hall: Hall, cup: Cup) -> None:
    ended = hall.spina("show", cup.id, "--round", "9")

    assert ended.code == 2
    assert "expected a round of 2 that were called, found 9" in " ".join(ended.err.split())
