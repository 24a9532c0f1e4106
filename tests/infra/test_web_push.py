"""Web Push messages, by the example of RFC 8291 and by receivers that are not ours."""

import http_ece  # type: ignore[import-untyped]  # it comes without types
import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from infra.keys import MasterKey
from infra.web_push import (
    CURVE,
    MESSAGE_BYTES_MAX,
    RECORD_BYTES,
    PushKeys,
    VapidKey,
    decode_text,
    encode_text,
    encrypt_push,
    parse_push_keys,
)

# RFC 8291, section 5 and appendix A.
MESSAGE = b"When I grow up, I want to be a watermelon"
SENDER = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
BROWSER = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
AUTH = "BTBZMqHH6r4Tts7J_aSIgg"
SALT = "DGv6ra1nlYgDCS1FRnbzlw"
BODY = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl"
    "7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
)
NOON_S = 1_795_003_200


def test_the_message_of_the_standard_is_encrypted_to_its_bytes() -> None:
    sender = ec.derive_private_key(int.from_bytes(decode_text(SENDER)), CURVE)

    body = encrypt_push(MESSAGE, parse_push_keys(BROWSER, AUTH), salt=decode_text(SALT), sender=sender)

    assert encode_text(body) == BODY


@pytest.mark.parametrize("size", [0, 1, MESSAGE_BYTES_MAX])
def test_a_browser_opens_a_message_of_every_size(size: int) -> None:
    browser, auth, message = ec.generate_private_key(CURVE), b"a" * 16, b"m" * size
    keys = PushKeys(public=browser.public_key(), auth=auth)

    body = encrypt_push(message, keys, salt=b"s" * 16, sender=ec.generate_private_key(CURVE))

    assert len(body) <= RECORD_BYTES
    assert http_ece.decrypt(body, private_key=browser, auth_secret=auth, version="aes128gcm") == message


@pytest.mark.parametrize(
    ("public", "auth"),
    [
        ("", AUTH),
        (BROWSER[:-1], AUTH),
        (BROWSER[:-1] + "A", AUTH),
        (BROWSER, ""),
        (BROWSER, AUTH[:-2]),
        (BROWSER, "é"),
        ("é", AUTH),
    ],
)
def test_keys_that_are_none_are_refused(public: str, auth: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        parse_push_keys(public, auth)


def test_a_push_service_knows_the_server_by_its_key_for_half_a_day() -> None:
    key = VapidKey(MasterKey(b"k" * 32))

    scheme, _, fields = key.authorize(
        "https://push.example:8443/a/b?c", contact="https://spina.example", now_s=NOON_S
    ).partition(" ")

    token, public = (part.partition("=")[2] for part in fields.split(", "))
    known = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, decode_text(public))
    claims = jwt.decode(
        token, known, algorithms=["ES256"], audience="https://push.example:8443", options={"verify_exp": False}
    )
    assert scheme == "vapid"
    assert public == key.public == VapidKey(MasterKey(b"k" * 32)).public != VapidKey(MasterKey(b"l" * 32)).public
    assert claims["sub"] == "https://spina.example"
    assert 0 < claims["exp"] - NOON_S <= 24 * 3600
