"""Whether the fields of an event or a command fit their types: a struct's constructor checks nothing.

A value refused here could not be written in a log, or could not be read from one.
"""

import msgspec
from msgspec import Struct

from domain.canonical import NotCanonical, check_limits, encode
from domain.log.rejections import UnfitEvent


def check_fields(filled: Struct, kind: type[Struct] | None = None) -> None:
    """Check the fields of an event or a command, all or those of a base of it, or raise UnfitEvent."""
    kind = kind or type(filled)
    expected = f"fields that {kind.__name__} allows"
    try:
        raw = encode(filled)
        plain = msgspec.json.decode(raw)
        check_limits(raw, value=plain)
        msgspec.convert(plain, kind)
    except msgspec.ValidationError as error:
        raise UnfitEvent(expected=expected, found=str(error)) from None
    except NotCanonical as error:
        raise UnfitEvent(expected=f"{expected}, {error.expected}", found=error.found) from None
    except UnicodeEncodeError:
        raise UnfitEvent(expected=f"{expected}, text without lone surrogates", found="text with one") from None
    except (TypeError, OverflowError):
        # Only a program can put such a thing into a command; no client can send it.
        raise UnfitEvent(expected=expected, found="a value that no line can hold") from None
