"""A value for each parameter in the path of a route; a route with another parameter fails where routes are walked."""

ROUTE_VALUES = {
    "game": "none", "tournament": "none", "player": "none", "ruleset": "charioteer", "version": "1",
    "name": "page.css", "path": "0/000", "stream": "none", "course": "none", "code": "too-many-requests",
}  # fmt: skip
