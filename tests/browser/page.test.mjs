// The main uses of the page: run an example, step forward and back, edit, stop, check, share.
import { assert, assertEqual } from "./context.mjs";
import { address, at, setText, settled } from "./steps.mjs";

const VERDICT_WITHIN = 20_000;

async function verdict(page) {
  await page.waitForSelector(at("verdict"), { timeout: VERDICT_WITHIN });
  return page.locator(`${at("verdict")} strong`).innerText();
}

async function loadExample(page, search, id) {
  await page.click(at("open-gallery"));
  await page.fill(at("gallery-search"), search);
  await page.click(at(`example-${id}`));
  await page.waitForSelector(at("gallery"), { state: "detached" });
}

async function counter(page) {
  return (await page.locator(at("counter")).innerText()).split("/").map((part) => Number(part.trim()));
}

async function untilCounter(page, expected) {
  await page.waitForFunction(
    ([selector, text]) => document.querySelector(selector)?.textContent.replace(/\s/g, "") === text,
    [at("counter"), expected],
  );
}

/** The panels that show the step, as text; attributes in alphabetical order. */
function panels(page) {
  return page.evaluate(() => {
    const ordered = (node) => {
      if (node.nodeType !== Node.ELEMENT_NODE) return node.textContent;
      // The place of a drawing in its panel depends on where the step came from, and its size on what else is there.
      // The whole graph may be elsewhere, too: what was in the drawing before stays where it was.
      const fixed = (one) =>
        !(["transform", "class"].includes(one.name) && node.parentNode.matches("svg.drawing")) &&
        !(one.name === "viewBox" && node.matches("svg.drawing")) &&
        !(["x", "y", "d", "transform"].includes(one.name) && node.closest("[data-testid=arg]"));
      const attributes = [...node.attributes].filter(fixed).map((one) => ` ${one.name}="${one.value}"`).sort().join("");
      return `<${node.localName}${attributes}>${[...node.childNodes].map(ordered).join("")}</${node.localName}>`;
    };
    const parts = ["arg", "cfa", "explanation", "loop-strip", "counter", "precision"];
    const found = parts.map((part) => document.querySelector(`[data-testid=${part}]`));
    // Of the graph the places of all shapes are compared, from that of the first one. The box of a text depends on the
    // scale of the drawing, its place does not.
    const placed = document.querySelector("[data-testid=arg] .placed");
    const shapes = [...(placed?.querySelectorAll("rect, path, text, ellipse") ?? [])].map((shape) => {
      const box = shape.getBBox();
      const [x, y] = shape.localName === "text" ? [shape.x, shape.y].map((all) => all.baseVal[0].value) : [box.x, box.y];
      const at = new DOMPoint(x, y).matrixTransform(placed.getCTM().inverse().multiply(shape.getCTM()));
      return shape.localName === "text" ? [at.x, at.y] : [at.x, at.y, box.width, box.height];
    });
    const apart = shapes.map(([x, y, ...size]) => [x - shapes[0][0], y - shapes[0][1], ...size].map((length) => length.toFixed(1)).join());
    return [...found.map((node) => (node ? ordered(node) : "nothing")), ...apart].join("\n");
  });
}

async function ranFirst(context, options = {}) {
  const opened = await context.open(options);
  await opened.page.click(at("run"));
  await verdict(opened.page);
  return opened;
}

const BROKEN = "main process p {\n    var x : int\n    init loc A\n    error loc E\n    A -> E { assume y > 0 }\n}\n";

async function runFigure1(context) {
  const { page } = await context.open();
  await loadExample(page, "paper 003, figure 1", "hajdu-micskei-figure-1");
  await page.click(at("run"));
  assertEqual(await verdict(page), "Holds", "the verdict");
  await page.click(at("tab-path"));
  await page.keyboard.press("Home");
  await page.locator(at("go-counterexample")).click();
  await page.waitForSelector(`${at("interpolant")} .ticks li`);
  const interpolant = await page.locator(at("interpolant")).innerText();
  assert(/Interpolant at cut \d/.test(interpolant), `no interpolant: ${interpolant}`);
  assertEqual(await page.locator(`${at("interpolant")} .ticks li.yes`).count(), 3, "conditions that hold");
  const title = await page.locator(".strip .iteration strong").innerText();
  assertEqual(title, "Iteration 1", "the iteration of the first spurious counterexample");
}

