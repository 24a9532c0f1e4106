"""Why a stream of any kind says no. Each has one stable code, which the API hands out as the problem's type."""

from domain.rejection import Rejection


class UnfitOptions(Rejection):
    code = "unfit-options"


class LinkDoesNotFit(Rejection):
    code = "link-does-not-fit"


class TooFewLinks(Rejection):
    """A seat that brings links of its own brings enough of them, or none."""

    code = "too-few-links"


class DemandNotMet(Rejection):
    code = "demand-not-met"


class NotAllowed(Rejection):
    """Another actor may do this, but not the caller."""

    code = "not-allowed"


class SignatureMissing(Rejection):
    code = "signature-missing"


class SignatureUnwanted(Rejection):
    code = "signature-unwanted"


class SignatureDoesNotFit(Rejection):
    code = "signature-does-not-fit"


class BaseTooOld(Rejection):
    """The log went on since the signer looked: a signature is for the stream as its signer saw it."""

    code = "base-too-old"


class AlreadyWitnessed(Rejection):
    code = "already-witnessed"


class UnfitProof(Rejection):
    code = "unfit-proof"


class CommandIdReused(Rejection):
    """An id names one command of a stream, so that nothing signed counts twice."""

    code = "command-id-reused"


class UnfitEvent(Rejection):
    """A field of the input is outside its event's limits."""

    code = "unfit-event"
