"""Forgeries, each made as an operator would: hashes chained again, signatures made where it has the key."""

from hashlib import sha256

import msgspec

from domain.canonical import encode
from domain.chance import after_dice, draw_dice, open_chance
from domain.ids import LineHash
from domain.log.record import GENESIS, format_at, line_hash, parse_at
from domain.seal import seal_action
from domain.signature import signed_input
from tests.domain.audit.audited_game import FORGERS_KEY, ORGANISER_KEY, paused_specimen, specimen
from tests.domain.audit.forgery_tools import (
    Fields,
    Forged,
    by_seat,
    chained,
    edited,
    input_after,
    lines,
    outcome_after,
    places,
    resigned,
    rolled_again,
    with_data,
)
from tests.domain.game.game_harness import GAME, ORGA, PLAYERS, SECRET, own_links, public_hex


def a_line_removed(version: int) -> Forged:
    log = lines()
    del log[version - 1]
    return Forged(raws=chained(log), at=version)


def a_line_inserted() -> Forged:
    log, version = lines(), places("round_won")[0] + 1
    log.insert(version - 1, log[version - 2])
    return Forged(raws=chained(log), at=version)


def two_lines_swapped() -> Forged:
    log, version = lines(), places("bid_shown")[0]
    log[version - 1 : version + 1] = [log[version], log[version - 1]]
    return Forged(raws=chained(log), at=version)


def an_input_put_twice() -> Forged:
    log, version = lines(), by_seat("action_sealed", 0)
    log.insert(version, log[version - 1])
    return Forged(raws=chained(log), at=version + 1)


def a_tail_cut() -> Forged:
    return Forged(raws=specimen()[:-3], at=len(specimen()) - 2)


def a_replaced_seal_removed() -> Forged:
    """Seat 0 sealed twice; the first seal is removed. The rest is a game that could have been played."""
    return a_line_removed(by_seat("action_sealed", 0))


def a_die_changed() -> Forged:
    version = places("dice_rolled")[2]
    (face,) = lines()[version - 1]["data"]["faces"]
    return with_data(version, faces=[face % 6 + 1])


def a_link_used_twice() -> Forged:
    first, second = places("dice_rolled")[:2]
    return with_data(second, link=lines()[first - 1]["data"]["link"])


def a_link_skipped() -> Forged:
    """The operator did not like the second die, and used the third link for it."""
    log, version = lines(), places("dice_rolled")[1]
    anchors = tuple(log[0]["data"]["anchors"])
    chance = open_chance(GAME, anchors, SECRET)
    for _ in range(3):
        rolled = draw_dice(chance, name="omen", dice=1, sides=6)
        chance = after_dice(chance, rolled)
    log[version - 1]["data"] = msgspec.to_builtins(rolled) | {"label": "omen:2"}
    return Forged(raws=chained(log), at=version)


def a_seal_not_kept() -> Forged:
    """The operator, with seat 2's seal in custody, reveals another card for it."""
    version = next(place for place in places("action_revealed") if lines()[place - 1]["data"]["seat"] == 2)
    action = lines()[version - 1]["data"]["action"]
    return with_data(version, action=action | {"card": action["card"] + 1})


def a_seal_and_reveal_changed() -> Forged:
    """Seat 2 has no key: seal and reveal are the operator's word. The outcome is unchanged."""
    log = lines()
    reveal = next(place for place in places("action_revealed") if log[place - 1]["data"]["seat"] == 2)
    data = log[reveal - 1]["data"]
    data["action"] |= {"card": data["action"]["card"] + 1}
    sealed = by_seat("action_sealed", 2)
    log[sealed - 1]["data"]["seal"] = seal_action(
        game=GAME, seat=data["seat"], decision=data["decision"], salt=data["salt"], action=encode(data["action"])
    )
    return Forged(raws=chained(log), at=places("bid_shown")[2])


def a_time_too_late() -> Forged:
    """An unsigned answer of seat 2 comes in an hour late, and everything after it too."""
    log, version = lines(), by_seat("action_played", 2)
    for fields in log[version - 1 :]:
        fields["at"] = format_at(parse_at(fields["at"]) + 3_600_000)
    return Forged(raws=chained(log), at=version)


def a_clock_run_out_too_early() -> Forged:
    log, version = lines(), places("clock_expired")[0]
    before = log[version - 2]["at"]
    for fields in log[version - 1 :]:
        if fields["at"] == log[version - 1]["at"] and fields is not log[version - 1]:
            fields["at"] = before
    log[version - 1]["at"] = before
    return Forged(raws=chained(log), at=version)


def two_contributions_swapped() -> Forged:
    """The operator's own seat discloses its second link before its first, and signs that too."""
    log = lines()
    one, other = by_seat("seat_readied", 1), by_seat("action_played", 1)
    first, second = log[one - 1]["data"]["nonce"], own_links(1)[2]
    log[one - 1]["data"]["nonce"] = second
    log[other - 1]["data"]["nonce"] = first
    log[one - 1], log[other - 1] = resigned(log[one - 1]), resigned(log[other - 1])
    return Forged(raws=chained(rolled_again(log)), at=one)