async function backAndForth(context) {
  const { page } = await ranFirst(context);
  await page.keyboard.press("Home");
  await page.locator("body").click({ position: { x: 5, y: 5 } });
  const seen = [];
  for (let step = 0; step < 25; step += 1) {
    await page.keyboard.press("ArrowRight");
    await settled(page);
    seen.push(await panels(page));
  }
  for (let step = 24; step > 0; step -= 1) {
    await page.keyboard.press("ArrowLeft");
    await settled(page);
    assert((await panels(page)) === seen[step - 1], `step ${step} looks different on the way back`);
  }
}

async function listAndBack(context) {
  const { page } = await ranFirst(context);
  await page.click(at("tab-graph"));
  await page.click(at("as-list"));
  await page.waitForSelector("[role=tree]");
  await page.click(at("as-list"), { timeout: 3_000 });
  await page.waitForSelector(at("arg"));
}

/** Presses a key and gives the step that is shown then. */
async function movedBy(page, key) {
  return moved(page, () => page.keyboard.press(key));
}

/** The step that is shown after the action, once it is another one. */
async function moved(page, action) {
  const before = await page.locator(at("counter")).innerText();
  await action();
  await page.waitForFunction(
    ([selector, text]) => document.querySelector(selector)?.innerText !== text,
    [at("counter"), before],
  );
  return (await counter(page))[0];
}

async function keyboard(context) {
  const { page } = await ranFirst(context);
  const end = (await counter(page))[1];
  await page.keyboard.press("Home");
  await untilCounter(page, `0/${end}`);
  await page.keyboard.press("ArrowRight");
  await untilCounter(page, `1/${end}`);
  const phase = await movedBy(page, "Shift+ArrowRight");
  const iteration = await movedBy(page, "Control+ArrowRight");
  assert(1 < phase && phase < iteration && iteration < end, `event 1, phase ${phase}, iteration ${iteration}, end ${end}`);
  await page.keyboard.press("End");
  await untilCounter(page, `${end}/${end}`);
  await page.keyboard.press("?");
  await page.waitForSelector(at("help"));
  await page.keyboard.press("Escape");
  await page.waitForSelector(at("help"), { state: "detached" });
}

async function scrub(context) {
  const { page } = await ranFirst(context);
  const end = (await counter(page))[1];
  const box = await page.locator(at("scrubber")).boundingBox();
  const middle = await moved(page, () => page.mouse.click(box.x + box.width / 2, box.y + box.height / 2));
  assert(Math.abs(middle - end / 2) < end / 20, `the middle of ${end} is ${middle}`);
  assert((await page.locator(at("why-title")).innerText()).length > 3, "the step is explained");
}

async function editWithError(context) {
  const { page } = await context.open();
  await page.waitForSelector(".cm-content");
  await setText(page, BROKEN);
  await page.waitForSelector(at("problem"));
  const problem = await page.locator(at("problem")).first().innerText();
  assert(problem.trim().startsWith("5:"), `the problem is elsewhere: ${problem}`);
  assert(/y/.test(problem), `the problem does not name y: ${problem}`);
  const underlined = await page.locator(".cm-line", { has: page.locator(".cm-lintRange-error") }).allInnerTexts();
  assert(underlined.length === 1 && underlined[0].includes("assume y"), `underlined: ${underlined}`);
  assert(await page.locator(at("run")).isDisabled(), "a wrong text cannot be run");
  await setText(page, BROKEN.replace("y > 0", "x > 0"));
  await page.waitForSelector(at("problem"), { state: "detached" });
  await page.waitForSelector(`${at("run")}:not([disabled])`);
  await page.click(at("run"));
  assertEqual(await verdict(page), "Violated", "the verdict of the repaired text");
}

