"""The small tree that public test suites use, and a log's checkpoint over it."""

import base64

from domain.ledger.merkle import leaf_hash

ENTRIES = tuple(
    bytes.fromhex(entry)
    for entry in (
        "",
        "00",
        "10",
        "2021",
        "3031",
        "40414243",
        "5051525354555657",
        "606162636465666768696a6b6c6d6e6f",
    )
)
LEAVES = [leaf_hash(entry) for entry in ENTRIES]
# The root of the first n entries at place n.
ROOTS = tuple(
    bytes.fromhex(root)
    for root in (
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
        "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
        "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
        "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
        "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
        "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
        "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
    )
)
# The path of entry 5 among eight.
PATH_OF_5 = tuple(
    base64.b64decode(text)
    for text in (
        "vBoGQ7EuTS18d5GPROD095qDi2z57FtcKD4fTYhZnms=",
        "yoVOoSjtBQtBs1/8G4e46yveRh6eO1WW7Oa51ZdaCuA=",
        "037kGJdt2VdTwcc4Yrk5j6Kiz5tP8P3+izDNlSCWFLc=",
    )
)
LOG_KEY = "example.com/board-log+259e2949+ASmsuuFBvMrwsi4alNNNC8c2HlJtC/4SyJeUvJMilm3X"
WITNESS_KEY = "witness.example/w1+e75f6532+BAOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4"
CHECKPOINT = """\
example.com/board-log
8
XcnaeacGWamtVZy3Ad7ZoqudgjqtL0lgz+Nw7/RgQyg=

— example.com/board-log JZ4pSRkbHFiUwgIoZDtX7SYnsO0rL5JBqECVOxm/uoi1Tf1PUyWDXJfUbQ2kLsMtC+b1EAY46pMLaruL86rll7CtHgk=
— witness.example/w1 519lMgAAAABlU/EAfDToXPDFmPXivvk+xrDnsDxKAYzsxeIxyN1t9qY7w3kghJlCPZXrn6FBMDrj4p8W755IU0evvu/a03yP\
uxglCA==
""".encode()
PROOF = (
    b"""\
c2sp.org/tlog-proof@v1
index 5
vBoGQ7EuTS18d5GPROD095qDi2z57FtcKD4fTYhZnms=
yoVOoSjtBQtBs1/8G4e46yveRh6eO1WW7Oa51ZdaCuA=
037kGJdt2VdTwcc4Yrk5j6Kiz5tP8P3+izDNlSCWFLc=

"""
    + CHECKPOINT
)
