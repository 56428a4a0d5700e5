// Helpers for the tests that draw automata and nets.
import { assertEqual } from "./context.mjs";
import { at, getText } from "./steps.mjs";

export const model = at("model-panel");

/** The node that shows this name. */
export const node = (name) => `${at("cfa")} .node[data-key]:has(text:text-is("${name}"))`;

/** A list in the open card. */
export const choose = (label) => `${at("edit-card")} label:has(span:text-is("${label}")) select`;

export const box = (page, selector) => page.locator(selector).first().boundingBox();

/** Waits until the element with this key has the focus. */
export const focused = (page, key) => page.waitForFunction((key) => document.activeElement?.dataset.key === key, key);

/** A new model of this kind: nothing is drawn yet. */
export async function empty(context, kind, options) {
  const { page } = await context.open(options);
  await page.click(at("open-gallery"));
  await page.click(at(kind));
  await page.waitForSelector(at("first-location"));
  return page;
}

/** Draws the first node with the keyboard: a card opens for it, and is accepted as it is. */
export async function first(page) {
  await page.locator(at("first-location")).focus();
  await page.keyboard.press("Enter");
  await page.waitForFunction((card) => document.activeElement?.closest(card), at("edit-card"));
  await page.keyboard.press("Enter");
}

/** The text, once it has this line. */
export async function written(page, line) {
  const found = await page.waitForFunction(
    (line) => {
      const text = document.querySelector(".cm-content").cmTile.view.state.doc.toString();
      return text.includes(line) && text;
    },
    line,
    { timeout: 5_000 },
  );
  return found.jsonValue();
}

/** Draws a line from the handle of a node to another one, or to a place. */
export async function link(page, from, to) {
  const start = await box(page, node(from));
  await page.mouse.move(start.x + start.width / 2, start.y + start.height / 2);
  const handle = await box(page, `${node(from)} .handle`);
  await page.mouse.move(handle.x + handle.width / 2, handle.y + handle.height / 2);
  await page.mouse.down();
  const end = to.x === undefined ? await box(page, node(to)) : { ...to, width: 0, height: 0 };
  await page.mouse.move(end.x + end.width / 2, end.y + end.height / 2, { steps: 5 });
  await page.mouse.up();
}

/** The link of the page opens the same text, property and verdict in a fresh profile. */
export async function shared(context, page, press = (selector) => page.click(selector)) {
  await press(at("open-share"));
  const url = await page.inputValue(at("share-url"));
  const fresh = await context.newPage({ origins: [new URL(url).origin] });
  await fresh.goto(url);
  await context.ready(fresh);
  await fresh.waitForSelector(at("verdict"), { timeout: 20_000, state: "attached" });
  assertEqual(await getText(fresh), await getText(page), "the text in a fresh profile");
  const property = await page.inputValue(at("property"));
  assertEqual(await fresh.inputValue(at("property")), property, "the property in a fresh profile");
  await fresh.context().close();
  await page.keyboard.press("Escape");
}

/** Undoes until the text is empty, in at most so many steps. */
export async function undone(page, most) {
  for (let step = 0; step < most && (await getText(page)) !== ""; step += 1) {
    await page.locator("body").click({ position: { x: 5, y: 5 } });
    await page.keyboard.press("Control+z");
    await page.waitForTimeout(80);
  }
  assertEqual(await getText(page), "", "the text after undoing");
}
