// Moving, zooming and pointing at drawings with a real mouse and with fingers.
import { assert, assertEqual } from "./context.mjs";
import { at, choose, decide, getText, setText } from "./steps.mjs";

/** Where an element is. */
const box = (page, selector) => page.locator(selector).first().boundingBox();

/** The number of nodes of a drawing whose centre is in view, and of all. */
function inView(page, name) {
  return page.evaluate((selector) => {
    const drawing = document.querySelector(selector);
    const panel = drawing.getBoundingClientRect();
    const nodes = [...drawing.querySelectorAll(".node")].map((node) => node.getBoundingClientRect());
    const seen = nodes.filter(({ x, y, width, height }) => {
      const [cx, cy] = [x + width / 2, y + height / 2];
      return cx > panel.left && cx < panel.right && cy > panel.top && cy < panel.bottom;
    });
    return [seen.length, nodes.length];
  }, at(name));
}

async function drag(context) {
  const { page } = await context.open();
  await decide(page);
  const drawing = await box(page, at("arg"));
  const [x, y] = [drawing.x + drawing.width - 60, drawing.y + 40];
  const before = await box(page, `${at("arg")} .node`);
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (let by = 10; by <= 100; by += 10) await page.mouse.move(x - by, y + by / 2);
  await page.mouse.up();
  await page.mouse.move(x, y);
  const after = await box(page, `${at("arg")} .node`);
  assert(Math.abs(before.x - after.x - 100) < 2 && Math.abs(after.y - before.y - 50) < 2, `moved by ${before.x - after.x}, ${after.y - before.y}`);
  await page.mouse.move(x, y);
  await page.mouse.wheel(0, -300);
  await page.waitForFunction(([selector, wide]) => document.querySelector(selector).getBoundingClientRect().width > 2 * wide, [`${at("arg")} .node`, after.width]);
}