def a_contribution_repeated() -> Forged:
    log, version = lines(), by_seat("action_played", 1)
    log[version - 1]["data"]["nonce"] = log[by_seat("seat_readied", 1) - 1]["data"]["nonce"]
    log[version - 1] = resigned(log[version - 1])
    return Forged(raws=chained(rolled_again(log)), at=version)


def a_contribution_left_out() -> Forged:
    """Without seat 2's link the operator knows every die of the setup; all dice are drawn anew."""
    log, version = lines(), by_seat("seat_readied", 2)
    log[version - 1]["data"]["nonce"] = None
    return Forged(raws=chained(rolled_again(log)), at=version)


def a_contribution_left_out_of_a_reveal() -> Forged:
    log = lines()
    version = next(place for place in places("action_revealed") if log[place - 1]["data"]["seat"] == 2)
    log[version - 1]["data"]["nonce"] = None
    return Forged(raws=chained(rolled_again(log)), at=version)


def an_illegal_move() -> Forged:
    """Seat 2 has no shield to raise here; the operator writes one for it."""
    version = by_seat("action_played", 2)
    return with_data(version, action={"kind": "strike", "target": 0})


def a_signature_for(**signed: object) -> Forged:
    log, version = lines(), by_seat("action_played", 0)
    log[version - 1] = resigned(log[version - 1], seat=0, **signed)
    return Forged(raws=chained(log), at=version)


def a_signature_of_another_decision() -> Forged:
    data = lines()[by_seat("action_played", 0) - 1]["data"]
    return a_signature_for(data=data | {"decision": "r1/left/0"})


def a_signature_of_another_seat() -> Forged:
    log, version = lines(), by_seat("action_played", 0)
    log[version - 1] = resigned(log[version - 1], seat=1)
    return Forged(raws=chained(log), at=version)


def a_ruling_by_a_stranger() -> Forged:
    log, version = lines(), places("clock_extended")[0]
    log[version - 1] |= {"by": f"organiser:{GAME}", "base": None, "sig": None}
    return Forged(raws=chained(log), at=version)


def a_choice_by_a_stand_in() -> Forged:
    """A choice of a player, passed off as that of a house bot, in a game without a stand-in."""
    return edited(by_seat("action_sealed", 2), by="house")


def a_ruling_changed() -> Forged:
    version = places("clock_extended")[0]
    return with_data(version, ms=120_000)


def time_given_back_to_some() -> Forged:
    """An organiser's ruling for two seats, passed off as a clock extension for all."""
    log, version = lines(), places("clock_extended")[0]
    log[version - 1] |= {"by": "clock", "base": None, "sig": None}
    return Forged(raws=chained(log), at=version)


def a_rank_changed() -> Forged:
    version = places("game_finished")[0]
    ranking = lines()[version - 1]["data"]["ranking"]
    return with_data(version, ranking=[seat | {"place": 4 - seat["place"]} for seat in ranking])


def another_secret() -> Forged:
    return with_data(len(specimen()), secret="77" * 32)


def a_secret_withheld() -> Forged:
    log = lines()
    return Forged(raws=chained(log[:-1]), at=len(log))


def a_line_after_the_secret() -> Forged:
    log = lines()
    command = "0199c0de-0000-7000-9000-00000000ffff"
    late = log[by_seat("action_sealed", 2) - 1] | {"at": log[-1]["at"], "command": command}
    return Forged(raws=chained([*log, late]), at=len(log) + 1)


def other_components() -> Forged:
    return Forged(raws=specimen(), at=1, components=encode({"cards": 16}))


def other_components_and_their_hash() -> Forged:
    """The operator states afterwards that the deck had sixteen cards."""
    components = encode({"cards": 16})
    log = lines()
    log[0]["data"]["ruleset"] |= {"components": sha256(components).hexdigest()}
    return Forged(raws=chained(log), at=places("deck_shuffled")[0], components=components)


def an_opening_with_a_signature() -> Forged:
    return edited(1, base=GENESIS, sig=ORGANISER_KEY.sign(b"anything").hex())


def a_field_nobody_reads() -> Forged:
    return with_data(1, fee=5)


def a_demand_added(demand: str, at: int) -> Forged:
    """As if the game had been played under stricter terms than it was."""
    return msgspec.structs.replace(with_data(1, demands=[demand]), at=at)


def a_table_made_up() -> Forged:
    """As if the game had been played at a table of a tournament."""
    seats = [{"key": None, "player": player} for player in PLAYERS[:3]]
    table = {"attempt": 1, "round": 1, "seats": seats, "table": 1, "tournament": GAME}
    return with_data(1, table=table)


def an_input_without_a_command() -> Forged:
    return edited(by_seat("action_played", 2), command=None)


def a_second_opening() -> Forged:
    """The first line once more, under another command, with the terms the operator wishes it had."""
    log, version = lines(), places("clock_extended")[0]
    again = log[0] | {"at": log[version - 1]["at"], "command": "0199c0de-0000-7000-9000-00000000ffff"}
    log.insert(version - 1, again | {"data": again["data"] | {"delay_s": 60}})
    return Forged(raws=chained(log), at=version)


