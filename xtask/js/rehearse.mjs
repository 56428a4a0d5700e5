// A first visit, as a rehearsal in a browser: which functions of the page and of its engine does a visitor wait for?
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launch } from "../../tests/browser/chromium.mjs";
import { instrument, withImport } from "./split.mjs";
import { serveFolder } from "./static-server.mjs";

const at = (name) => `[data-testid="${name}"]`;
const [LARGE, SMALL] = [{ width: 1280, height: 800 }, { width: 390, height: 800 }];
const STEPS = 8;
/** Visits with slower and slower processors: what is drawn in between depends on the time. */
const SLOWER = [1, 3, 8];

/** So late, in milliseconds, that the page shows that the engine is at work. */
const LATE = 400;

/** Gives requests and drawings time to end, in milliseconds. */
const pause = (page, time = 60) => page.waitForTimeout(time);

/** Opens an address on a large and a small screen, while the engine is held back; gives a function that lets it go. */
async function open(page, url) {
  let release;
  const held = new Promise((done) => (release = done));
  await page.route("**/engine.js", (route) => held.then(() => route.continue()));
  await page.goto(url, { waitUntil: "commit" });
  await page.waitForSelector(at("counter"));
  for (const size of [LARGE, SMALL, LARGE]) {
    await page.setViewportSize(size);
    await pause(page, 300);
  }
  return release;
}

/** Runs the model, and shows some steps backwards and forwards. */
async function run(page) {
  await page.click(`${at("run")}:not([disabled])`);
  await page.waitForSelector(at("verdict"));
  const keys = [...Array(STEPS).fill("ArrowLeft"), "Home", ...Array(STEPS).fill("ArrowRight"), "End"];
  for (const key of keys) {
    await page.keyboard.press(key);
    await pause(page);
  }
  // The address has the step after a while.
  await pause(page, 700);
}

/** Holds back what the page asks of its engine. */
function delay(time) {
  const post = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function (...request) {
    setTimeout(() => post.apply(this, request), time);
  };
}

/** Makes the program write down each function that it enters. */
function watch(program) {
  const [js, wasm] = [`${program}.js`, `${program}_bg.wasm`];
  const note = "enter: (number) => (globalThis.entered ??= new Set()).add(number)";
  writeFileSync(js, withImport(readFileSync(js, "utf8"), note));
  writeFileSync(wasm, instrument(readFileSync(wasm)));
}

const entered = () => [...(globalThis.entered ?? [])];

/**
 * The numbers of the functions of the app that are entered until it appears, of those that are entered until a model has
 * been run and shown step by step, and of those of the engine until then; the built page is in `folder`, and both
 * programs are given by their names.
 */
export async function rehearse(folder, app, engine) {
  const copy = mkdtempSync(join(tmpdir(), "veristep-rehearsal-"));
  cpSync(folder, copy, { recursive: true });
  [app, engine].forEach((program) => watch(join(copy, program)));
  const browser = await launch();
  const server = await serveFolder(copy);
  const all = { app: new Set(), run: new Set(), engine: new Set() };
  const visit = async (address, continued, { slower = 1, late = 0 } = {}) => {
    const page = await browser.newPage({ serviceWorkers: "block" });
    if (late > 0) await page.addInitScript(delay, late);
    const session = await page.context().newCDPSession(page);
    await session.send("Emulation.setCPUThrottlingRate", { rate: slower });
    const release = await open(page, address);
    (await page.evaluate(entered)).forEach((number) => all.app.add(number));
    release();
    await continued(page);
    (await page.evaluate(entered)).forEach((number) => all.run.add(number));
    for (const worker of page.workers()) (await worker.evaluate(entered)).forEach((number) => all.engine.add(number));
    return page.url();
  };
  try {
    let link = server.url;
    for (const slower of SLOWER) link = await visit(server.url, run, { slower });
    await visit(server.url, run, { late: LATE });
    await visit(link, (page) => page.waitForSelector(at("verdict")));
    return all;
  } finally {
    await browser.close();
    await server.close();
    rmSync(copy, { recursive: true });
  }
}
