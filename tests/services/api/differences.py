"""The difference between an example of the description and an answer of the server."""

from typing import Any

# Workers of one process; seats and outcomes of several kinds; words and schemas, each a document of its own.
EXCERPTS = {
    "/checks/workers",
    "/seats/",
    "/outcomes//data",
    *(f"/items//{of}" for of in ("words", "options", "board", "choices", "actions", "previews")),
    "/verdicts",
    "/tournament_words",
}


def list_differences(example: Any, found: Any, path: str = "") -> list[str]:
    """List the members that only one of the two has, at every depth that both have."""
    match example, found:
        case dict(), dict():
            if not example or path in EXCERPTS:
                return []
            apart = [f"{path}/{name}" for name in sorted(example.keys() ^ found.keys())]
            shared = sorted(example.keys() & found.keys())
            return apart + [
                difference
                for name in shared
                for difference in list_differences(example[name], found[name], f"{path}/{name}")
            ]
        case list(), list():
            pairs = [[list_differences(each, other, f"{path}/") for other in found] for each in example]
            return [name for differences in pairs for name in min(differences, key=len, default=[])]
        case _:
            is_alike = type(example) is type(found) or example is None or found is None
            return [] if is_alike else [path]
