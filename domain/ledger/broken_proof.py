"""A proof that does not prove its claim."""


class BrokenProof(ValueError):
    """The hashes do not lead where they should."""

    def __init__(self, *, expected: str, found: str) -> None:
        self.expected = expected
        self.found = found
        super().__init__(f"expected {expected}, found {found}")
