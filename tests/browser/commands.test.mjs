// Guarded commands: the ticket protocol is explored, matched, refined and proved; mistakes have places.
import { assert, assertEqual } from "./context.mjs";
import { at, begin, choose, decide, setText, settled, until } from "./steps.mjs";

const text = (page, name) => page.locator(at(name)).first().innerText();

const small = `system small {
  control pc : {a, b, c, d, e, f} = a
  var x : int = 0
  pc = a            -> pc := b, x := 0
  pc = a            -> pc := c, x := 1
  pc = b            -> pc := d
  pc = c            -> pc := d
  pc = d && x < 1   -> pc := e, x := x + 2
  pc = d && x >= 1  -> pc := f
  predicate x < 2
  error pc = e && x != 2
}
`;

/** Four searches, the certificate, and the pictures of a step. */
async function ticket(context) {
  const { page } = await context.open();
  await choose(page, "ticket2");
  await page.waitForSelector(`${at("cfa")} [data-key="v4=idle"]`);
  await context.screenshot(page, "commands-model");
  await decide(page);
  assert((await text(page, "verdict")).startsWith("Holds"), "the protocol is proved");
  await page.click(at("check-it"));
  await page.waitForFunction(() => document.body.textContent.includes("the structure is bisimilar to the model"));
  await context.screenshot(page, "commands-holds");
  await begin(page);
  await until(page, "is matched with");
  await settled(page);
  assert((await page.locator(".is-matched").count()) > 0, "a matched state is drawn");
  await until(page, "Not exact");
  await settled(page);
  assert((await page.locator(".is-inexact").count()) > 0, "the step that is not exact is drawn");
  assert((await text(page, "explanation")).includes("not implied"), "the part of the weakest precondition is shown");
  await context.screenshot(page, "commands-inexact");
}

/** A real error in the second search; its run is shown. */
async function mistake(context) {
  const { page } = await context.open();
  await choose(page, "ticket2-err");
  await decide(page);
  assert((await text(page, "verdict")).startsWith("Violated"), "the mistake is found");
  await settled(page);
  await context.screenshot(page, "commands-violated");
}

/** A text with an error has its place; without it, the drawing is that of its program counter. */
async function typed(context) {
  const { page } = await context.open();
  const model = (guard) => `system lamp {\n  control pc : {off, on} = off\n  var n : int = 0\n  pc = off ${guard} -> pc := on, n := n + 1\n  pc = on -> pc := off\n  error n > 2\n}\n`;
  await setText(page, model("&& m < 2"));
  await page.waitForFunction(() => document.body.textContent.includes("unknown name 'm'"));
  await setText(page, model("&& n < 2"));
  await page.waitForSelector(`${at("cfa")} [data-key="v0=on"]`);
  await decide(page);
  assert((await text(page, "verdict")).startsWith("Holds"), "it holds");
  assertEqual(await page.locator(`${at("cfa")} .node`).count(), 2, "two values of the counter");
}

/** Chooses a method. */
async function method(page, name) {
  await page.click(at("open-options"));
  await page.selectOption(at("option-engine"), name);
  await page.keyboard.press("Escape");
}

/** A small system under its predicates: five pictures, for the predicates of the step and for others. */
async function abstractions(context) {
  const { page } = await context.open();
  await setText(page, small);
  await method(page, "under");
  await decide(page);
  await page.click(at("tab-abstractions"));
  await page.waitForSelector(`${at("abstractions")} svg`);
  await context.screenshot(page, "commands-abstractions-last");
  const texts = () => page.locator(at("abstractions")).innerText();
  for (const heading of ["Concrete states", "May abstraction", "Must abstraction", "Search with matching"]) {
    assert((await texts()).includes(heading), heading);
  }
  assert(!(await texts()).includes("Search after the refinement"), "every step is exact");
  await page.click(`${at("predicates")} button:has-text("x <= 0")`);
  await page.waitForFunction(() => document.querySelector("[data-testid=abstractions]").innerText.includes("Search after the refinement"));
  assert((await page.locator(`${at("abstractions")} .is-inexact`).count()) > 0, "transitions that are not must transitions");
  assert((await page.locator(`${at("abstractions")} .is-later`).count()) > 0, "states that only the refined search explores");
  await context.screenshot(page, "commands-abstractions");
  await page.click('button:has-text("Reset to this step")');
  await page.waitForFunction(() => !document.querySelector("[data-testid=abstractions]").innerText.includes("Search after the refinement"));
}

/** Both approximations in turns: the proof ends what the search cannot. */
async function combined(context) {
  const { page } = await context.open();
  await choose(page, "rax");
  await method(page, "combined-approx");
  await decide(page);
  assert((await text(page, "verdict")).startsWith("Holds"), "the proof is found");
  assert((await text(page, "explanation")).includes("over-approximation"), "by the over-approximation");
  await settled(page);
  await context.screenshot(page, "commands-combined");
  await begin(page);
  const title = () => page.locator(at("why-title")).innerText();
  for (let turn = 0; turn < 12 && (await title()) !== "Shared predicate"; turn += 1) {
    await page.click(`${at("loop-strip")} button:has-text("Share")`);
    await settled(page);
    for (let step = 0; step < 2 && (await title()) !== "Shared predicate"; step += 1) {
      await page.keyboard.press("ArrowRight");
      await settled(page);
    }
  }
  assertEqual(await title(), "Shared predicate", "the title of a step");
  await settled(page);
  await context.screenshot(page, "commands-shared");
}

export const tests = [
  { name: "the ticket protocol is proved by four searches", run: ticket },
  { name: "a mistake is found below", run: mistake },
  { name: "a small system under its predicates", run: abstractions },
  { name: "both approximations in turns", run: combined },
  { name: "a typed system has its program counter drawn", run: typed },
];