async function cancelEndless(context) {
  const { page } = await context.open();
  await loadExample(page, "divergence", "diverging");
  await page.click(at("run"));
  await page.waitForFunction((selector) => Number(document.querySelector(selector).textContent.split("/")[1]) > 500, at("counter"));
  const began = Date.now();
  await page.click(at("stop"));
  assertEqual(await verdict(page), "Stopped", "the banner");
  assert(Date.now() - began < 3000, `stopping took ${Date.now() - began} ms`);
  const end = (await counter(page))[1];
  await page.keyboard.press("Home");
  await untilCounter(page, `0/${end}`);
  await page.keyboard.press("ArrowRight");
  await untilCounter(page, `1/${end}`);
}

async function pauseAndGoOn(context) {
  const { page } = await context.open();
  await loadExample(page, "divergence", "diverging");
  await page.click(at("run"));
  await page.waitForFunction((selector) => Number(document.querySelector(selector).textContent.split("/")[1]) > 500, at("counter"));
  await page.click(at("pause"));
  assertEqual(await verdict(page), "Paused", "the banner");
  const before = (await counter(page))[1];
  await page.click(at("continue"));
  await page.waitForFunction(
    ([selector, least]) => Number(document.querySelector(selector).textContent.split("/")[1]) > least,
    [at("counter"), before],
  );
  await page.click(at("stop"));
  assertEqual(await verdict(page), "Stopped", "the banner");
}

async function linkRoundTrip(context) {
  const { page, server } = await ranFirst(context);
  await page.keyboard.press("Home");
  for (let step = 0; step < 47; step += 1) await page.keyboard.press("ArrowRight");
  await settled(page);
  const shown = await panels(page);
  await page.click(at("open-share"));
  const url = await page.inputValue(at("share-url"));
  assert(url.startsWith(server.url) && url.length < 2000, `the link: ${url}`);
  const fresh = await context.newPage({ origins: [server.origin] });
  await fresh.goto(url);
  await context.ready(fresh);
  await verdict(fresh);
  const [cursor] = await counter(fresh);
  assertEqual(cursor, 47, "the step in a fresh profile");
  await settled(fresh);
  assert((await panels(fresh)) === shown, "the panels differ in a fresh profile");
  assertEqual(await fresh.locator(at("notice")).count(), 0, "notices");
}

async function brokenLinks(context) {
  const { page, server } = await ranFirst(context);
  await page.click(at("open-share"));
  const url = await page.inputValue(at("share-url"));
  const open = async (address) => {
    const other = await context.newPage({ origins: [server.origin] });
    await other.goto(address);
    await context.ready(other);
    await other.waitForSelector(at("notice"));
    return { other, text: await other.locator(at("notice")).first().innerText() };
  };
  const cut = await open(url.slice(0, url.length - 12));
  assert(/damaged/.test(cut.text), `a cut link: ${cut.text}`);
  assert((await cut.other.locator(".cm-content, .plain-editor").first().innerText()).length >= 0, "the model is shown");
  const foreign = await open(`${server.url}#Zabcdef`);
  assert(/format/.test(foreign.text), `a foreign link: ${foreign.text}`);
  const junk = await open(`${server.url}#1%00%ff<img src=x>`);
  assert(/damaged/.test(junk.text), `junk: ${junk.text}`);
}

async function checkIt(context) {
  const { page } = await ranFirst(context);
  await page.click(at("certificate-toggle"));
  assert((await page.locator(`${at("certificate")} tbody tr`).count()) >= 10, "an invariant a location");
  await page.click(at("check-it"));
  const said = await page.locator(at("checked")).innerText();
  assert(/Accepted/.test(said) && /obligations/.test(said), `the checker said: ${said}`);
}

async function traceOfViolation(context) {
  const { page } = await context.open();
  await loadExample(page, "bug", "bounded-counter-bug");
  await page.click(at("run"));
  assertEqual(await verdict(page), "Violated", "the verdict");
  await page.click(at("certificate-toggle"));
  const last = await page.locator(`${at("certificate")} tbody tr`).last().innerText();
  assert(/overflow/.test(last), `the last state: ${last}`);
  await page.click(at("check-it"));
  assert(/Accepted/.test(await page.locator(at("checked")).innerText()), "the trace is accepted");
}

