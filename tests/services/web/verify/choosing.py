"""How a person hands a bundle to a page: chosen by the field for files, or dropped anywhere."""

from playwright.async_api import FilePayload, Page

from domain.audit.bundle import Bundle, format_bundle

DROP = """
([name, octets]) => {
  const carried = new DataTransfer();
  carried.items.add(new File([Uint8Array.from(octets)], name));
  const options = { dataTransfer: carried, bubbles: true, cancelable: true };
  document.body.dispatchEvent(new DragEvent("dragover", options));
  document.body.dispatchEvent(new DragEvent("drop", options));
}
"""


async def choose(page: Page, bundle: Bundle) -> None:
    await choose_file(page, "game.spina.zip", format_bundle(bundle))


async def choose_file(page: Page, name: str, body: bytes) -> None:
    await choose_files(page, (name, body))


async def choose_files(page: Page, *files: tuple[str, bytes]) -> None:
    given: list[FilePayload] = [{"name": name, "mimeType": "application/zip", "buffer": body} for name, body in files]
    await page.get_by_label("choose one").set_input_files(given)


async def drop(page: Page, bundle: Bundle) -> None:
    await page.evaluate(DROP, ["game.spina.zip", list(format_bundle(bundle))])
