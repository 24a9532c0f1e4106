"""Escaping of users' text for a page of HTML: it stays text, and in its place."""

import html

from domain.audit.findings import escape_unseen


def escape(text: str) -> str:
    """Leave nothing that a browser would obey, or that turns the page about."""
    return html.escape(escape_unseen(text))
