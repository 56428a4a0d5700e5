// Details shown beside a verdict: no property, a property that holds vacuously, the sizes of C's types, and an engine
// that ended before there was a verdict.
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { assert, assertEqual } from "./context.mjs";
import { at, decide } from "./steps.mjs";

const NOTHING = "main process p {\n    var x : int\n    init loc A\n    loc B\n    A -> B { x := 1 }\n}\n";
const VACUOUS =
  "main process p {\n    var x : int\n    init loc A\n    loc B\n    error loc E\n    A -> B { x := 1 }\n    B -> A { x := 0 }\n}\n";
const LONG =
  "extern void reach_error(void);\nint main(void) {\n    long x = 2147483647L;\n    if (sizeof(x) == 8) { reach_error(); }\n    return 0;\n}\n";
const ACTIONS =
  "var x : integer = 5\nvar y : integer = 0\ntrans { x := x + 1; }\ninit { y := 3; }\nenv {}\nprop { x <= 6 }\n";
const OVERFLOW = "Maximum call stack size exceeded, on purpose";

async function setText(page, text) {
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(text);
}

const title = (page) => page.locator(`${at("verdict")} strong`).innerText();

async function nothingAsked(context) {
  const { page } = await context.open();
  await setText(page, NOTHING);
  await page.waitForSelector(at("nothing-asked"));
  const said = await page.locator(at("nothing-asked")).innerText();
  assert(/No property/.test(said) && /no error location/.test(said) && /deadlock-free/.test(said), said);
  await page.click(at("run"));
  assertEqual(await page.evaluate(() => document.activeElement?.dataset.testid), "property", "the focus");
  assertEqual(await page.locator(at("verdict")).count(), 0, "verdicts");
  await page.click(at("ask-something"));
  await page.keyboard.type("deadlock-free");
  await page.waitForSelector(at("nothing-asked"), { state: "detached" });
  await decide(page);
}

/** Expressions as deep as they may be fit the engine's stack. */
async function nestedDeeply(context) {
  const { page } = await context.open();
  for (const [open, inner] of [["not (", "p"], ["p imply (", "p"], ["if p then true else (", "p"], ["p and (p or (", "p"]]) {
    // The limit is 200 levels; a parenthesis and an operator are one each.
    const parentheses = open.split("(").length - 1;
    const depth = 95 / parentheses;
    const guard = open.repeat(depth) + inner + ")".repeat(Math.floor(depth) * parentheses);
    await setText(page, `main process m {\n var p : bool\n init loc A\n error loc E\n A -> E { assume ${guard} }\n}\n`);
    await page.waitForSelector(`${at("run")}:not([disabled])`);
    await page.click(at("run"));
    await page.waitForFunction((banner) => /Violated|Holds/.test(document.querySelector(banner)?.textContent ?? ""), at("verdict"));
  }
}

async function holdsVacuously(context) {
  const { page } = await context.open();
  await setText(page, VACUOUS);
  await page.waitForFunction((name) => document.querySelectorAll(`${name} .node`).length === 3, at("cfa"));
  await decide(page);
  const headline = await title(page);
  assert(/^Holds vacuously: the error location has no path from the initial location/.test(headline), headline);
  assertEqual(await page.locator(`${at("verdict")}.holds`).count(), 0, "banners of plain success");
  await page.click(at("check-it"));
  await page.waitForSelector(at("checked"));
  assertEqual(await page.locator(at("checked")).getAttribute("data-grade"), "checked", "the grade");
}

async function endsInTheTermsOfTheQuestion(context) {
  const { page } = await context.open();
  await setText(page, NOTHING);
  for (const [asked, panel, said] of [
    ["E<> x = 1", "Holds", /reaches a target state/],
    ["E<> x = 2 and x = 3", "Violated", /No run reaches a target state/],
    ["x <= 1", "Violated", /reaches a state that violates the property/],
    ["deadlock-free", "Violated", /in which no step can be taken/],
  ]) {
    await page.fill(at("property"), asked);
    await page.click(at("run"));
    await page.waitForFunction(
      ([name, word]) => document.querySelector(`${name}:not(.stale) strong`)?.innerText.startsWith(word),
      [at("verdict"), panel],
    );
    await page.waitForFunction(
      ([explanation, counter]) =>
        document.querySelector(explanation)?.dataset.step === document.querySelector(counter).textContent.split("/")[0].trim(),
      [at("explanation"), at("counter")],
    );
    const told = await page.locator(at("explanation")).innerText();
    assertEqual(await page.locator(at("why-title")).innerText(), panel, `the panel, asked ${asked}`);
    assert(said.test(told) && !/error location/.test(told), `${asked}: ${told}`);
  }
}

async function actionsSayWhatTheyChange(context) {
  const { page } = await context.open();
  await setText(page, ACTIONS);
  await page.waitForSelector(`${at("run")}:not([disabled])`);
  await decide(page);
  assert(/^Violated/.test(await title(page)), await title(page));
  if ((await page.locator(at("certificate")).count()) === 0) await page.click(at("certificate-toggle"));
  const run = await page.locator(at("certificate")).innerText();
  assert(/y := 3\s+init\s[^]*x := 6\s+trans\s/.test(run) && !/x := 5/.test(run), run);
}

