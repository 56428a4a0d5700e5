// Temporal formulas: the page of formulas and automata, and runs of the verifier over a product.
import { assert, assertEqual } from "./context.mjs";
import { at, begin, choose, decide, until } from "./steps.mjs";

async function openFormulas(context, hash = "", options = {}) {
  const server = await context.serve({});
  const page = await context.newPage({ origins: [server.origin], ...options });
  await page.goto(`${server.url}formula.html${hash}`);
  await context.ready(page);
  await page.waitForSelector(at("word"));
  return { page, server };
}

const text = (page, name) => page.locator(at(name)).innerText();
const says = (page, name, what) =>
  page.waitForFunction(([s, what]) => document.querySelector(s)?.textContent.includes(what), [at(name), what]);

/** A formula becomes an automaton; letters are read one by one, and changing one changes the verdict. */
async function formulas(context) {
  const { page, server } = await openFormulas(context);
  assert((await text(page, "word-verdict")).includes("satisfies"), "the first word satisfies the formula");
  assertEqual(await page.locator("[data-testid=drawn] .node").count(), 2, "states of a response");
  assertEqual(await page.locator("[data-testid=drawn] .node.is-active").count(), 1, "where it is before the first letter");
  const name = () => page.locator("[data-testid=drawn] .node.is-active .name").textContent();
  const before = await name();
  await page.click(at("word-forward"));
  await page.click(at("word-forward"));
  await says(page, "automaton", "q1");
  await page.waitForFunction((old) => document.querySelector("[data-testid=drawn] .node.is-active .name")?.textContent !== old, before);
  await page.locator(".word .bit").last().click();
  await says(page, "word-verdict", "violates");
  await page.click(at("example-0"));
  await says(page, "word-verdict", "satisfies");
  await page.fill(at("formula"), "G F p & F G !q");
  await says(page, "facts", "reactivity");
  await page.fill(at("other"), "G F p");
  await says(page, "compared", "first implies the second");
  await page.click(at("tell-apart"));
  await says(page, "word-verdict", "violates");
  await page.fill(at("other"), "F (p -> ");
  await page.waitForSelector(at("complaint"));
  assertEqual(await page.locator(at("compared")).count(), 0, "a formula that cannot be read is compared with none");
  assertEqual(await page.locator(`${at("facts")}.stale`).count(), 0, "what is known of the first formula stays");
  await page.fill(at("other"), "");
  await page.waitForFunction((s) => !document.querySelector(s), at("complaint"));
  await page.fill(at("formula"), "G (p -> ");
  await page.waitForSelector(at("complaint"));
  assert((await text(page, "complaint")).includes("column"), "a mistake has a place");
  await page.fill(at("formula"), "p U q");
  await says(page, "facts", "guarantee");
  const address = page.url();
  const { page: again } = await openFormulas(context, address.slice(address.indexOf("#")));
  assertEqual(await again.inputValue(at("formula")), "p U q", "the link carries the formula");
  assert(server.url.length > 0);
}

/** The thesis' example: the lasso that does not close, on the product, on the graph and with its concrete states. */
async function running(context) {
  const { page } = await context.open();
  await choose(page, "running-example");
  await decide(page);
  assertEqual(await page.locator(`${at("verdict")} strong`).innerText(), "Holds", "the verdict");
  await page.click(at("tab-path"));
  await begin(page);
  await until(page, "Does the cycle close?");
  await page.waitForSelector(".edge.is-bad");
  assert((await text(page, "path-view")).includes("does not close"), "the cycle fails to close");
  assert((await page.locator('[data-testid="cfa"] .edge:is(.is-trail, .is-taken)').count()) >= 2, "the lasso is on the model");
  await page.click(at("tab-product"));
  await page.waitForSelector(".node.is-cyan");
  assert((await page.locator("[data-testid=picture-1] .edge.is-path").count()) >= 4, "the lasso is on the product");
}

/** Without fairness a process waits for ever; with it, it does not. */
async function fairness(context) {
  const { page } = await context.open();
  await choose(page, "mutual-exclusion");
  await decide(page);
  assert((await text(page, "verdict")).startsWith("Violated"), "without fairness");
  await page.click(at("check-it"));
  await page.waitForSelector(".checked.yes");
  await choose(page, "mutual-exclusion-strong-fairness");
  await decide(page);
  assert((await text(page, "verdict")).startsWith("Holds"), "with fairness");
  assert((await text(page, "verdict")).includes("strongly fair"), "what is assumed is said");
  await page.click(at("check-it"));
  await page.waitForSelector(".checked.yes", { timeout: 20_000 });
}

async function access(context) {
  for (const colorScheme of ["light", "dark"]) {
    const { page } = await openFormulas(context, "", { bypassCSP: true, colorScheme });
    await page.click(at("word-forward"));
    await page.fill(at("other"), "G F answer");
    await says(page, "compared", "implies");
    await page.click("text=never claim");
    await page.waitForSelector(at("export"));
    await context.checkAccess(page);
  }
  const { page } = await openFormulas(context, "", { viewport: { width: 390, height: 844 } });
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert(wide <= 390, `the page is ${wide} pixels wide`);
}

export const tests = [
  { name: "it is accessible in both colours, and fits a phone", run: access },
  { name: "a formula, its automaton, and its run on a word", run: formulas },
  { name: "the lasso that does not close, in all views", run: running },
  { name: "fairness decides", run: fairness },
];
