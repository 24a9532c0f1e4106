"""Why a stream of any kind refuses. Each has one stable code, which the API hands out as the problem's type."""

from domain.rejection import Forbidden, NotNow, Unprocessable


class UnfitOptions(Unprocessable):
    """The ruleset has no such options, or not with these values."""

    code = "unfit-options"


class LinkDoesNotFit(Unprocessable):
    """The link does not hash to the one before it, or none is owed."""

    code = "link-does-not-fit"


class TooFewLinks(Unprocessable):
    """A seat that brings links of its own brings enough of them, or none."""

    code = "too-few-links"


class DemandNotMet(Unprocessable):
    """The terms demand links, own custody or a key that the seat did not bring."""

    code = "demand-not-met"


class NotAllowed(Forbidden):
    """Another actor may do this, but not the caller."""

    code = "not-allowed"


class SignatureMissing(Forbidden):
    """A key was registered, so that each command has to be signed."""

    code = "signature-missing"


class SignatureUnwanted(Unprocessable):
    """No key was registered, so that none can be checked."""

    code = "signature-unwanted"


class SignatureDoesNotFit(Forbidden):
    """The signature is not one of the registered key over this command."""

    code = "signature-does-not-fit"


class BaseTooOld(NotNow):
    """The log went on since the signer looked: a signature is for the stream as its signer saw it."""

    code = "base-too-old"


class AlreadyWitnessed(NotNow):
    """The log has the proof of a witnessed opening."""

    code = "already-witnessed"


class UnfitProof(Unprocessable):
    """The proof is not one of this opening."""

    code = "unfit-proof"


class CommandIdReused(NotNow):
    """An id names one command of a stream, so that nothing signed counts twice."""

    code = "command-id-reused"


class UnfitEvent(Unprocessable):
    """A field of the input is outside its event's limits."""

    code = "unfit-event"
