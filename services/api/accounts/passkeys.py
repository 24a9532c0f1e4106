"""Passkeys (WebAuthn): a browser makes one for its account, and signs in by it. No attestation is asked for.

A challenge is a ticket: random, good once and for some minutes, on any process, and bound to the caller who asked.
"""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

import webauthn
from litestar import Request, Response, post
from litestar.datastructures import State
from litestar.exceptions import NotAuthorizedException
from litestar.handlers import HTTPRouteHandler
from litestar.params import RawBody
from msgspec import Struct
from webauthn.helpers import base64url_to_bytes, options_to_json_dict, parse_client_data_json
from webauthn.helpers.exceptions import InvalidJSONStructure
from webauthn.helpers.structs import AuthenticatorSelectionCriteria, ResidentKeyRequirement, UserVerificationRequirement

from domain.accounts.token import Passkey
from services.api.accounts.players import show_account
from services.api.accounts.sessions import SignedIn, answer_session
from services.api.games.live import find_parts
from services.api.http.authentication import count_network, find_key, identify, require_scope
from services.api.http.bodies import BodyReader, FieldRefused
from services.api.http.documented import BODY_REFUSALS, COMMAND_REFUSALS, TOKEN_IGNORED, answers, takes
from services.api.http.examples import SIGNED_IN_EXAMPLE
from services.api.http.guarding import find_network
from services.api.http.rates import SIGN_INS
from services.api.http.session_cookies import name_device, require_page
from services.reading.access import Caller

# A person looks for the phone and puts a finger on it.
CHALLENGE_S = 300
PRESENT = UserVerificationRequirement.PREFERRED


class NoBody(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Nothing is needed."""


class PasskeyBody(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A `PublicKeyCredential` as its `toJSON()` writes it."""

    credential: dict[str, Any]


class PasskeyOptions(Struct, frozen=True, kw_only=True):
    """For `PublicKeyCredential.parseCreationOptionsFromJSON` or `parseRequestOptionsFromJSON`."""

    options: dict[str, Any]


class PasskeyAdded(Struct, frozen=True, kw_only=True):
    """The name in the list of tokens."""

    name: str


_NOTHING = BodyReader[NoBody](NoBody)
_PASSKEY = BodyReader[PasskeyBody](PasskeyBody)
_OPTIONS_EXAMPLE = {"options": {"challenge": "c2hvd24tb25jZQ", "rpId": "games.example.org", "timeout": 60000}}
_CREDENTIAL_EXAMPLE = {"credential": {"id": "AQID", "rawId": "AQID", "type": "public-key", "response": {}}}
_NO_STORE = {"cache-control": "no-store"}


@post(
    "/v1/account/passkeys/options",
    operation_id="begin_passkey",
    summary="Begin to make a passkey",
    description="The options go to `navigator.credentials.create` of a browser.",
    tags=["account"],
    operation_class=takes(NoBody, {}),
    responses=answers(PasskeyOptions, _OPTIONS_EXAMPLE, status=201, refusals=COMMAND_REFUSALS, said="Options"),
)
async def begin_passkey(request: Request[object, object, State], body: RawBody) -> Response[PasskeyOptions]:
    parts, live = find_parts(request)
    caller = await identify(request, parts)
    require_scope(caller, "account")
    _NOTHING.read(body)
    account = await show_account(parts.people, caller)
    if account.id is None or account.name is None:
        raise FieldRefused(place="$", message="expected an account with a name, found the operator's")
    options = webauthn.generate_registration_options(
        rp_id=_host(request),
        rp_name="Spina",
        user_name=account.name,
        user_id=UUID(account.id).bytes,
        challenge=(await live.tickets.issue(caller, life_s=CHALLENGE_S, use="passkey")).encode(),
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.REQUIRED, user_verification=PRESENT
        ),
    )
    return Response(PasskeyOptions(options=options_to_json_dict(options)), headers=_NO_STORE)


@post(
    "/v1/account/passkeys",
    operation_id="add_passkey",
    summary="Store a passkey",
    description="From now on it signs browsers in. It is listed and revoked with the tokens.",
    tags=["account"],
    operation_class=takes(PasskeyBody, _CREDENTIAL_EXAMPLE),
    responses=answers(
        PasskeyAdded, {"name": "Passkey of Firefox on Linux"}, status=201, refusals=COMMAND_REFUSALS, said="Stored"
    ),
)
async def add_passkey(request: Request[object, object, State], body: RawBody) -> PasskeyAdded:
    parts, _ = find_parts(request)
    caller = await identify(request, parts)
    require_scope(caller, "account")
    credential = _PASSKEY.read(body).credential
    challenge, asked = await _redeem(request, credential)
    try:
        made = webauthn.verify_registration_response(
            credential=credential,
            expected_challenge=challenge,
            expected_rp_id=_host(request),
            expected_origin=_origins(request),
        )
    except Exception:  # noqa: BLE001  the library reads a stranger's bytes: any complaint is a refusal
        raise _refused() from None
    name = f"Passkey of {name_device(request)}"
    passkey = Passkey(public_key=made.credential_public_key, sign_count=made.sign_count)
    if asked.account != caller.account or not await parts.people.passkeys.add(
        find_key(request), made.credential_id, passkey, name=name
    ):
        raise _refused()
    return PasskeyAdded(name=name)


