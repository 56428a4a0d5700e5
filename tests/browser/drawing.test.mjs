// Automata drawn from nothing: with the mouse, with the keyboard, in the list, and with a finger.
import { assert, assertEqual } from "./context.mjs";
import { box, choose, empty, first, focused, link, model, node, shared, undone, written } from "./draw.mjs";
import { at, getText, setText } from "./steps.mjs";

async function name(page, text) {
  await page.locator(`${at("edit-card")} input`).fill(text);
  await page.click(at("accept"));
  await page.waitForSelector(at("edit-card"), { state: "detached" });
}

const ways = {
  mouse: (page, selector) => page.click(selector),
  finger: (page, selector) => page.tap(selector),
  async keyboard(page, selector) {
    await page.locator(selector).focus();
    await page.keyboard.press("Enter");
  },
};

/** A property of what was drawn is asked for and run; the link has the model, its places and the verdict. */
async function concluded(context, page, way, [property, verdict]) {
  const press = ways[way];
  await page.locator(at("property")).focus();
  await page.keyboard.type(property);
  await press(page, at("run"));
  // On a phone, the verdict is on another panel.
  if (way === "finger") await press(page, `.phone-tabs button:text-is("View")`);
  await page.waitForSelector(at("verdict"), { timeout: 20_000 });
  assertEqual(await page.locator(`${at("verdict")} strong`).innerText(), verdict, property);
  await context.screenshot(page, `drawn-${way}`);
  await shared(context, page, (selector) => press(page, selector));
}

/** A lock from nothing, with the mouse only. */
async function mouse(context) {
  const page = await empty(context, "new-automaton");
  await page.click(at("first-location"));
  await name(page, "open");
  await written(page, "init loc open");
  // A double click where nothing is.
  const drawing = await box(page, at("cfa"));
  await page.mouse.dblclick(drawing.x + drawing.width - 90, drawing.y + drawing.height - 50);
  await name(page, "closed");
  await written(page, "loc closed");
  await written(page, "// layout closed ");
  // From the handle of one to the other.
  await link(page, "open", "closed");
  await page.click(at("accept"));
  await written(page, "open -> closed");
  // To where nothing is: a new location.
  await link(page, "closed", { x: drawing.x + 60, y: drawing.y + drawing.height - 40 });
  await written(page, "closed -> l1");
  await page.waitForSelector(node("l1"));
  // A click does not move the drawing, so that a double click meets one thing.
  const before = await box(page, at("cfa"));
  await page.locator(node("l1")).click();
  await page.waitForSelector(`${model} ${at("show-selection")}`);
  assertEqual(await box(page, at("cfa")), before, "the place of the drawing");
  // It gets another name and a role.
  await page.locator(node("l1")).dblclick();
  await name(page, "broken");
  await written(page, "closed -> broken");
  await page.locator(node("broken")).dblclick();
  await page.click(`${at("edit-card")} button >> text="error"`);
  await written(page, "error loc broken");
  // What it says is a model.
  await page.click(at("run"));
  await page.waitForSelector(at("verdict"), { timeout: 20_000 });
  assertEqual(await page.locator(`${at("verdict")} strong`).innerText(), "Violated");
  assertEqual((await getText(page)).replace(/\n\/\/ layout[^]*/, ""), LOCK, "what is drawn, without places");
  await concluded(context, page, "mouse", ["deadlock-free", "Holds"]);
  // An end of an edge is dragged to another location.
  await page.locator(`${at("cfa")} .edge[data-from=l1]`).click();
  await page.waitForSelector(`${at("cfa")} .grip.of-target`);
  const grip = await box(page, `${at("cfa")} .grip.of-target`);
  const open = await box(page, node("open"));
  await page.mouse.move(grip.x + grip.width / 2, grip.y + grip.height / 2);
  await page.mouse.down();
  await page.mouse.move(open.x + open.width / 2, open.y + open.height / 2, { steps: 6 });
  await page.mouse.up();
  await written(page, "closed -> open");
  // All of it is undone.
  await undone(page, 14);
}

