// Büchi automata on the page of formulas: drawn from nothing, compared with a formula, edited in text and drawing.
import { assert, assertEqual } from "./context.mjs";
import { at } from "./steps.mjs";
import { first } from "./draw.mjs";

const drawing = at("automaton");
const node = (name) => `${drawing} .node[data-key]:has(text:text-is("${name}"))`;
const card = at("edit-card");
const choose = (label) => `${card} label:has(span:text-is("${label}")) select`;
const text = (page, name) => page.locator(at(name)).innerText();
const says = (page, name, what) =>
  page.waitForFunction(([s, what]) => document.querySelector(s)?.textContent.includes(what), [at(name), what], { timeout: 8_000 });

async function open(context, { hash = "", ...options } = {}) {
  const server = await context.serve({});
  const page = await context.newPage({ origins: [server.origin], ...options });
  await page.goto(`${server.url}formula.html${hash}`);
  await context.ready(page);
  await page.waitForSelector(at("word"));
  return page;
}

/** The text of the automaton, once it has this part. */
async function written(page, part) {
  const found = await page.waitForFunction(
    (part) => {
      const text = document.querySelector(".cm-content")?.cmTile.view.state.doc.toString();
      return text?.includes(part) && text;
    },
    part,
    { timeout: 8_000 },
  );
  return found.jsonValue();
}

async function setText(page, text) {
  await page.evaluate((text) => {
    const { view } = document.querySelector(".cm-content").cmTile;
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
  }, text);
}

async function accept(page, field, value) {
  await page.locator(`${card} ${field}`).fill(value);
  await page.click(at("accept"));
  await page.waitForSelector(card, { state: "detached" });
}

/** Draws a line from the handle of a state to another one, or to a place. */
async function link(page, from, to) {
  const box = (selector) => page.locator(selector).first().boundingBox();
  const start = await box(node(from));
  await page.mouse.move(start.x + start.width / 2, start.y + start.height / 2);
  const handle = await box(`${node(from)} .handle`);
  await page.mouse.move(handle.x + handle.width / 2, handle.y + handle.height / 2);
  await page.mouse.down();
  const end = to.x === undefined ? await box(node(to)) : { ...to, width: 0, height: 0 };
  await page.mouse.move(end.x + end.width / 2, end.y + end.height / 2, { steps: 6 });
  await page.mouse.up();
}

/** The automaton of a response, with the mouse: included at first, then equal. */
async function mouse(context) {
  const page = await open(context);
  await page.click(`${drawing} >> xpath=.. >> button:text-is("drawn")`);
  await page.click(at("first-location"));
  await page.click(at("accept"));
  await written(page, "State: 0");
  await page.waitForSelector(node("q0"));
  // A loop, and its letters.
  await link(page, "q0", "q0");
  await accept(page, "textarea", "!request | answer");
  await written(page, "[!0 | 1] 0");
  await page.locator(node("q0")).dblclick();
  await page.click(`${card} ${at("accepting")}`);
  await written(page, "State: 0 {0}");
  await says(page, "compared", "Included");
  await page.click(at("tell-apart"));
  await says(page, "word-verdict", "rejects the word, but the word satisfies");
  // A second state where nothing is.
  const box = await page.locator(at("drawn")).boundingBox();
  await link(page, "q0", { x: box.x + box.width / 2 + 170, y: box.y + box.height / 2 + 20 });
  await written(page, "[t] 1");
  await page.waitForSelector(node("q1"));
  await page.locator(`${drawing} .edge[data-to=l1]`).dblclick();
  await accept(page, "textarea", "request & !answer");
  await link(page, "q1", "q1");
  await accept(page, "textarea", "!answer");
  await says(page, "compared", "Included");
  await link(page, "q1", "q0");
  await accept(page, "textarea", "answer");
  await says(page, "compared", "Equivalent");
  await says(page, "facts", "1 of the 55 of Dwyer, Avrunin and Corbett: s responds to p, globally (p is request, s is answer)");
  // Words are read in the drawing.
  await page.click(at("example-0"));
  await page.click(at("word-forward"));
  await page.waitForSelector(`${drawing} .node.is-active`);
  await page.waitForSelector(`${drawing} .edge.is-taken`);
  // The end of an edge is drawn to another state, and back by undoing.
  await page.locator(`${drawing} .edge[data-from=l1][data-to=l0]`).click();
  const grip = await page.locator(`${drawing} .grip.of-target`).boundingBox();
  const end = await page.locator(node("q1")).boundingBox();
  await page.mouse.move(grip.x + grip.width / 2, grip.y + grip.height / 2);
  await page.mouse.down();
  await page.mouse.move(end.x + end.width / 2, end.y + end.height / 2, { steps: 6 });
  await page.mouse.up();
  await written(page, "[1] 1");
  await says(page, "compared", "Included");
  await page.keyboard.press("Control+z");
  await written(page, "[1] 0");
  await says(page, "compared", "Equivalent");
  await context.screenshot(page, "drawn-automaton");
  // The link has all of it.
  const again = await open(context, { hash: new URL(page.url()).hash });
  await again.waitForSelector(node("q1"));
  await says(again, "compared", "Equivalent");
}

