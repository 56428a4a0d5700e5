// Guarded commands: the ticket protocol is explored, matched, refined and proved; mistakes have places.
import { assert, assertEqual } from "./context.mjs";
import { at, begin, choose, decide, setText, settled, until } from "./steps.mjs";

const text = (page, name) => page.locator(at(name)).first().innerText();

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

export const tests = [
  { name: "the ticket protocol is proved by four searches", run: ticket },
  { name: "a mistake is found below", run: mistake },
  { name: "a typed system has its program counter drawn", run: typed },
];
