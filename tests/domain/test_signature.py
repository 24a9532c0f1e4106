"""Signatures of inputs: the published vectors, and every damage is a no."""

import base64
from hashlib import sha256

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from domain.canonical import encode
from domain.ids import CommandId, LineHash, StreamId
from domain.signature import INPUT_PAYLOAD_TYPE, encode_signed, is_signed_by, signed_input

PRIVATE_KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
KEY = "03a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f1ddc8664125531b8"
GAME = StreamId("0199c0de-0000-7000-8000-000000000001")
BASE = LineHash("9f" * 32)
COMMAND = CommandId("0199c0de-0000-7000-8000-0000000000c7")
MESSAGE = signed_input(base=BASE, command=COMMAND, data={"seat": 2}, stream=GAME, type_="seat_resigned")
SIGNATURE = PRIVATE_KEY.sign(MESSAGE).hex()
# The order of Ed25519's group; a signature's second half must be below it.
GROUP_ORDER = 2**252 + 27742317777372353535851937790883648493


def test_the_encoding_is_the_one_of_the_dsse_specification() -> None:
    assert encode_signed("http://example.com/HelloWorld", b"hello world") == (
        b"DSSEv1 29 http://example.com/HelloWorld 11 hello world"
    )


def test_sizes_are_counted_in_bytes() -> None:
    assert encode_signed("é", "😂".encode()) == "DSSEv1 2 é 4 😂".encode()


def test_a_published_message_is_encoded_and_verified() -> None:
    body = encode({"game": "g1", "move": "e2e4", "prev": "0" * 64, "seq": 1})
    message = encode_signed("application/vnd.boardgame.move.v1+json", body)
    signature = base64.b64decode(
        "clBwLScfcWMvC7vYmFtM0arsrvaV1RtZH/KegfQFbn1dRcWHU5Cz0cKJtM5x/MyPqmFeUoxAVSWQWmtmXCvnAw=="
    )

    assert base64.b64decode("A6EHv/POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg=").hex() == KEY
    assert sha256(message).hexdigest() == "6068e9c9eeac4659a930a3f2686e0f88c4f4b6eaf1bb4bf2726d7463764d0bba"
    assert is_signed_by(message, key_hex=KEY, sig_hex=signature.hex())


def test_an_input_is_signed_over_five_members_of_its_line() -> None:
    assert (
        b'DSSEv1 32 application/vnd.spina.input+json 213 {"base":"%b","command":"0199c0de-0000-7000-8000-0000000000c7",'
        b'"data":{"seat":2},"stream":"0199c0de-0000-7000-8000-000000000001","type":"seat_resigned"}' % BASE.encode()
    ) == MESSAGE
    assert INPUT_PAYLOAD_TYPE == "application/vnd.spina.input+json"
    assert is_signed_by(MESSAGE, key_hex=KEY, sig_hex=SIGNATURE)


def test_a_changed_bit_of_message_key_or_signature_is_no_signature() -> None:
    key, signature = bytes.fromhex(KEY), bytes.fromhex(SIGNATURE)

    for place in range(0, len(MESSAGE) * 8, 7):
        assert not is_signed_by(flip(MESSAGE, place), key_hex=KEY, sig_hex=SIGNATURE)
    for place in range(len(key) * 8):
        assert not is_signed_by(MESSAGE, key_hex=flip(key, place).hex(), sig_hex=SIGNATURE)
    for place in range(len(signature) * 8):
        assert not is_signed_by(MESSAGE, key_hex=KEY, sig_hex=flip(signature, place).hex())


@pytest.mark.parametrize("hexadecimal", ["", "00", KEY, "zz" * 64, SIGNATURE[:-1], SIGNATURE + "00", SIGNATURE + "\n"])
def test_a_signature_that_is_not_64_bytes_of_hex_is_a_no(hexadecimal: str) -> None:
    assert not is_signed_by(MESSAGE, key_hex=KEY, sig_hex=hexadecimal)


@pytest.mark.parametrize("hexadecimal", ["", "00", "zz" * 32, KEY[:-1], KEY + "00", KEY + "\n", " " + KEY[1:]])
def test_a_key_that_is_not_32_bytes_of_hex_is_a_no(hexadecimal: str) -> None:
    assert not is_signed_by(MESSAGE, key_hex=hexadecimal, sig_hex=SIGNATURE)


def test_upper_case_is_another_spelling_and_a_no() -> None:
    assert not is_signed_by(MESSAGE, key_hex=KEY.upper(), sig_hex=SIGNATURE)
    assert not is_signed_by(MESSAGE, key_hex=KEY, sig_hex=SIGNATURE.upper())


def test_a_signature_has_one_value_and_adding_the_group_order_is_a_no() -> None:
    signature = bytes.fromhex(SIGNATURE)
    same = int.from_bytes(signature[32:], "little") + GROUP_ORDER

    assert not is_signed_by(MESSAGE, key_hex=KEY, sig_hex=(signature[:32] + same.to_bytes(32, "little")).hex())


@pytest.mark.parametrize("key", ["ff" * 32, "02" + "00" * 31])
def test_a_key_that_is_no_point_of_the_curve_is_a_no(key: str) -> None:
    assert not is_signed_by(MESSAGE, key_hex=key, sig_hex=SIGNATURE)


@pytest.mark.parametrize("sign", [0x00, 0x80])
@pytest.mark.parametrize(
    "key",
    [
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000000",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    ],
)
def test_a_key_of_small_order_under_which_anyone_can_sign_is_a_no(key: str, sign: int) -> None:
    point = bytes.fromhex(key)
    signed_key = (point[:-1] + bytes([point[-1] | sign])).hex()
    forgery = "01" + "00" * 63

    assert not any(is_signed_by(b"%d" % number, key_hex=signed_key, sig_hex=forgery) for number in range(64))


def flip(octets: bytes, place: int) -> bytes:
    changed = bytearray(octets)
    changed[place // 8] ^= 1 << place % 8
    return bytes(changed)