async function strategies(context) {
  const { page, server } = await context.open();
  await page.click(at("open-options"));
  assert((await page.locator(at("option-max-enum")).count()) === 0, "a domain without values has no limit of values");
  await page.selectOption(at("option-domain"), "expl");
  await page.selectOption(at("option-max-enum"), "5");
  await page.selectOption(at("option-search"), "err");
  await page.keyboard.press("Escape");
  await page.click(at("run"));
  assertEqual(await verdict(page), "Holds", "the verdict with values");
  await page.click(at("tab-precision"));
  assert(/value of\s*x/.test(await page.locator(at("precision")).innerText()), "x is tracked");
  // The link carries the options.
  const other = await context.newPage({ origins: [server.origin] });
  await other.goto(await address(page));
  await context.ready(other);
  await verdict(other);
  await other.click(at("open-options"));
  assertEqual(await other.locator(at("option-domain")).inputValue(), "expl", "the domain of the link");
  await other.selectOption(at("option-engine"), "auto");
  await other.keyboard.press("Escape");
  await other.click(at("run"));
  assertEqual(await verdict(other), "Holds", "the verdict of auto");
  assert(/strategy/.test(await other.locator(at("verdict")).innerText()), "auto names the strategy");
}

async function programInC(context) {
  const { page } = await context.open();
  await loadExample(page, "program in c", "two-locks");
  await page.click(at("run"));
  assertEqual(await verdict(page), "Holds", "the verdict of the program");
  await page.click(at("check-it"));
  assert(/Accepted/.test(await page.locator(at("checked")).innerText()), "the invariant is accepted");
  await setText(page, "int main(void) {\n  int *p;\n  return 0;\n}\n");
  await page.waitForSelector(at("problem"));
  const problem = await page.locator(at("problem")).first().innerText();
  assert(problem.trim().startsWith("2:") && /pointers/.test(problem), `the problem: ${problem}`);
}

/** Abstract against concrete: the grid of a location, the path drawn twice, what is known below locations. */
async function pictures(context) {
  const { page } = await ranFirst(context);
  assert((await page.locator("[data-testid=cfa] .label.is-known").count()) >= 4, "abstract labels on the automaton");
  await page.click(at("tab-states"));
  await page.waitForSelector(`${at("states")} .region.is-allowed`, { state: "attached" });
  const drawn = () => page.locator(at("states")).innerText();
  assert(/Values at l6[^]*Separated by i <= 0, x <= 0, x <= 1/.test(await drawn()), await drawn());
  assert((await page.locator(`${at("states")} .node.is-reached`).count()) >= 10, "states that were reached");
  assert((await page.locator(`${at("states")} .line.is-fresh`).count()) >= 10, "the newest predicate splits the grid");
  await page.locator("[data-testid=cfa] .node", { hasText: "l2" }).first().dispatchEvent("click");
  await page.waitForFunction((s) => document.querySelector(s).innerText.includes("Values at l2"), at("states"));
  // Choosing the other axis's variable exchanges the axes.
  const axes = () => page.locator(`${at("states")} select.field`).evaluateAll((all) => all.map((s) => s.selectedOptions[0].text));
  const [x, y] = await axes();
  await page.locator(`${at("states")} select.field`).first().selectOption({ label: y });
  await page.waitForFunction(
    ([s, wanted]) => [...document.querySelectorAll(`${s} select.field`)].map((one) => one.selectedOptions[0].text).join() === wanted,
    [at("states"), [y, x].join()],
  );
  await page.keyboard.press("Escape");
  await page.click(at("tab-path"));
  await page.locator(at("go-counterexample")).first().click();
  await page.waitForSelector(`${at("depicted")} .node.is-empty`);
  const bags = await page.locator(`${at("depicted")} .node:is(.is-concrete, .is-empty)`).count();
  const places = await page.locator(`${at("depicted")} .node[role=button]`).count();
  assert(bags >= 3 && bags < places, `${bags} images below ${places} abstract states`);
}

