"""Why the operators' record refuses."""

from domain.rejection import NotNow


class UnfitRecord(NotNow):
    """The first line is not the one that begins the record of its ledger."""

    code = "unfit-record"
