"""Passkeys in a real browser with an authenticator that Chromium plays: made, used to sign in, and revoked."""

from playwright.async_api import Page, expect

from tests.services.web.test_account_page import open_account
from tests.services.web.watching import WAIT_MS

AUTHENTICATOR = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


async def test_a_passkey_signs_in_until_it_is_closed(served: str, page: Page, complaints: list[str]) -> None:
    devtools = await page.context.new_cdp_session(page)
    await devtools.send("WebAuthn.enable")
    await devtools.send("WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR})
    await open_account(page, served.replace("127.0.0.1", "localhost"))
    await page.get_by_role("button", name="Make a passkey").click()
    await page.get_by_text("Made: Passkey of Chrome").wait_for(timeout=WAIT_MS)
    passkey = page.locator(".doors li", has_text="Passkey of")
    await expect(passkey).to_have_count(1)

    await page.get_by_role("button", name="Sign out").click()
    await page.get_by_role("button", name="Sign in with a passkey").click()
    await expect(page.get_by_label("Your name")).to_have_value("Ada")
    await passkey.get_by_role("button", name="Close").click()
    await expect(passkey).to_have_count(0)
    await page.get_by_role("button", name="Sign out").click()
    await page.get_by_role("button", name="Sign in with a passkey").click()

    await expect(page.get_by_role("alert")).to_contain_text("expected a passkey that answers the last challenge")
    # The refusal of the closed passkey, in the browser's own words.
    assert all("401" in complaint for complaint in complaints)
    complaints.clear()
