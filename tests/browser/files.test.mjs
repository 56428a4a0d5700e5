// Files, and the models that the browser keeps on this machine.
import { assert, assertEqual } from "./context.mjs";
import { at, getText, setText } from "./steps.mjs";

const TEXT = "main process lock {\n    init loc open\n    loc closed\n    open -> closed\n}\n";

async function list(page) {
  await page.click(at("open-gallery"));
  await page.waitForSelector(`${at("kept")}, ${at("gallery")} .own p`);
  return page.locator(at("kept"));
}

/** What was written is there again after the page was closed, under its own address. */
async function kept(context) {
  const { page, server } = await context.open();
  await page.waitForSelector(`${at("cfa")} .node`);
  assertEqual(await (await list(page)).count(), 0, "kept models at first");
  await page.keyboard.press("Escape");
  await setText(page, TEXT);
  await page.waitForFunction(() => location.hash.length > 10);
  await page.waitForTimeout(300);
  const other = await page.context().newPage();
  await page.close();
  await other.goto(server.url);
  await context.ready(other);
  const entries = await list(other);
  assertEqual(await entries.count(), 1, "kept models");
  assert((await entries.first().innerText()).includes("lock.cfa"), "it has the model's name");
  await entries.first().click();
  await other.waitForFunction((text) => document.querySelector(".cm-content")?.cmTile?.view.state.doc.toString() === text, TEXT);
  // Another change is kept as the same model.
  await setText(other, TEXT.replaceAll("closed", "shut"));
  await other.waitForTimeout(900);
  const again = await list(other);
  assertEqual(await again.count(), 1, "kept models after another change");
  await other.click(at("duplicate-kept"));
  assertEqual(await again.count(), 2, "with a copy");
  await other.locator(at("delete-kept")).nth(1).click();
  await other.locator(at("delete-kept")).nth(1).click();
  await other.locator(at("delete-kept")).nth(0).click();
  await other.waitForTimeout(200);
  await other.keyboard.press("Escape");
  const last = await list(other);
  assertEqual(await last.count(), 1, "kept models after one was deleted");
  await last.first().click();
  await other.waitForFunction(() => document.querySelector(".cm-content").cmTile.view.state.doc.toString().includes("shut"));
}

/** Files: opened with a dialog or dropped, saved as a download where files cannot be written. */
async function files(context) {
  const { page } = await context.open();
  await page.waitForSelector(`${at("cfa")} .node`);
  await page.evaluate(() => {
    window.showOpenFilePicker = undefined;
    window.showSaveFilePicker = undefined;
  });
  const chosen = page.waitForEvent("filechooser");
  await page.keyboard.press("Control+o");
  await (await chosen).setFiles({ name: "door.cfa", mimeType: "text/plain", buffer: Buffer.from(TEXT) });
  await page.waitForFunction((text) => document.querySelector(".cm-content")?.cmTile?.view.state.doc.toString() === text, TEXT);
  const download = page.waitForEvent("download");
  await page.click(at("open-gallery"));
  await page.click(at("save-file"));
  assertEqual((await download).suggestedFilename(), "door.cfa");
  const drop = (name, content) =>
    page.evaluate(
      ([name, content]) => {
        const data = new DataTransfer();
        data.items.add(new File([new Uint8Array(content)], name));
        const target = document.querySelector(".cm-content");
        target.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
      },
      [name, [...Buffer.from(content, "latin1")]],
    );
  await drop("counter.aag", "aag 1 0 1 1 0\n2 3\n2\n");
  await page.waitForFunction(() => document.querySelector(".cm-content").cmTile.view.state.doc.toString().startsWith("aag 1"));
  await drop("picture.png", "\x89PNG\xff\xfe");
  await page.waitForSelector("text=picture.png is not a text file.");
  assert((await getText(page)).startsWith("aag 1"), "the model stays");
}

/** A file that can be written is written again without a dialog. */
async function written(context) {
  const { page } = await context.open();
  await page.waitForSelector(`${at("cfa")} .node`);
  await page.evaluate(() => {
    window.saved = [];
    const handle = { name: "mine.cfa", createWritable: async () => ({ write: async (text) => window.saved.push(text), close: async () => {} }) };
    window.asked = 0;
    window.showSaveFilePicker = async () => ((window.asked += 1), handle);
  });
  await setText(page, TEXT);
  await page.locator(".cm-content").focus();
  await page.keyboard.press("Control+s");
  await page.waitForFunction(() => window.saved.length === 1);
  await page.keyboard.press("Control+s");
  await page.waitForFunction(() => window.saved.length === 2);
  assertEqual(await page.evaluate(() => [window.asked, window.saved[1]]), [1, TEXT]);
}

/** Where nothing can be stored, the page says so and works. */
async function forbidden(context) {
  const { page } = await context.open();
  await page.waitForSelector(`${at("cfa")} .node`);
  await page.evaluate(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException("no", "SecurityError");
    };
  });
  await setText(page, TEXT);
  await page.waitForTimeout(900);
  await page.click(at("open-gallery"));
  await page.waitForSelector(at("not-kept"));
  assertEqual(await page.locator(".notice").count(), 0, "warnings while writing");
}

/** axe-core, with kept models. */
async function access(context, colorScheme) {
  const { page } = await context.open({ colorScheme, bypassCSP: true });
  await page.waitForSelector(`${at("cfa")} .node`);
  await setText(page, TEXT);
  await page.waitForTimeout(900);
  await list(page);
  await page.click(at("delete-kept"));
  await context.checkAccess(page);
}

export const tests = [
  { name: "a changed model is kept on this machine", run: kept },
  { name: "files are opened, dropped and saved", run: files },
  { name: "a file is written again", run: written },
  { name: "where nothing can be kept the page says so", run: forbidden },
  { name: "no axe-core violation with kept models, light", run: (context) => access(context, "light") },
  { name: "no axe-core violation with kept models, dark", run: (context) => access(context, "dark") },
];
