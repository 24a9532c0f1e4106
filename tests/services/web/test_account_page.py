"""The page of an account: other devices by a link, the way back by a code, and no secret in reach of a script."""

from playwright.async_api import Browser, Page, expect

from tests.services.web.axe import find_serious

SIGN_UP = "import('/web/seat/account.js').then(({ signUp }) => signUp('Ada'))"
# Everything that a script of the page could read.
REACHABLE = """async () => {
  const opening = indexedDB.open("spina", 1);
  await new Promise((resolve) => (opening.onsuccess = resolve));
  const asked = opening.result.transaction("accounts").objectStore("accounts").getAll();
  await new Promise((resolve) => (asked.onsuccess = resolve));
  return JSON.stringify([document.cookie, { ...localStorage }, { ...sessionStorage }, asked.result]);
}"""


async def open_account(page: Page, url: str) -> None:
    await page.goto(f"{url}/account")
    await expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    await page.evaluate(SIGN_UP)
    await page.reload()


async def test_an_account_goes_on_with_another_device_and_comes_back_from_paper(
    served: str, browser: Browser, page: Page, axe: str
) -> None:
    await open_account(page, served)
    await page.get_by_label("Your name").fill("Augusta")
    await page.get_by_role("button", name="Rename").click()
    await expect(page.get_by_text("You are shown as Augusta")).to_be_visible()
    await page.get_by_role("button", name="Make a link").click()
    await expect(page.get_by_role("img", name="Picture code")).to_be_visible()
    link = await page.locator(".shown-once").inner_text()
    await page.get_by_role("button", name="Make a recovery code").click()
    await expect(page.locator(".shown-once")).to_have_count(2)
    code = await page.locator(".shown-once").first.inner_text()
    faults = await find_serious(page, axe)
    reachable = await page.evaluate(REACHABLE)

    second, third = [await (await browser.new_context()).new_page() for _ in range(2)]
    await second.goto(link)
    await second.get_by_role("button", name="Sign in").click()
    await expect(second.get_by_label("Your name")).to_have_value("Augusta")
    await third.goto(f"{served}/account")
    await third.get_by_label("Code").fill(code)
    await third.get_by_role("button", name="Sign in").click()
    await expect(third.locator(".doors li")).to_have_count(3)
    await second.get_by_role("button", name="Close all others").click()
    await expect(second.locator(".doors li")).to_have_count(1)
    await third.reload()

    assert faults == []
    assert "spina_" not in reachable
    assert "Augusta" in reachable
    assert "code=" not in second.url
    await expect(third.get_by_role("heading", name="Sign in")).to_be_visible()


async def test_a_store_that_the_browser_closed_is_opened_again(served: str, page: Page) -> None:
    await page.goto(f"{served}/account")
    keep = "value => import('/web/seat/store.js').then(({ keep }) => keep('commands', 'one', value))"
    await page.evaluate(keep, "before")
    browser = await page.context.new_cdp_session(page)
    await browser.send("Storage.clearDataForOrigin", {"origin": served, "storageTypes": "indexeddb"})

    await page.evaluate(keep, "after")

    found = await page.evaluate("import('/web/seat/store.js').then(({ find }) => find('commands', 'one'))")
    assert found == "after"