@post(
    "/v1/sessions/passkey/options",
    operation_id="begin_sign_in",
    summary="Begin to sign in by a passkey",
    description="The options go to `navigator.credentials.get` of a browser.",
    tags=["account"],
    operation_class=takes(NoBody, {}, needed=TOKEN_IGNORED),
    responses=answers(PasskeyOptions, _OPTIONS_EXAMPLE, status=201, refusals=(403, *BODY_REFUSALS), said="Options"),
)
async def begin_sign_in(request: Request[object, object, State], body: RawBody) -> Response[PasskeyOptions]:
    parts, live = find_parts(request)
    require_page(request)
    _NOTHING.read(body)
    await parts.rates.spend(SIGN_INS, find_network(request.scope))
    challenge = await live.tickets.issue(Caller(), life_s=CHALLENGE_S, use="passkey")
    options = webauthn.generate_authentication_options(
        rp_id=_host(request), challenge=challenge.encode(), user_verification=PRESENT
    )
    return Response(PasskeyOptions(options=options_to_json_dict(options)), headers=_NO_STORE)


@post(
    "/v1/sessions/passkey",
    operation_id="sign_in_by_passkey",
    summary="Sign a browser in by a passkey",
    description="The session comes in a cookie. A challenge is good once.",
    tags=["account"],
    operation_class=takes(PasskeyBody, _CREDENTIAL_EXAMPLE, needed=TOKEN_IGNORED),
    responses=answers(SignedIn, SIGNED_IN_EXAMPLE, status=201, refusals=(403, *BODY_REFUSALS), said="Signed in"),
)
async def sign_in_by_passkey(request: Request[object, object, State], body: RawBody) -> Response[SignedIn]:
    parts, _ = find_parts(request)
    require_page(request)
    await count_network(request, parts)
    credential = _PASSKEY.read(body).credential
    challenge, asked = await _redeem(request, credential)
    if asked.account is not None:
        # Issued to an account that stores a passkey.
        raise _refused()
    id_ = _read_bytes(credential, "rawId")
    known = await parts.people.passkeys.find(id_)
    if known is None:
        raise _refused()
    try:
        signed = webauthn.verify_authentication_response(
            credential=credential,
            expected_challenge=challenge,
            expected_rp_id=_host(request),
            expected_origin=_origins(request),
            credential_public_key=known.public_key,
            credential_current_sign_count=known.sign_count,
        )
    except Exception:  # noqa: BLE001  the library reads a stranger's bytes: any complaint is a refusal
        raise _refused() from None
    token = await parts.people.passkeys.open_session(id_, sign_count=signed.new_sign_count, name=name_device(request))
    login = None if token is None else await parts.people.tokens.find(token)
    if token is None or login is None:
        raise _refused()
    return await answer_session(request, parts.people, login.account, token)


PASSKEY_ROUTES: Sequence[HTTPRouteHandler] = (begin_passkey, add_passkey, begin_sign_in, sign_in_by_passkey)


async def _redeem(request: Request[object, object, State], credential: dict[str, Any]) -> tuple[bytes, Caller]:
    """Return the challenge that a credential answers, and who asked for it; it is used up by that."""
    _, live = find_parts(request)
    try:
        challenge = parse_client_data_json(_read_bytes(credential["response"], "clientDataJSON")).challenge
        ticket = challenge.decode()
    except (KeyError, TypeError, UnicodeDecodeError, InvalidJSONStructure):
        raise _refused() from None
    asked = await live.tickets.redeem(ticket, use="passkey")
    if asked is None:
        raise _refused()
    return challenge, asked


def _read_bytes(found: dict[str, Any], name: str) -> bytes:
    try:
        return base64url_to_bytes(found[name])
    except (KeyError, TypeError, ValueError, AttributeError):
        raise _refused() from None


def _refused() -> NotAuthorizedException:
    return NotAuthorizedException(detail="expected a passkey that answers the last challenge; found another")


def _host(request: Request[object, object, State]) -> str:
    # A browser asks an authenticator for its own host alone, and each signs for the host it was made for.
    return request.url.hostname or ""


def _origins(request: Request[object, object, State]) -> list[str]:
    """List the origins of this host. Browsers have no passkeys on plain http, but on the own machine."""
    return [f"https://{request.url.netloc}", f"http://{request.url.netloc}"]