async function dataModel(context) {
  const { page, server } = await context.open();
  assertEqual(await page.locator(at("data-model")).count(), 0, "choices for a model that is no program");
  await setText(page, LONG);
  await page.waitForSelector(at("data-model"));
  await page.waitForFunction((name) => document.querySelectorAll(`${name} .node`).length > 0, at("cfa"));
  await decide(page);
  assert(/^Holds/.test(await title(page)), "long has 32 bits at first");
  assert(/C17, ILP32: long has 32 bits/.test(await page.locator(at("verdict")).innerText()), "it says so");
  await page.selectOption(at("data-model"), "LP64");
  await page.click(at("run"));
  await page.waitForSelector(`${at("verdict")}.violated:not(.stale)`);
  assert(/C17, LP64: long has 64 bits/.test(await page.locator(at("verdict")).innerText()), "it says so");
  await page.click(at("open-share"));
  const url = await page.locator(at("share-url")).inputValue();
  const other = await context.newPage({ origins: [server.origin] });
  await other.goto(url);
  await context.ready(other);
  assertEqual(await other.locator(at("data-model")).inputValue(), "LP64", "the choice in the link");
  await other.waitForSelector(`${at("verdict")}.violated`);
}

/** Waits until nothing is asked of the engine any more: the model is drawn, and the shown step is explained. */
async function quiet(page) {
  await page.waitForFunction(
    ([cfa, counter, explanation]) => {
      const step = document.querySelector(counter).textContent.split("/")[0].trim();
      const told = step === "0" || document.querySelector(explanation)?.dataset.step === step;
      return told && document.querySelector(`${cfa} .node`) !== null;
    },
    [at("cfa"), at("counter"), at("explanation")],
  );
}

/** Lets the page's worker end at the next message, as a stack overflow would. */
async function trapNext(page) {
  await quiet(page);
  await page.workers().at(-1).evaluate((message) => {
    globalThis.onmessage = () => {
      throw new RangeError(message);
    };
  }, OVERFLOW);
}

async function engineDiesReading(context) {
  const { page } = await context.open({ allowErrors: [/on purpose/] });
  await trapNext(page);
  await setText(page, NOTHING);
  await page.waitForSelector(at("engine-died"));
  const said = await page.locator(at("engine-died")).innerText();
  assert(/reading the model/.test(said) && /main process p/.test(said) && /on purpose/.test(said), said);
  assert((await page.locator(".cm-content").innerText()).includes("A -> B"), "the text is still there");
  assert(await page.locator(at("run")).isDisabled(), "the text is not run either");
  await page.click(at("try-again"));
  await page.waitForSelector(at("engine-died"), { state: "detached" });
  await page.waitForSelector(at("nothing-asked"));
}

async function anotherModel(context) {
  const { page } = await context.open();
  await setText(page, ACTIONS);
  await decide(page);
  await setText(page, NOTHING);
  await page.waitForSelector(at("nothing-asked"));
  const banner = await page.locator(at("nothing-asked")).innerText();
  assert(/The run below is about the model before your changes/.test(banner), banner);
  await page.waitForFunction((name) => document.querySelectorAll(`${name} .node`).length === 2, at("cfa"));
  const picture = await page.locator(at("cfa")).textContent();
  assert(!/nodes?|≤|<=/.test(picture), `the picture of the new model: ${picture}`);
  await context.screenshot(page, "another-model");
}

async function savedCertificate(context) {
  const { page } = await context.open();
  await setText(page, ACTIONS);
  await decide(page);
  await page.click(at("certificate-toggle"));
  const save = page.locator(at("certificate")).getByText("File", { exact: true });
  const [file] = await Promise.all([page.waitForEvent("download"), save.click()]);
  const saved = JSON.parse(await readFile(await file.path(), "utf8"));
  const hash = createHash("sha256").update(ACTIONS).digest("hex");
  assertEqual(saved.model, hash, "the model that it is about");
  assertEqual(saved.kind, "xsts", "its language");
  assert(saved.version > 0 && saved.certificate, "what veristep certify reads");
}

async function engineDiesChecking(context) {
  const { page } = await context.open({ allowErrors: [/on purpose/] });
  await decide(page);
  const steps = await page.locator(at("counter")).innerText();
  await trapNext(page);
  await page.click(at("check-it"));
  await page.waitForSelector(at("engine-died"));
  const said = await page.locator(at("engine-died")).innerText();
  assert(/checking a certificate/.test(said), said);
  assertEqual(await page.locator(at("counter")).innerText(), steps, "the steps of the run");
  await page.click(at("try-again"));
  await page.waitForSelector(at("checked"), { timeout: 20_000 });
  assert(/Accepted/.test(await page.locator(at("checked")).innerText()), "another engine checks it");
}

async function engineDiesRunning(context) {
  const { page } = await context.open({ allowErrors: [/on purpose/] });
  await trapNext(page);
  await page.click(at("run"));
  await page.waitForSelector(at("engine-died"));
  assert(/while running/.test(await page.locator(at("engine-died")).innerText()), "it says what was done");
  await page.click(at("try-again"));
  await page.waitForSelector(`${at("verdict")}.holds`, { timeout: 20_000 });
  assertEqual(await page.locator(at("engine-died")).count(), 0, "messages");
}

export const tests = [
  { name: "a model without a property is not an error, and is not run", run: nothingAsked },
  { name: "a property that holds vacuously is marked as such", run: holdsVacuously },
  { name: "the last step is explained in the terms of the property", run: endsInTheTermsOfTheQuestion },
  { name: "the actions of a run show their assignments", run: actionsSayWhatTheyChange },
  { name: "programs in C are read with a data model, and links carry it", run: dataModel },
  { name: "an engine that ends while reading is replaced, and the text is not sent again", run: engineDiesReading },
  { name: "pictures and banners belong to the current model", run: anotherModel },
  { name: "a saved certificate names its model", run: savedCertificate },
  { name: "an engine that ends while checking is replaced, and the run is kept", run: engineDiesChecking },
  { name: "an engine that ends while running is replaced, and the run can be tried again", run: engineDiesRunning },
  { name: "expressions that are nested deeply", run: nestedDeeply },
];
