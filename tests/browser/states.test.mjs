// Transition systems: examples of every engine, the states over two variables, cells, and rounds.
import { assert, assertEqual } from "./context.mjs";
import { at, begin, choose, decide, until } from "./steps.mjs";

/** The failure state of the first counterexample: one dead end, one bad state, then a split between them. */
async function cells(context) {
  const { page } = await context.open();
  await choose(page, "hajdu-2016-example-1");
  await decide(page);
  await page.click(at("tab-states"));
  await begin(page);
  await until(page, "Failure state");
  await page.waitForSelector(".node.is-dead-end", { state: "attached" });
  const count = (selector) => page.locator(`${at("depicted")} ${selector}`).count();
  assertEqual(await count("[data-testid=picture] .node"), 8, "states");
  assertEqual(await count(".node.is-dead-end"), 1, "dead ends");
  assertEqual(await count(".node.is-leads"), 1, "bad states");
  assertEqual(await count("[data-testid=picture] .edge"), 6, "transitions");
  assertEqual(await count("[data-testid=picture-1] .edge.is-path"), 1, "transitions of the counterexample");
  await until(page, "Cell split");
  await page.waitForSelector(".line.is-fresh", { state: "attached" });
  await until(page, "Incremental search");
  await page.waitForSelector(".node.is-kept");
  await page.click(at("tab-graph"));
  await page.waitForSelector("[data-testid=picture] .node");
}

async function engines(context) {
  const { page } = await context.open();
  for (const [example, seen] of [
    ["fischer", ".chip-entry"],
    ["token-ring", ".chip-entry"],
    ["controller", "[data-testid=picture] .node"],
    ["traffic-light", at("arg")],
  ]) {
    await choose(page, example);
    await decide(page);
    await page.click(at("tab-graph"));
    assertEqual(await page.locator(`${at("verdict")} strong`).innerText(), "Holds", example);
    await page.waitForSelector(seen);
    await page.click(at("tab-states"));
    await page.waitForSelector(`${at("depicted")} svg, ${at("depicted")} p`);
  }
  assert((await page.locator(at("depicted")).innerText()).includes("Red"), "values of enumerations have names");
}

/** A run that was found leads through the states. */
async function runs(context) {
  const { page } = await context.open();
  await choose(page, "hajdu-2016-example-1");
  await page.fill(at("property"), "x <= 1");
  await decide(page);
  assertEqual(await page.locator(`${at("verdict")} strong`).innerText(), "Violated", "x gets greater");
  await page.click(at("tab-states"));
  await page.waitForSelector(".edge.is-run", { state: "attached" });
  await page.keyboard.press("Home");
  await page.waitForSelector(".edge.is-run", { state: "detached" });
}

export const tests = [
  { name: "states, cells and splits are drawn", run: cells },
  { name: "every engine shows its result", run: engines },
  { name: "a counterexample run is drawn", run: runs },
];