/** The same with the keyboard only, and what is refused. */
async function keyboard(context) {
  const page = await empty(context, "new-automaton");
  await first(page);
  await written(page, "init loc start");
  await page.waitForFunction(() => document.activeElement?.dataset.key === "l0");
  await page.keyboard.press("Control+ArrowDown");
  await written(page, "start -> l1");
  await page.waitForFunction(() => document.activeElement?.dataset.key === "l1");
  await page.keyboard.press("F2");
  const field = page.locator(`${at("edit-card")} input`);
  await field.fill("start");
  await page.keyboard.press("Enter");
  await page.waitForSelector(at("refused"));
  assert((await page.locator(at("refused")).innerText()).includes("already"), "a name that exists is refused at the place");
  await field.fill("while 1");
  await page.keyboard.press("Enter");
  await page.waitForFunction((refused) => document.querySelector(refused)?.innerText.includes("cannot be a name"), at("refused"));
  await field.fill("bad");
  await page.keyboard.press("Enter");
  await written(page, "start -> bad");
  await page.waitForFunction(() => document.activeElement?.dataset.key === "l1");
  // A loop, with a statement that cannot be read at first.
  await page.keyboard.press("c");
  await page.selectOption(choose("to"), { label: "bad" });
  await page.locator(`${at("edit-card")} textarea`).fill("assume");
  await page.keyboard.press("Enter");
  await page.waitForSelector(at("refused"));
  // A variable in between; what was typed is still there.
  await page.locator(`${at("edit-card")} textarea`).fill("x := 1");
  await page.click(at("new-variable"));
  await page.locator(`${at("edit-card")} input`).fill("x : int");
  await page.keyboard.press("Enter");
  await written(page, "var x : int");
  await page.waitForSelector(`${at("edit-card")} textarea`);
  assertEqual(await page.locator(`${at("edit-card")} textarea`).inputValue(), "x := 1");
  assertEqual(await page.locator(at("refused")).count(), 0, "refusals of what was typed before");
  await page.keyboard.press("Escape");
  await page.waitForSelector(at("edit-card"), { state: "detached" });
  const text = await getText(page);
  assert(!text.includes("bad -> bad"), "an edge that is refused is not written");
  await page.locator(node("bad")).focus();
  await page.keyboard.press("Delete");
  await page.waitForSelector(node("bad"), { state: "detached" });
  assert(!(await getText(page)).includes("bad"), "the location and its edge are deleted");
  await concluded(context, page, "keyboard", ["deadlock-free", "Violated"]);
}

/** What is drawn with the mouse, without places, and what the list builds. */
const LOCK = `main process automaton {
    init loc open
    loc closed
    error loc broken

    open -> closed
    closed -> broken
}
`;

/** A script that uses the list only builds the same model. */
async function sameInList(context) {
  const page = await empty(context, "new-automaton");
  await page.click(at("first-location"));
  await name(page, "open");
  await page.waitForSelector(node("open"));
  await page.click(`${model} ${at("as-list")}`);
  for (const [from, fresh, called] of [[0, 1, "closed"], [1, 2, "broken"]]) {
    await page.locator(`${model} [role=treeitem][data-key=l${from}]`).focus();
    await page.keyboard.press("Control+ArrowDown");
    await focused(page, `l${fresh}`);
    await page.keyboard.press("F2");
    await page.locator(`${at("edit-card")} input`).fill(called);
    await page.keyboard.press("Enter");
    await written(page, `-> ${called}`);
    await page.waitForSelector(at("edit-card"), { state: "detached" });
    await focused(page, `l${fresh}`);
  }
  await page.keyboard.press("F2");
  await page.click(`${at("edit-card")} button >> text="error"`);
  await written(page, "error loc broken");
  assertEqual(await getText(page), LOCK, "the automaton of the list");
}

/** The list is an equal editor. */
async function list(context) {
  const page = await empty(context, "new-automaton");
  await page.click(at("first-location"));
  await name(page, "start");
  await page.waitForSelector(node("start"));
  await page.click(`${model} ${at("as-list")}`);
  const item = (key) => page.locator(`${model} [role=treeitem][data-key=${key}]`);
  await item("l0").focus();
  await page.keyboard.press("Control+ArrowDown");
  await written(page, "start -> l1");
  await page.waitForFunction(() => document.activeElement?.dataset.key === "l1");
  await page.keyboard.press("F2");
  await page.locator(`${at("edit-card")} input`).fill("bad");
  await page.keyboard.press("Enter");
  await written(page, "start -> bad");
  await item("l1").focus();
  await page.keyboard.press("F2");
  await page.click(`${at("edit-card")} button >> text="error"`);
  await written(page, "error loc bad");
  // An edge is edited from its location, or in the list.
  await page.locator(`${model} [role=treeitem] button[data-key=e0]`).focus();
  await page.keyboard.press("F2");
  await page.locator(`${at("edit-card")} textarea`).fill("assume 1 < 2");
  await page.keyboard.press("Enter");
  await written(page, "assume 1 < 2");
  await page.click(at("run"));
  await page.waitForSelector(at("verdict"), { timeout: 20_000 });
  assertEqual(await page.locator(`${at("verdict")} strong`).innerText(), "Violated");
}

