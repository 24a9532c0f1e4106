"""Why a stream of any kind refuses. Each has one stable code, which the API hands out as the problem's type."""

from domain.rejection import Forbidden, NotNow, Unprocessable


class UnfitOptions(Unprocessable):
    code = "unfit-options"


class LinkDoesNotFit(Unprocessable):
    code = "link-does-not-fit"


class TooFewLinks(Unprocessable):
    """A seat that brings links of its own brings enough of them, or none."""

    code = "too-few-links"


class DemandNotMet(Unprocessable):
    code = "demand-not-met"


class NotAllowed(Forbidden):
    """Another actor may do this, but not the caller."""

    code = "not-allowed"


class SignatureMissing(Forbidden):
    code = "signature-missing"


class SignatureUnwanted(Unprocessable):
    code = "signature-unwanted"


class SignatureDoesNotFit(Forbidden):
    code = "signature-does-not-fit"


class BaseTooOld(NotNow):
    """The log went on since the signer looked: a signature is for the stream as its signer saw it."""

    code = "base-too-old"


class AlreadyWitnessed(NotNow):
    code = "already-witnessed"


class UnfitProof(Unprocessable):
    code = "unfit-proof"


class CommandIdReused(NotNow):
    """An id names one command of a stream, so that nothing signed counts twice."""

    code = "command-id-reused"


class UnfitEvent(Unprocessable):
    """A field of the input is outside its event's limits."""

    code = "unfit-event"
