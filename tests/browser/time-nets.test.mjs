// Time Petri nets: intervals in the drawing, state classes, and the timeline of a run with its clock.
import { assert, assertEqual } from "./context.mjs";
import { model, written } from "./draw.mjs";
import { at, choose, decide, getText, setText } from "./steps.mjs";

const view = (page) => page.locator(at("view-panel")).innerText();
const shows = (page, text) => page.waitForFunction(([panel, text]) => document.querySelector(panel).innerText.includes(text), [at("view-panel"), text]);

/** Proved by state classes; with a slower gate there is a run, whose clock is dragged. */
async function crossing(context) {
  const { page } = await context.open();
  await choose(page, "crossing");
  await page.waitForSelector(`${at("cfa")} [data-key="t1"]`);
  assert((await page.locator(`${at("cfa")} [data-key="t1"]`).textContent()).includes("enter [3,5]"), "the interval is drawn");
  await decide(page);
  assert((await page.locator(at("verdict")).innerText()).includes("T-time"), "the verdict states the semantics");
  await page.click(at("tab-markings"));
  await shows(page, "10 state classes, 13 firings.");
  await context.screenshot(page, "time-classes");
  const text = await getText(page);
  await setText(page, text.replace("closed [1,2]", "closed [1,4]"));
  await page.waitForTimeout(600);
  await decide(page);
  assert((await page.locator(at("verdict")).innerText()).startsWith("Violated"), "the train is faster");
  await page.click(at("check-it"));
  await shows(page, "were carried out with exact times");
  await page.click(at("tab-timeline"));
  await shows(page, "The net at the time 3");
  await page.locator(at("clock")).fill("500");
  await shows(page, "The net at the time 1.5");
  assert((await view(page)).includes("time may pass for at most"), "how long time may pass");
  await context.screenshot(page, "time-timeline");
}

/** The timeline of an infinite run, whose cycle repeats its delays. */
async function forever(context) {
  const { page } = await context.open();
  await choose(page, "crossing");
  await page.waitForSelector(`${at("cfa")} [data-key="t1"]`);
  await page.fill("#property", "F G up = 1");
  await page.waitForTimeout(600);
  await decide(page);
  const verdict = await page.locator(at("verdict")).innerText();
  assert(verdict.startsWith("Violated"), verdict);
  await page.click(at("check-it"));
  await shows(page, "so the same delays and firings can be repeated infinitely often");
  await page.click(at("tab-timeline"));
  await shows(page, "on is repeated infinitely often.");
  await context.screenshot(page, "time-forever");
}

/** Bounded model checking in difference logic, and what its query is about. */
async function press(context) {
  const { page } = await context.open();
  await choose(page, "press");
  await decide(page);
  const verdict = await page.locator(at("verdict")).innerText();
  assert(verdict.startsWith("Holds") && verdict.includes("P-time"), verdict);
  await page.click(at("tab-timeline"));
  await shows(page, "4 firings in the time 5.");
  await page.locator(at("clock")).focus();
  for (let i = 0; i < 3; i += 1) await page.keyboard.press("PageDown");
  await shows(page, "a_done + b_pressed");
  await context.screenshot(page, "time-press");
  await page.click(at("tab-markings"));
  await shows(page, "5 zones, 4 firings.");
}

/** On a phone the timeline has a clock, too. */
async function phone(context) {
  const { page } = await context.open({ viewport: { width: 390, height: 844 } });
  await choose(page, "press");
  await decide(page);
  await page.click(at("tab-timeline"));
  await shows(page, "4 firings in the time 5.");
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assertEqual(wide, 390, "nothing is wider than the screen");
  await context.screenshot(page, "time-phone");
}