/** With the keyboard only, and what is refused. */
async function keyboard(context) {
  const page = await open(context);
  await page.fill(at("formula"), "G F a");
  await page.locator(`button:text-is("drawn")`).focus();
  await page.keyboard.press("Enter");
  await first(page);
  await page.waitForFunction(() => document.activeElement?.dataset.key === "l0");
  await page.keyboard.press("Control+ArrowDown");
  await page.waitForFunction(() => document.activeElement?.dataset.key === "l1");
  await page.keyboard.press("F2");
  await page.locator(`${card} input`).fill("q0");
  await page.keyboard.press("Enter");
  await says(page, "refused", "already");
  await page.locator(`${card} input`).fill("seen");
  await page.keyboard.press("Enter");
  await written(page, 'State: 1 "seen"');
  await page.waitForSelector(card, { state: "detached" });
  // The focus returns to the state when it is drawn again.
  await page.waitForFunction(() => document.activeElement?.dataset.key === "l1");
  await page.keyboard.press("c");
  await page.selectOption(choose("to"), { label: "q0" });
  await page.locator(`${card} textarea`).fill("F a");
  await page.keyboard.press("Enter");
  await says(page, "refused", "without temporal operators");
  await page.locator(`${card} textarea`).fill("!a");
  await page.keyboard.press("Enter");
  await written(page, "[!0] 0");
  // A text with errors: the drawing stays, and cannot be edited.
  const before = await written(page, "HOA");
  await setText(page, before.replace("--END--", ""));
  await page.waitForSelector(`${drawing} .edited.stale`);
  assert((await text(page, "complaint")).includes("line "), "a mistake has a place");
  await setText(page, before);
  await page.waitForFunction(() => !document.querySelector(".edited.stale"));
  await page.click(at("new"));
  await page.waitForSelector(at("first-location"));
}

/** An automaton of a formula is changed; comments and order of its text stay. */
async function begun(context) {
  const page = await open(context);
  await page.selectOption(at("pattern"), { label: "s precedes p, globally" });
  await says(page, "facts", "s precedes p, globally");
  assertEqual(await page.inputValue(at("formula")), "!p W s", "the formula of the pattern");
  await page.click(`button:text-is("drawn")`);
  await page.click(at("begin"));
  await says(page, "compared", "Equivalent");
  const text = await written(page, "--BODY--");
  await setText(page, text.replace("--BODY--", "/* mine */ --BODY--"));
  await page.waitForSelector(node("q1"));
  await page.locator(node("q1")).click();
  await page.keyboard.press("Delete");
  await page.waitForSelector(node("q1"), { state: "detached" });
  assert((await written(page, "States: 1")).includes("/* mine */ --BODY--"), "the comment stays");
  await page.keyboard.press("Control+z");
  await page.waitForSelector(node("q1"));
  // Back to the formula, and to the drawing again.
  await page.click(`button:text-is("of the formula")`);
  await says(page, "word-verdict", "satisfies the formula");
  await page.click(`button:text-is("drawn")`);
  await page.waitForSelector(node("q1"));
}

/** On a phone, and in the list. */
async function phone(context) {
  const page = await open(context, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await page.tap(`button:text-is("drawn")`);
  await page.tap(at("first-location"));
  await page.tap(at("accept"));
  await page.waitForSelector(node("q0"));
  await page.tap(`${drawing} ${at("as-list")}`);
  await page.locator(`${drawing} [role=treeitem][data-key=l0]`).focus();
  await page.keyboard.press("F2");
  await page.tap(`${card} ${at("accepting")}`);
  await written(page, "State: 0 {0}");
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert(wide <= 390, `the page is ${wide} pixels wide`);
}

async function access(context, colorScheme) {
  const page = await open(context, { colorScheme, bypassCSP: true });
  await page.click(`button:text-is("drawn")`);
  await context.checkAccess(page);
  await page.click(at("begin"));
  await page.waitForSelector(node("q1"));
  await page.waitForSelector(".cm-content");
  await page.locator(node("q1")).dblclick();
  await context.checkAccess(page);
}

export const tests = [
  { name: "an automaton is drawn with the mouse until it is that of a formula", run: mouse },
  { name: "an automaton is drawn with the keyboard, and refusals are in place", run: keyboard },
  { name: "the automaton of a formula is changed", run: begun },
  { name: "an automaton is drawn on a phone and in its list", run: phone },
  { name: "no axe-core violation while an automaton is drawn, light", run: (context) => access(context, "light") },
  { name: "no axe-core violation while an automaton is drawn, dark", run: (context) => access(context, "dark") },
];
