"""Notices on the page of an account: this browser by Web Push, choices, and the links of mails.

A browser without a window has no push service and shows no notification: both are made up here, and a subscription is
lost whenever the page is loaded again. The service worker is the real one.
"""

import asyncio
import json
import time
from typing import Any

from playwright.async_api import Browser, Page, expect

from services.notices.ways import AskedMail, WayVault
from tests.infra.test_web_push import AUTH, BROWSER
from tests.services.api.server import KEY
from tests.services.web.axe import find_serious
from tests.services.web.test_account_page import open_account

WAY = "0199c0de-0000-7000-8000-0000000000b0"
DAY_MS = 24 * 3_600_000
SUBSCRIBED = f"""(() => {{
  let own = null;
  const made = {{ endpoint: "https://push.example/1", keys: {{ p256dh: "{BROWSER}", auth: "{AUTH}" }} }};
  Object.defineProperty(Notification, "permission", {{ get: () => "granted" }});
  PushManager.prototype.getSubscription = async () => own;
  PushManager.prototype.subscribe = async () => (own = {{ toJSON: () => made, unsubscribe: async () => (own = null) }});
}})()"""
RECORDED = """() => {
  self.shown = new Promise((resolve) => {
    const notifications = [];
    ServiceWorkerRegistration.prototype.showNotification = async (title, { body, tag, data }) => {
      if (notifications.push({ title, body, tag, data }) && data === "/last") resolve(notifications);
    };
  });
}"""
OWN_WAY = "localStorage.getItem('spina-push')"
LAST = {"title": "Last", "text": "", "path": "/last"}


async def push(page: Page, url: str, *messages: dict[str, str]) -> Any:
    """Hand messages to the service worker as the browser does, decrypted, and return the notifications it shows."""
    (worker,) = page.context.service_workers
    await worker.evaluate(RECORDED)
    session = await page.context.new_cdp_session(page)
    registered: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    def on_registered(told: Any) -> None:
        if told["registrations"] and not registered.done():
            registered.set_result(told["registrations"][0]["registrationId"])

    session.on("ServiceWorker.workerRegistrationUpdated", on_registered)
    await session.send("ServiceWorker.enable")
    id_ = await registered
    for message in (*messages, LAST):
        asked = {"origin": url, "registrationId": id_, "data": json.dumps(message)}
        await session.send("ServiceWorker.deliverPushMessage", asked)
    shown = await worker.evaluate("() => self.shown")
    return shown[:-1]


async def test_a_browser_gets_notices_as_chosen_and_tells_nothing_that_its_page_shows(
    served: str, page: Page, axe: str
) -> None:
    await page.context.grant_permissions(["notifications"])
    await page.add_init_script(SUBSCRIBED)
    await open_account(page, served)

    await page.get_by_role("button", name="Tell me in this browser").click()
    way = page.locator(".doors li", has_text="this browser").first
    await expect(way).to_contain_text("Browser, push.example")
    async with page.expect_popup() as opened:
        await page.evaluate(f"() => void window.open('/games/{WAY}')")
    in_front = await opened.value
    await expect(in_front.get_by_role("navigation", name="More")).to_be_visible()
    key = WayVault(KEY).format_key("prove", str(await page.evaluate(OWN_WAY)))
    async with page.context.expect_event("response", lambda response: "answers" in response.url) as answered:
        await push(page, served, {"title": "Spina", "text": "", "path": "/account", "challenge": key})
    shown = await push(
        page,
        served,
        {"title": "Test", "text": "A test.", "path": "/account"},
        {"title": "Your turn", "text": "It is your turn.", "path": f"/games/{WAY}"},
        {"title": "Your turn", "text": "It is your turn.", "path": "/games/1"},
    )
    await way.get_by_text("Choices").click()
    await way.get_by_label("A game is over").uncheck()
    await way.get_by_label("Keep notices until").check()
    await way.get_by_label("From").fill("21:30")
    faults = await find_serious(page, axe)
    await way.get_by_role("button", name="Save").click()
    await expect(page.get_by_text("Saved for")).to_be_visible()
    await page.reload()
    await way.get_by_text("Choices: 9 of 10 kinds, quiet from 21:30 to 08:00").click()

    assert faults == []
    assert (await answered.value).status == 201
    assert shown == [
        {"title": "Test", "body": "A test.", "tag": "/account", "data": "/account"},
        {"title": "Your turn", "body": "It is your turn.", "tag": "/games/1", "data": "/games/1"},
    ]
    await expect(way.get_by_label("A game is over")).not_to_be_checked()
    await expect(way.get_by_label("It is my turn")).to_be_checked()
    await expect(way.get_by_label("From")).to_have_value("21:30")
    await way.get_by_role("button", name="Remove").click()
    await expect(page.get_by_role("button", name="Tell me in this browser")).to_be_visible()


async def test_the_switch_beside_a_seat_is_the_same_and_leaves_with_the_account(served: str, page: Page) -> None:
    await page.context.grant_permissions(["notifications"])
    await page.add_init_script(SUBSCRIBED)
    await open_account(page, served)
    # Modules beside those of the page: they do not know yet that this browser is signed in.
    await page.evaluate("import('/web/seat/account.js').then((account) => account.signIn())")
    await page.evaluate("import('/web/seat/alerts.js').then((of) => document.body.append(of.buildAlertChoices()))")
    switch, ways = page.get_by_label("Notification when this tab is hidden or closed"), page.locator(".doors").first

    await switch.check()
    await page.evaluate(f"async () => {{ while (!{OWN_WAY}) await new Promise(requestAnimationFrame); }}")
    await page.reload()
    await expect(ways).to_contain_text("this browser")
    await page.get_by_role("button", name="Sign out").click()
    await expect(page.get_by_role("heading", name="Sign in")).to_be_visible()

    assert await page.evaluate(OWN_WAY) is None


async def test_the_links_of_mails_do_nothing_before_a_click_and_need_no_account(
    served: str, browser: Browser, page: Page, axe: str
) -> None:
    await open_account(page, served)
    account = await page.evaluate("import('/web/parts/api.js').then(({ readAccount }) => readAccount())")
    until_ms = int(time.time() * 1_000) + DAY_MS
    vault = WayVault(KEY)
    asked = AskedMail(way=WAY, account=account["id"], address="ada@example.org", until_ms=until_ms)
    elsewhere = await (await browser.new_context()).new_page()

    await elsewhere.goto(f"{served}/account#mail={vault.seal_asked(asked)}")
    await page.reload()
    before = await page.get_by_text("ada@example.org").count()
    faults = await find_serious(elsewhere, axe)
    await elsewhere.get_by_role("button", name="Yes, send them").click()
    await expect(elsewhere.get_by_text("They come from now on")).to_be_visible()
    await page.reload()
    await expect(page.get_by_text("ada@example.org")).to_be_visible()
    await elsewhere.goto("about:blank")
    await elsewhere.goto(f"{served}/account#leave={vault.format_key('leave', WAY)}")
    await elsewhere.get_by_role("button", name="End them").click()
    await expect(elsewhere.get_by_text("Nothing is sent")).to_be_visible()
    await page.reload()

    assert before == 0
    assert faults == []
    assert "#" not in elsewhere.url
    await expect(page.get_by_role("button", name="Tell me in this browser")).to_be_visible()
    await expect(page.get_by_text("ada@example.org")).to_have_count(0)