/** The token game of a time net: the clock stops where a transition must fire. */
async function played(context) {
  const { page } = await context.open();
  await choose(page, "crossing");
  await page.click(at("play-net"));
  await page.waitForSelector(at("play-clock"));
  await page.locator(at("play-enabled")).click();
  const bar = (text) => page.waitForFunction(([bar, text]) => document.querySelector(bar).innerText.includes(text), [at("play-bar"), text]);
  await bar("time stops until a transition fires");
  await page.locator(at("play-enabled")).click();
  await bar("time may pass for at most 2");
  await page.locator(at("play-clock")).fill("20");
  await bar("time stops until a transition fires");
  assertEqual(await page.locator(at("play-time")).innerText(), "2", "the gate must be closed at the time 2");
  await page.locator(`${at("cfa")} [data-key="t1"]`).click();
  await bar("enter may not fire now: it has been enabled for 2, and may fire from 3");
  await page.locator(at("play-any")).click();
  await bar("closed after");
  await context.screenshot(page, "time-game");
  await page.locator(at("play-back")).click();
  assertEqual(await page.locator(at("play-time")).innerText(), "0", "before the time passed");
}

/** Opens the card of a node. */
async function card(page, key) {
  await page.locator(`${at("cfa")} [data-key="${key}"]`).dblclick();
  await page.waitForSelector(at("interval"));
}

/** Types an interval into the card of a node. */
async function interval(page, key, typed) {
  await card(page, key);
  await page.locator(at("interval")).fill(typed);
  await page.keyboard.press("Enter");
  await page.waitForFunction((card) => !document.querySelector(card) || document.querySelector(`${card} [role=alert]`), at("edit-card"));
}

/** Intervals are edited in the drawing: the bound decides the verdict. */
async function drawn(context) {
  const { page } = await context.open();
  await choose(page, "crossing");
  await page.waitForSelector(`${at("cfa")} [data-key="t1"]`);
  await page.click(`${model} button[role=tab]:text-is("Both")`);
  await page.click(`${model} [aria-label="Fit the drawing"]`);
  const text = await getText(page);
  await interval(page, "t1", "5,3");
  assert((await page.locator(at("refused")).innerText()).includes("'[5,3]' is no interval of time"), "why it is refused");
  assertEqual(await page.locator(at("interval")).inputValue(), "5,3", "what was typed stays");
  await context.screenshot(page, "time-interval-refused");
  await page.locator(at("interval")).fill("1,∞");
  await page.click(at("accept"));
  await written(page, "enter [1,w[");
  await context.screenshot(page, "time-interval");
  await interval(page, "t1", "");
  await written(page, "enter: near");
  // A name and an interval are one edit.
  await card(page, "t1");
  await page.locator(`${at("edit-card")} [aria-label="Name"]`).fill("come");
  await page.locator(at("interval")).fill("[1,1]");
  await page.keyboard.press("Enter");
  await written(page, "come [1,1]");
  await decide(page);
  assert((await page.locator(at("verdict")).innerText()).startsWith("Violated"), "the train is faster");
  await page.locator("body").click({ position: { x: 5, y: 5 } });
  for (let i = 0; i < 8 && (await getText(page)) !== text; i += 1) {
    await page.keyboard.press("Control+z");
    await page.waitForTimeout(200);
  }
  assertEqual(await getText(page), text, "all of it is undone");
}

/** Of a round without a run, the page of the solver draws a negative cycle. */
async function cycle(context) {
  const { page } = await context.open();
  await choose(page, "jobs");
  await decide(page);
  await page.getByRole("tab", { name: "Events" }).click();
  await page.locator(".events button", { hasText: "bad after 3? Unsat" }).click();
  const popup = page.waitForEvent("popup");
  await page.click(at("ask-solver"));
  const solver = await popup;
  await context.ready(solver);
  await solver.click(at("tab-proof"));
  await solver.click(at("show-cycle"));
  await solver.waitForSelector(`${at("cycle")} .edge.is-conflict`);
  await context.screenshot(solver, "time-cycle");
}

export const tests = [
  { name: "the negative cycle of a round is drawn", run: cycle },
  { name: "intervals are edited in the drawing", run: drawn },
  { name: "a crossing is proved by state classes, and its clock is dragged", run: crossing },
  { name: "a deadline in difference logic", run: press },
  { name: "an infinite run has a timeline", run: forever },
  { name: "the clock of a game stops where a transition must fire", run: played },
  { name: "a timeline on a phone", run: phone },
];