def a_hash_broken() -> Forged:
    raws = list(specimen())
    version = by_seat("action_played", 2)
    fields = msgspec.json.decode(raws[version - 1])
    raws[version - 1] = encode(fields | {"prev": "ab" * 32})
    return Forged(raws=(*raws[:version], *raws[version:]), at=version)


def another_spelling() -> Forged:
    raws = list(specimen())
    version = by_seat("action_played", 2)
    raws[version - 1] = raws[version - 1].replace(b'{"at":', b'{ "at":')
    return Forged(raws=tuple(raws), at=version)


def a_shuffle_renamed() -> Forged:
    return with_data(places("deck_shuffled")[0], label="deck:2")


def a_shuffle_of_fewer_cards() -> Forged:
    return with_data(places("deck_shuffled")[0], size=14)


def a_card_changed() -> Forged:
    """The value of a hidden card shows only with the secret."""
    version = places("bid_shown")[2]
    face = lines()[version - 1]["data"]["face"]
    return with_data(version, face=(face + 1) % 15)


def an_organiser_made_up() -> Forged:
    """A ruling by an account that only the forged first line names as organiser."""
    log = lines()
    log[0]["data"]["organisers"] = {ORGA: None}
    version = places("clock_extended")[0]
    log[version - 1] |= {"base": None, "sig": None}
    return Forged(raws=chained(log), at=by_seat("seat_taken", 0))


def all_keys_replaced() -> Forged:
    """The operator puts keys of its own into every seat and into the first line, and signs all of it again."""
    raws: list[bytes] = []
    hashes: dict[str, str] = {}
    for fields in lines():
        if fields["type"] == "game_opened":
            fields["data"]["organisers"] = {ORGA: public_hex(FORGERS_KEY)}
        if fields["type"] == "seat_taken" and fields["data"]["key"] is not None:
            fields["data"]["key"] = public_hex(FORGERS_KEY)
        if fields["sig"] is not None:
            parts = {name: fields[name] for name in ("command", "data", "stream")}
            base = hashes[fields["base"]]
            message = signed_input(**parts, base=LineHash(base), type_=fields["type"])
            fields |= {"base": base, "sig": FORGERS_KEY.sign(message).hex()}
        raws.append(encode(fields | {"prev": line_hash(raws[-1]) if raws else GENESIS}))
        hashes[line_hash(specimen()[len(raws) - 1])] = line_hash(raws[-1])
    return Forged(raws=tuple(raws), at=1)


def a_hand_over_made_up() -> Forged:
    """Without a stand-in in the terms, the house plays for seat 1, whose key signs no more, and brings no links."""
    log, version = lines(), places("clock_expired")[0] + 1
    log.insert(version - 1, outcome_after(log[version - 1], "seat_handed", {"seat": 1}))
    return Forged(raws=chained(rolled_again(_as_the_houses(log, version))), at=version)


def a_pause_without_consent() -> Forged:
    """The operator pauses the game with the consent of its own seat alone."""
    log, version = lines(), places("clock_expired")[0]
    consent, ended = (
        input_after(log[version - 2], 1, "consent_given", to="pause"),
        input_after(log[version - 2], 2, "pause_ended"),
    )
    log[version - 1 : version - 1] = [consent, outcome_after(consent, "game_paused", {"seats": [2]}), ended]
    return Forged(raws=chained(log), at=version + 1)


def an_end_without_consent() -> Forged:
    """The operator ends the game with the consent of its own seat alone."""
    version = places("clock_expired")[0]
    log = lines()[: version - 1]
    consent = input_after(log[-1], 1, "consent_given", to="end")
    stopped = outcome_after(consent, "game_stopped", {"absent": [], "seats": [2]})
    return Forged(raws=chained([*log, consent, stopped, lines()[-1] | {"at": consent["at"]}]), at=version + 1)


def a_pause_removed() -> Forged:
    return _removed_from_the_paused("game_paused")


def an_end_of_a_pause_removed() -> Forged:
    return _removed_from_the_paused("pause_ended")


def an_end_of_no_pause() -> Forged:
    log, version = lines(), places("clock_expired")[0]
    log.insert(version - 1, input_after(log[version - 2], 1, "pause_ended"))
    return Forged(raws=chained(log), at=version)


def _removed_from_the_paused(type_: str) -> Forged:
    log = lines(paused_specimen())
    version = next(place for place, fields in enumerate(log, start=1) if fields["type"] == type_)
    del log[version - 1]
    return Forged(raws=chained(log), at=version)


def _as_the_houses(log: list[Fields], after: int) -> list[Fields]:
    """Return a log in which the answers of seat 1 after a line are the house's."""
    by_house = []
    for place, fields in enumerate(log, start=1):
        own = place > after and fields["kind"] == "input" and fields["data"].get("seat") == 1
        data = fields["data"] | {"nonce": None} if own and "nonce" in fields["data"] else fields["data"]
        signed = {"by": "house", "base": None, "sig": None} if own and fields["by"] == "seat:1" else {}
        by_house.append(fields | signed | {"data": data})
    return by_house
