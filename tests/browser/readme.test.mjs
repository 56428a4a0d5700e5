// The pictures in the README; the page's engine and the native one write the same journals.
import { copyFileSync, readFileSync } from "node:fs";
import { assertEqual } from "./context.mjs";
import { at, begin, choose, decide, until } from "./steps.mjs";

const ROOT = new URL("../../", import.meta.url);

/** The golden journals are written natively; the list of events shows the whole of a short one. */
async function sameJournals(context) {
  const { page } = await context.open();
  for (const example of ["hajdu-micskei-figure-4-left", "locking", "plc-pump", "rational-time"]) {
    await choose(page, example);
    await decide(page);
    await page.click(at("tab-events"));
    const shown = await page.locator(`${at("events")} button`).evaluateAll((all) => all.map((one) => one.lastElementChild.textContent.trim()));
    const golden = readFileSync(new URL(`tests/golden/example-${example}.journal`, ROOT), "utf8");
    const expected = golden.trimEnd().split("\n").slice(1).map((line) => line.trim());
    assertEqual(shown.join("\n"), expected.join("\n"), `the journal of ${example}`);
  }
}

/** The worked example of the README, key by key. */
async function workedExample(context) {
  const { page } = await context.open();
  const press = async (key, times) => {
    for (let time = 0; time < times; time += 1) await page.keyboard.press(key);
  };
  const explained = (title) => page.waitForFunction(([name, wanted]) => document.querySelector(name)?.innerText.includes(wanted), [at("why-panel"), title]);
  const cut = (text) => page.waitForFunction((wanted) => [...document.querySelectorAll("main *")].some((one) => one.childElementCount === 0 && one.textContent === wanted), text);
  await decide(page);
  await page.locator("body").click({ position: { x: 5, y: 5 } });
  await press("Home", 1);
  await press("Shift+ArrowRight", 2);
  await explained("Abstract counterexample to n8");
  await page.click(at("tab-path"));
  await page.locator("body").click({ position: { x: 5, y: 5 } });
  await press("Shift+ArrowRight", 1);
  await explained("spurious");
  await press("Shift+ArrowRight", 1);
  await cut("cut 2: i <= 0");
  await press("Control+ArrowRight", 3);
  await press("Shift+ArrowLeft", 2);
  await cut("cut 7: x <= 1");
  await explained("Interpolant at cut 7");
}

/** `BLESS=1` (or `cargo xtask bless`) puts the picture where the README shows it. */
async function picture(context) {
  const { page } = await context.open({ viewport: { width: 1440, height: 900 }, colorScheme: "light" });
  await choose(page, "hajdu-micskei-figure-1");
  await decide(page);
  await page.click(at("tab-graph"));
  await page.locator("body").click({ position: { x: 5, y: 5 } });
  await page.keyboard.press("End");
  for (let step = 0; step < 3; step += 1) await page.keyboard.press("Shift+ArrowLeft");
  await page.waitForTimeout(400);
  const path = await context.screenshot(page, "readme");
  if (process.env.BLESS) copyFileSync(path, new URL("docs/screenshot.png", ROOT));
}

async function statesPicture(context) {
  const { page } = await context.open({ viewport: { width: 1440, height: 900 }, colorScheme: "light" });
  await choose(page, "hajdu-2016-example-1");
  await decide(page);
  await page.click(at("tab-states"));
  await begin(page);
  await until(page, "Cell split");
  await page.waitForSelector(".line.is-fresh", { state: "attached" });
  await page.waitForTimeout(300);
  const path = await context.screenshot(page, "states");
  if (process.env.BLESS) copyFileSync(path, new URL("docs/states.png", ROOT));
}

async function solverPicture(context) {
  const server = await context.serve({});
  const page = await context.newPage({ origins: [server.origin], viewport: { width: 1440, height: 900 }, colorScheme: "light" });
  await page.goto(`${server.url}solver.html`);
  await context.ready(page);
  await page.selectOption(at("scripts"), { label: "Three jobs on one machine" });
  await page.waitForFunction((name) => document.querySelector(name)?.textContent.includes("Check 2"), ".zoom header");
  await page.click(".zoom header h2");
  await page.keyboard.press("Shift+ArrowRight");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await page.waitForTimeout(200);
  const path = await context.screenshot(page, "solver");
  if (process.env.BLESS) copyFileSync(path, new URL("docs/solver.png", ROOT));
}

async function formulaPicture(context) {
  const server = await context.serve({});
  const page = await context.newPage({ origins: [server.origin], viewport: { width: 1440, height: 900 }, colorScheme: "light" });
  await page.goto(`${server.url}formula.html`);
  await context.ready(page);
  await page.click(at("word-forward"));
  await page.click(at("word-forward"));
  await page.fill(at("other"), "G F answer");
  await page.waitForSelector(at("compared"));
  await page.waitForTimeout(300);
  const path = await context.screenshot(page, "formula");
  if (process.env.BLESS) copyFileSync(path, new URL("docs/formula.png", ROOT));
}

async function comparePicture(context) {
  const server = await context.serve({});
  const page = await context.newPage({ origins: [server.origin], viewport: { width: 1440, height: 900 }, colorScheme: "light" });
  await page.goto(`${server.url}compare.html`);
  await context.ready(page);
  await page.waitForFunction((s) => document.querySelectorAll(`${s} .holds`).length >= 8, at("results"));
  await page.waitForTimeout(300);
  const path = await context.screenshot(page, "compare");
  if (process.env.BLESS) copyFileSync(path, new URL("docs/compare.png", ROOT));
}

export const tests = [
  { name: "the page writes the same journals as the command line", run: sameJournals },
  { name: "the worked example of the README", run: workedExample },
  { name: "the picture in the README", run: picture },
  { name: "the picture of the page that compares", run: comparePicture },
  { name: "the picture of states and cells", run: statesPicture },
  { name: "the picture of the solver's page", run: solverPicture },
  { name: "the picture of the page of formulas", run: formulaPicture },
];