/** On a phone: buttons in place of double clicks. */
async function phone(context) {
  const page = await empty(context, "new-automaton", { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await page.tap(at("first-location"));
  await name(page, "start");
  await page.waitForSelector(node("start"));
  await page.tap(`${model} ${at("new-location")}`);
  await name(page, "end");
  await page.waitForSelector(node("end"));
  await page.tap(node("start"));
  await page.tap(`${model} ${at("edit-selection")}`);
  await page.selectOption(choose("edge to"), { label: "end" });
  await page.tap(at("accept"));
  await written(page, "start -> end");
  await concluded(context, page, "finger", ["deadlock-free", "Violated"]);
}

/** What is searched for in a drawing is brought into view. */
async function search(context) {
  const { page } = await context.open();
  await page.waitForSelector(`${at("cfa")} .node`);
  const rows = Array.from({ length: 199 }, (_, i) => `    loc s${i + 1}\n    s${i >> 1} -> s${i + 1}`).join("\n");
  await setText(page, `main process big {\n    init loc s0\n${rows.split("\n").sort().join("\n")}\n}\n`);
  await page.waitForSelector(`${at("cfa")} .node:has(text:text-is("s0"))`);
  await page.locator(at("cfa")).focus();
  await page.keyboard.press("Control+f");
  await page.waitForFunction((find) => document.activeElement === document.querySelector(find), at("find"));
  await page.keyboard.type("S19");
  await page.waitForSelector(`${at("cfa")} .found`);
  assert((await page.locator(".finder").innerText()).includes("1 of 11"), "s19 and s190 to s199");
  await page.keyboard.press("Enter");
  await page.waitForSelector(`${at("cfa")} .node:has(text:text-is("s190"))`);
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => document.activeElement?.querySelector("text")?.textContent === "s190");
  assertEqual(await page.locator(at("find")).count(), 0, "the field after Escape");
}

const THREE = `main process m {
    var x : int
    init loc A
    loc B
    error loc C

    A -> B { x := 1 }
    B -> C { assume x > 1 }
    B -> B
}

// layout A 100 60
// layout B 300 60
// layout C 300 220
`;

const chosen = (page) => page.locator(`${at("cfa")} .node.related`).count();

async function three(context, options) {
  const { page } = await context.open(options);
  await page.waitForSelector(`${at("cfa")} .node`);
  await setText(page, THREE);
  await page.waitForSelector(node("C"));
  return page;
}

/** Several locations are chosen with a frame, moved, arranged, duplicated, and removed. */
async function several(context) {
  const page = await three(context);
  const drawing = await box(page, at("cfa"));
  const [b, c] = [await box(page, node("B")), await box(page, node("C"))];
  // Not over the labels of edges, which a drag would select.
  await page.keyboard.down("Shift");
  await page.mouse.move(b.x + b.width + 40, b.y - 12);
  await page.mouse.down();
  await page.mouse.move(c.x - 12, c.y + c.height + 12, { steps: 4 });
  await page.mouse.up();
  await page.keyboard.up("Shift");
  assertEqual(await chosen(page), 2, "locations within the frame");
  assertEqual(await box(page, at("cfa")), drawing, "the place of the drawing");
  // One is dragged, both move.
  await page.mouse.move(b.x + 8, b.y + b.height / 2);
  await page.mouse.down();
  await page.mouse.move(b.x + 48, b.y + b.height / 2, { steps: 4 });
  await page.mouse.up();
  await page.waitForFunction(() => !document.querySelector(".cm-content").cmTile.view.state.doc.toString().includes("layout B 300 "));
  const moved = await getText(page);
  const place = (name) => moved.match(new RegExp(`layout ${name} (-?\\d+) (-?\\d+)`)).slice(1).map(Number);
  assert(place("B")[0] > 310 && place("B")[0] === place("C")[0], `both moved: ${moved}`);
  assertEqual(place("A"), [100, 60], "the place of the other");
  // Shift and a click adds; the card has the rest.
  await page.locator(node("A")).click({ modifiers: ["Shift"] });
  assertEqual(await chosen(page), 3, "locations after a click with Shift");
  await page.click(`${model} ${at("edit-selection")}`);
  await page.waitForSelector(at("edit-card"));
  await page.keyboard.press("Escape");
  await page.waitForSelector(at("edit-card"), { state: "detached" });
  await page.click(`${model} ${at("edit-selection")}`);
  await page.click(`${at("edit-card")} button >> text="in a row"`);
  await written(page, "// layout C");
  await page.waitForFunction(() => new Set(document.querySelector(".cm-content").cmTile.view.state.doc.toString().match(/\d+$/gm)).size === 1);
  await page.click(`${at("edit-card")} ${at("duplicate")}`);
  const twice = await written(page, "A2 -> B2 { x := 1 }");
  assert(twice.includes("loc C2") && !twice.includes("error loc C2"), "the copy is plain, since there is one error location");
  assertEqual(await chosen(page), 3, "the copies are chosen");
  await page.click(`${model} ${at("edit-selection")}`);
  await page.click(`${at("edit-card")} ${at("delete")}`);
  await page.waitForSelector(node("A2"), { state: "detached" });
  assert((await getText(page)).includes("loc A\n"), "the others stay");
}

/** From a handle to another location by two clicks. */
async function twoClicks(context) {
  const page = await three(context);
  await page.locator(node("A")).hover();
  await page.locator(`${node("A")} .handle`).click();
  await page.waitForSelector(`${at("edit-card")} >> text="New edge from A"`);
  await page.locator(node("C")).click();
  await page.waitForSelector(`${at("edit-card")} >> text="New edge A → C"`);
  await page.locator(`${at("edit-card")} textarea`).fill("x := 7");
  await page.click(at("accept"));
  await written(page, "A -> C { x := 7 }");
}

/** Copying, cutting and pasting, also from the text. */
async function clipboard(context) {
  const page = await three(context);
  await page.locator(node("A")).click();
  await page.locator(node("B")).click({ modifiers: ["Shift"] });
  await page.keyboard.press("Control+c");
  await page.keyboard.press("Control+v");
  const text = await written(page, "A2 -> B2 { x := 1 }");
  assert(text.includes("// layout A2 140 100"), `pasted aside: ${text}`);
  await page.keyboard.press("Control+x");
  await page.waitForSelector(node("A2"), { state: "detached" });
  await page.keyboard.press("Control+v");
  await written(page, "A2 -> B2 { x := 1 }");
  // Into an empty automaton.
  const all = await getText(page);
  await setText(page, "");
  await page.locator(at("first-location")).focus();
  await page.keyboard.press("Control+v");
  await written(page, "init loc A2");
  await setText(page, all);
  await page.waitForSelector(node("C"));
  await page.locator(node("A")).click();
  // Text that is no part of an automaton is refused.
  await page.evaluate(() => {
    const data = new DataTransfer();
    data.setData("text/plain", "x + 1");
    document.activeElement.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
  });
  await page.waitForSelector(`text=the clipboard has no locations of an automaton`);
  // Nothing is chosen in another model.
  await page.locator(node("A")).click({ modifiers: ["Shift"] });
  await setText(page, (await getText(page)).replace("loc B2", "loc B2\n    loc Late"));
  await page.waitForSelector(node("Late"));
  assertEqual(await page.locator(`${node("Late")}.related`).count(), 0, "a location that was typed is not chosen");
  await page.click(at("open-gallery"));
  await page.locator(`${at("gallery")} .example`).nth(1).click();
  await page.waitForSelector(node("A"), { state: "detached" });
  assertEqual(await chosen(page), 0, "chosen locations of another model");
}

/** One Tab stop; the arrows lead from node to node and along edges, and M moves. */
async function walk(context) {
  const page = await three(context);
  await page.locator(at("cfa")).focus();
  await page.keyboard.press("Enter");
  await focused(page, "l0");
  await page.keyboard.press("ArrowRight");
  await focused(page, "l1");
  await page.keyboard.press("ArrowDown");
  await focused(page, "l2");
  await page.keyboard.press("ArrowUp");
  await focused(page, "l1");
  await page.keyboard.press("Alt+ArrowRight");
  await focused(page, "e1");
  await page.keyboard.press("ArrowDown");
  await focused(page, "e2");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Alt+ArrowRight");
  await focused(page, "l2");
  await page.keyboard.press("Alt+ArrowLeft");
  await focused(page, "e1");
  // An edge is edited in the drawing.
  await page.keyboard.press("F2");
  await page.locator(`${at("edit-card")} textarea`).fill("assume x > 2");
  await page.keyboard.press("Enter");
  await written(page, "assume x > 2");
  await page.waitForSelector(at("edit-card"), { state: "detached" });
  await page.keyboard.press("Enter");
  await page.keyboard.press("ArrowDown");
  await page.locator(node("C")).focus();
  await page.keyboard.press("m");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Shift+ArrowDown");
  await page.keyboard.press("Enter");
  await written(page, "// layout C 320 221");
  // The text is read before it is moved again.
  await page.waitForTimeout(500);
  await page.locator(node("C")).focus();
  await page.keyboard.press("m");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Escape");
  await page.waitForTimeout(100);
  assert((await getText(page)).includes("// layout C 320 221"), "Escape puts it back");
  // Edges cannot be moved.
  await page.keyboard.press("Alt+ArrowLeft");
  await focused(page, "e1");
  await page.keyboard.press("m");
  await page.keyboard.press("Alt+ArrowRight");
  await focused(page, "l2");
  // Several by keyboard.
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.press("Control+a");
  assertEqual(await chosen(page), 3, "all locations");
  await page.keyboard.press("Control+d");
  await written(page, "loc C2");
  // The copies are chosen when they are drawn.
  await page.waitForTimeout(500);
  await page.keyboard.press("Escape");
  await page.waitForTimeout(100);
  assertEqual(await chosen(page), 0, "locations after Escape");
}

/** A location that is renamed in the text keeps its place; one that is added does not get it. */
async function renamed(context) {
  const page = await three(context);
  await setText(page, THREE.replaceAll(/\bB\b(?= |\n)/g, "Bee").replace("layout Bee", "layout B"));
  const text = await written(page, "// layout Bee 300 60");
  assert(!text.includes("layout B "), "the line of the old name is gone");
  await setText(page, text.replace("loc Bee", "loc Bee\n    loc New"));
  await page.waitForSelector(node("New"));
  await page.waitForTimeout(300);
  assert(!(await getText(page)).includes("layout New"), "a new location gets no place");
}

/** While the text has errors, its drawing is marked and cannot be edited. */
async function stale(context) {
  const { page } = await context.open();
  await page.waitForSelector(`${at("cfa")} .node`);
  await setText(page, `${await getText(page)}\n#`);
  await page.waitForSelector(`${model} .edited.stale`);
  await page.locator(`${at("cfa")} .node`).first().dblclick();
  await page.waitForTimeout(200);
  assertEqual(await page.locator(at("edit-card")).count(), 0, "cards while the text has errors");
}

/** axe-core, with the cards of a location, of an edge and of a refused name. */
async function access(context, colorScheme) {
  const { page } = await context.open({ colorScheme, bypassCSP: true });
  await page.waitForSelector(`${at("cfa")} .node`);
  await page.locator(`${at("cfa")} .node`).nth(1).dblclick();
  await context.checkAccess(page);
  await page.locator(`${at("edit-card")} input`).fill("loc");
  await page.click(at("accept"));
  await page.waitForSelector(at("refused"));
  await context.checkAccess(page);
  await page.click(`${at("edit-card")} ${at("edge")}`);
  await page.waitForSelector(`${at("edit-card")} textarea`);
  await context.checkAccess(page);
}

export const tests = [
  { name: "an automaton is drawn with the mouse", run: mouse },
  { name: "an automaton is drawn with the keyboard", run: keyboard },
  { name: "an automaton is drawn in its list", run: list },
  { name: "the list builds the same automaton as the mouse", run: sameInList },
  { name: "an automaton is drawn on a phone", run: phone },
  { name: "an edge is drawn by two clicks", run: twoClicks },
  { name: "what is searched for is brought into view", run: search },
  { name: "several locations are moved, arranged, duplicated and removed", run: several },
  { name: "locations are copied, cut and pasted", run: clipboard },
  { name: "a location that is renamed in the text keeps its place", run: renamed },
  { name: "the arrows lead through a drawing", run: walk },
  { name: "no axe-core violation while editing, light", run: (context) => access(context, "light") },
  { name: "no axe-core violation while editing, dark", run: (context) => access(context, "dark") },
  { name: "the drawing of a text with errors cannot be edited", run: stale },
];