/** Two fingers that move apart. */
async function pinch(context) {
  const { page } = await context.open({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await decide(page);
  await page.locator(at("arg")).waitFor();
  const drawing = await box(page, at("arg"));
  const before = await box(page, `${at("arg")} .node`);
  const session = await page.context().newCDPSession(page);
  const [x, y] = [drawing.x + drawing.width / 2, drawing.y + drawing.height / 3];
  const touch = (type, by) =>
    session.send("Input.dispatchTouchEvent", { type, touchPoints: type === "touchEnd" ? [] : [{ x: x - by, y, id: 1 }, { x: x + by, y, id: 2 }] });
  await touch("touchStart", 30);
  for (let by = 32; by <= 90; by += 4) await touch("touchMove", by);
  await touch("touchEnd", 0);
  await page.waitForFunction(
    ([selector, wide]) => document.querySelector(selector).getBoundingClientRect().width > 2 * wide,
    [`${at("arg")} .node`, before.width],
    { timeout: 3_000 },
  );
}

/** A new model is in view, wherever the drawing of the last one was. */
async function anotherModel(context) {
  const { page } = await context.open();
  for (const example of ["peterson", "plc-pump", "traffic-light", "producer-consumer", "fischer"]) {
    await choose(page, example);
    await page.waitForFunction((cfa) => document.querySelector(`${cfa} .node.is-initial`), at("cfa"));
    await page.waitForTimeout(100);
    assert((await inView(page, "cfa"))[0] > 0, `${example}: the drawing is blank`);
    await decide(page);
    assert((await inView(page, "cfa"))[0] > 0, `${example}: the drawing is blank after the run`);
  }
}

/** Fit shows all, however large, above the buttons. */
async function fitAll(context) {
  const { page } = await context.open();
  const locations = Array.from({ length: 160 }, (_none, i) => `loc l${i}`).join("\n");
  const edges = Array.from({ length: 160 }, (_none, i) => `s -> l${i} { x := ${i} }`).join("\n");
  await setText(page, `main process wide {\nvar x : int\ninit loc s\n${locations}\n${edges}\n}`);
  await page.waitForSelector(`${at("cfa")}[aria-label*="161 nodes"]`);
  await page.click(`${at("model-panel")} [aria-label="Fit the drawing"]`);
  await page.waitForFunction((cfa) => document.querySelectorAll(`${cfa} .node`).length === 161, at("cfa"));
  const [seen, all] = await inView(page, "cfa");
  assertEqual(seen, all, "nodes in view");
}

/** Escape closes the list of formats, and clears the search; the run goes on. */
async function escape(context) {
  const { page } = await context.open();
  await choose(page, "diverging");
  await page.click(at("run"));
  await page.waitForFunction((selector) => Number(document.querySelector(selector).textContent.split("/")[1]) > 300, at("counter"));
  await page.click(`${at("view-panel")} ${at("save-picture")}`);
  await page.waitForSelector("details.menu[open]");
  await page.keyboard.press("Escape");
  await page.waitForSelector("details.menu:not([open])");
  assertEqual(await page.locator("details.menu[open]").count(), 0, "the list is closed");
  await page.fill(at("find-node"), "n1");
  await page.locator(at("find-node")).press("Escape");
  assert(await page.locator(at("stop")).isVisible(), "the run goes on");
  await page.click(at("stop"));
}

/** What stands for the same thing is highlighted in all views. */
async function hover(context) {
  const { page } = await context.open();
  await decide(page);
  const node = page.locator(`${at("arg")} .node[data-about^="n"]`).first();
  const location = (await node.getAttribute("data-about")).split(" ")[1];
  await node.hover();
  await page.waitForSelector(`${at("cfa")} .node.hovered[data-about^="${location}"]`, { state: "attached" });
  assertEqual(await page.locator(`${at("arg")} .node.hovered`).count(), 1, "one node of the graph");
  await page.locator(`${at("cfa")} .node[data-about="${location}"]`).hover();
  const there = await page.locator(`${at("arg")} .node[data-about~="${location}"]`).count();
  await page.waitForFunction(([selector, count]) => document.querySelectorAll(selector).length === count, [`${at("arg")} .node.hovered`, there]);
}

/** The keyboard brings nodes into view. */
async function focus(context) {
  const { page } = await context.open();
  await decide(page);
  await page.locator(at("arg")).focus();
  await page.keyboard.press("Enter");
  for (let i = 0; i < 12; i += 1) await page.keyboard.press("ArrowUp");
  const inside = await page.evaluate((arg) => {
    const node = document.activeElement.getBoundingClientRect();
    const panel = document.querySelector(arg).getBoundingClientRect();
    const isNode = document.activeElement.matches(".node");
    return [isNode, node.top + node.height / 2 > panel.top && node.top + node.height / 2 < panel.bottom];
  }, at("arg"));
  assertEqual(inside, [true, true], "a node has the focus and is in view");
  // The drawing is one stop.
  await page.keyboard.press("Tab");
  const left = await page.evaluate((arg) => !document.activeElement.closest(arg), at("arg"));
  assert(left, "Tab leaves the drawing");
}

/** A node that is dragged is pinned in the text; that can be undone, and the run stays. */
async function pin(context) {
  const { page } = await context.open();
  await decide(page);
  const text = () => getText(page);
  const pinned = async (yes) => {
    while ((await text()).includes("// layout l1 ") !== yes) await page.waitForTimeout(30);
  };
  const [node, panel] = [`${at("cfa")} .node[data-key=l1]`, at("model-panel")];
  const [before, place] = [await text(), await box(page, node)];
  const centre = [place.x + place.width / 2, place.y + place.height / 2];
  await page.mouse.move(...centre);
  await page.mouse.down();
  for (let step = 1; step <= 6; step += 1) await page.mouse.move(centre[0] + 12 * step, centre[1] + 4 * step);
  const dragged = await box(page, node);
  assert(Math.abs(dragged.x - place.x - 72) < 9, `the node follows the pointer: ${dragged.x} after ${place.x}`);
  await page.mouse.up();
  await pinned(true);
  await page.waitForSelector(`${panel} ${at("tidy")}`);
  const stays = await box(page, node);
  assert(Math.abs(stays.x - dragged.x) < 2 && Math.abs(stays.y - dragged.y) < 2, "the node stays where it was dropped");
  assert(await page.locator(at("verdict")).isVisible(), "the verdict stays");
  assert(!(await page.locator(at("verdict")).innerText()).includes("before your changes"), "the run is current");
  await page.click(at("check-it"));
  await page.waitForSelector(`${at("checked")}[data-grade=checked]`);
  // At once again, from where it is.
  const once = await text();
  const from = await box(page, node);
  await page.mouse.move(from.x + 10, from.y + 10);
  await page.mouse.down();
  await page.mouse.move(from.x + 60, from.y + 10, { steps: 3 });
  await page.mouse.up();
  const again = await box(page, node);
  assert(Math.abs(again.x - from.x - 50) < 9, `it moves on from where it was: ${from.x}, ${again.x}`);
  // What is not yet in the text cannot be undone.
  while ((await text()) === once) await page.waitForTimeout(30);
  await page.keyboard.press("Control+z");
  await page.keyboard.press("Control+z");
  await pinned(false);
  assertEqual(await text(), before, "the text after undoing");
  // The same by keyboard.
  await page.locator(node).focus();
  await page.keyboard.press("Alt+Shift+ArrowRight");
  await pinned(true);
  assert(await page.locator(node).evaluate((node) => node === document.activeElement), "the node keeps the focus");
  await page.keyboard.press("Control+z");
  await pinned(false);
  await page.keyboard.press("Control+y");
  await page.click(`${panel} ${at("tidy")}`);
  await pinned(false);
  await page.waitForSelector(`${panel} ${at("tidy")}`, { state: "detached" });
}

/** The list of the graph follows the step. */
async function listedStep(context) {
  const { page } = await context.open();
  await decide(page);
  await page.click(at("tab-graph"));
  await page.click(`${at("view-panel")} ${at("as-list")}`);
  const now = `${at("view-panel")} [aria-current=step]`;
  const texts = new Set();
  await page.keyboard.press("Home");
  for (let step = 0; step < 30; step += 1) {
    await page.keyboard.press("ArrowRight");
    await page.waitForTimeout(60);
    const found = await page.evaluate((now) => {
      const [item] = document.querySelectorAll(now);
      if (!item) return null;
      const [inside, around] = [item.getBoundingClientRect(), item.closest(".scroll").getBoundingClientRect()];
      return [item.innerText, inside.top >= around.top - 1 && inside.bottom <= around.bottom + 1];
    }, now);
    if (!found) continue;
    assert(found[1], `the item of the step is out of view: ${found[0]}`);
    texts.add(found[0]);
  }
  assert(texts.size > 3, `the list marks only ${[...texts].join(" | ")}`);
}

/** Each drawing has a list; the button keeps the focus. */
async function lists(context) {
  const { page } = await context.open();
  await decide(page);
  const button = page.locator(`${at("model-panel")} ${at("as-list")}`);
  await button.focus();
  for (const selector of ["[role=tree]", at("cfa")]) {
    await page.keyboard.press("Enter");
    await page.waitForSelector(`${at("model-panel")} ${selector}`);
    assertEqual(await page.evaluate(() => document.activeElement.dataset.testid), "as-list", "the focus");
  }
}

export const tests = [
  { name: "a drawing follows the mouse and zooms by the wheel", run: drag },
  { name: "two fingers zoom", run: pinch },
  { name: "another model is in view", run: anotherModel, within: 180_000 },
  { name: "fit shows all of a large drawing", run: fitAll },
  { name: "Escape in a field or a menu does not stop the run", run: escape },
  { name: "the pointer highlights a thing in all views", run: hover },
  { name: "nodes with the focus are in view", run: focus },
  { name: "each drawing can be shown as a list", run: lists },
  { name: "a node that is dragged is pinned in the text", run: pin },
  { name: "the list of a graph follows the step", run: listedStep },
];