async function oneSelection(context) {
  const { page } = await ranFirst(context);
  await page.locator('[data-testid=arg] .node').first().click();
  await page.waitForSelector(at("selection"));
  assert((await page.locator("[data-testid=arg] .node.related").count()) >= 1, "the node is marked");
  assert((await page.locator("[data-testid=cfa] .node.related").count()) === 1, "its location is marked");
  assert((await page.locator(".vs-picked").count()) >= 1, "its text is marked");
}

async function withoutWorkers(context) {
  const server = await context.serve();
  const page = await context.newPage({ origins: [server.origin] });
  await page.addInitScript(() => {
    globalThis.Worker = class {
      constructor() {
        throw new Error("no workers here");
      }
    };
  });
  await page.goto(server.url);
  await context.ready(page);
  assert(/background worker/.test(await page.locator(at("notice")).first().innerText()), "it says so");
  await page.click(at("run"));
  assertEqual(await verdict(page), "Holds", "the verdict without a worker");
}

async function phone(context) {
  const { page } = await context.open({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });
  await page.click(at("run"));
  assertEqual(await verdict(page), "Holds", "the verdict on a phone");
  const sideways = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  assert(!sideways, "the page scrolls sideways");
  for (const name of ["Model", "Why", "View"]) await page.locator(".phone-tabs .tab", { hasText: name }).click();
  await context.screenshot(page, "phone");
}

async function access(context, colorScheme) {
  const { page } = await context.open({ colorScheme, bypassCSP: true, reducedMotion: "reduce", viewport: { width: 1440, height: 900 } });
  await context.checkAccess(page);
  await page.click(at("run"));
  await verdict(page);
  await page.click(at("certificate-toggle"));
  await context.checkAccess(page);
  await page.click(at("certificate-toggle"));
  for (const tab of ["path", "precision", "events", "graph"]) {
    await page.click(at(`tab-${tab}`));
    await page.keyboard.press("Shift+ArrowLeft");
    await context.checkAccess(page);
  }
  for (const card of ["gallery", "share", "options", "help"]) {
    await page.click(at(`open-${card}`));
    await context.checkAccess(page);
    await page.keyboard.press("Escape");
  }
  await page.keyboard.press("Home");
  await page.keyboard.press("Control+ArrowRight");
  for (let step = 0; step < 4; step += 1) await page.keyboard.press("Shift+ArrowLeft");
  await context.screenshot(page, `screen-${colorScheme}`);
}

export const tests = [
  { name: "figure 1 holds, and its first spurious counterexample has interpolants", run: runFigure1 },
  { name: "forward and back give the same picture", run: backAndForth },
  { name: "the graph can be shown as a list and back", run: listAndBack },
  { name: "the keyboard moves by event, phase and iteration", run: keyboard },
  { name: "the scrubber moves to any step", run: scrub },
  { name: "an error is shown at its position, and can be corrected", run: editWithError },
  { name: "an endless run is stopped and remains usable", run: cancelEndless },
  { name: "a run is paused and continued", run: pauseAndGoOn },
  { name: "a link restores the same step in a fresh profile", run: linkRoundTrip },
  { name: "broken links report what was lost", run: brokenLinks },
  { name: "the certificate is checked independently", run: checkIt },
  { name: "a violation has a trace that is accepted", run: traceOfViolation },
  { name: "strategies are options, and links carry them", run: strategies },
  { name: "a program in C", run: programInC },
  { name: "pictures of abstract and concrete states", run: pictures },
  { name: "one selection in all views", run: oneSelection },
  { name: "without workers the engine runs on the page's thread", run: withoutWorkers },
  { name: "a phone", run: phone },
  { name: "no axe-core violation in any state, light", run: (context) => access(context, "light") },
  { name: "no axe-core violation in any state, dark", run: (context) => access(context, "dark") },
];
