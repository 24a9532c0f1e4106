"""Forgeries of lines that are right by themselves, and wrong where they stand."""

from tests.domain.audit.forgery_tools import Forged, chained, input_after, lines, outcome_after, places


def a_secret_in_the_middle() -> Forged:
    log, version = lines(), places("clock_expired")[0] + 1
    log.insert(version - 1, outcome_after(log[version - 2], "secret_disclosed", log[-1]["data"]))
    return Forged(raws=chained(log), at=version)


def a_seat_that_the_game_lacks() -> Forged:
    log, version = lines(), places("clock_expired")[0]
    log[version - 1] = log[version - 1] | {"data": log[version - 1]["data"] | {"seat": 3}}
    return Forged(raws=chained(log), at=version)


def a_seat_reclaimed_by_its_own_player() -> Forged:
    log, version = lines(), places("clock_expired")[0]
    log.insert(version - 1, input_after(log[version - 2], 1, "seat_reclaimed"))
    return Forged(raws=chained(log), at=version)


def a_rematch_of_itself() -> Forged:
    log = lines()
    opened = log[0] | {"data": log[0]["data"] | {"rematch_of": log[0]["stream"]}}
    return Forged(raws=chained([opened, *log[1:]]), at=1)
