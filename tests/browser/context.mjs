// The context of a browser test: servers and fresh pages that are watched for errors and foreign requests,
// and a few helpers. Everything a test opens is closed after it.
import { mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { serveFolder, serveHtml } from "../../xtask/js/static-server.mjs";

const READY = 'body[data-ready="true"]';
const READY_WITHIN = 20_000;

export class Context {
  #browser;
  #dist;
  #out;
  #closers = [];
  #watched = [];

  constructor({ browser, dist, out }) {
    this.#browser = browser;
    this.#dist = dist;
    this.#out = out;
  }

  /** Serves the built page; options as in static-server.mjs. */
  async serve(options) {
    const server = await serveFolder(this.#dist, options);
    this.#closers.push(() => server.close());
    return server;
  }

  /** The built page's folder, and one for what tests write. */
  get folders() {
    mkdirSync(this.#out, { recursive: true });
    return { dist: this.#dist, out: this.#out };
  }

  /** Serves an HTML text on an origin of its own. */
  async serveHtml(html) {
    const server = await serveHtml(html);
    this.#closers.push(() => server.close());
    return server;
  }

  /**
   * A page in a fresh profile. Requests to an origin not in `origins`, console errors and uncaught
   * errors fail the test, unless their text matches one of `allowErrors`.
   */
  async newPage({ origins = [], allowErrors = [], ...options } = {}) {
    const profile = await this.#browser.newContext({
      viewport: { width: 1280, height: 800 },
      reducedMotion: "reduce",
      ...options,
    });
    this.#closers.unshift(() => profile.close());
    const page = await profile.newPage();
    const allowed = new Set(origins);
    const faults = [];
    const fault = (text) => {
      if (!allowErrors.some((pattern) => pattern.test(text))) faults.push(text);
    };
    profile.on("request", (request) => {
      const url = new URL(request.url());
      if (/^https?:|^wss?:/.test(url.protocol) && !allowed.has(url.origin)) fault(`request to ${url.href}`);
    });
    profile.on("console", (message) => {
      if (message.type() === "error") fault(`console: ${message.text()} (${message.location().url})`);
    });
    profile.on("weberror", (error) => fault(`uncaught: ${error.error()}`));
    page.on("crash", () => fault("the page crashed"));
    this.#watched.push(faults);
    return page;
  }

  /** Serves the page, opens it in a fresh profile and waits until it is ready. */
  async open({ hash = "", serve = {}, ...options } = {}) {
    const server = await this.serve(serve);
    const page = await this.newPage({ origins: [server.origin], ...options });
    await page.goto(server.url + hash);
    await this.ready(page);
    return { page, server };
  }

  /** Waits for the app's mark; takes a page or a frame. */
  async ready(where) {
    await where.waitForSelector(READY, { state: "attached", timeout: READY_WITHIN });
  }

  /** Writes a picture to tests/browser/out and gives its path. */
  async screenshot(page, name, options = {}) {
    const path = join(this.folders.out, `${name}.png`);
    await page.screenshot({ path, ...options });
    return path;
  }

  /** Runs axe-core on the page (open it with `bypassCSP: true`) and fails on any violation. */
  async checkAccess(page) {
    const path = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
    await page.addScriptTag({ path });
    // The editor, which is loaded last, replaces a text field.
    await page.waitForFunction(() => !document.querySelector(".editor-host:not(:has(.cm-editor))"));
    const { violations } = await page.evaluate(() => globalThis.axe.run(document));
    const lines = violations.map((one) => {
      const places = one.nodes.slice(0, 3).map((node) => node.target.join(" "));
      return `${one.id}: ${one.help} (${places.join("; ")})`;
    });
    assert(lines.length === 0, `axe-core found:\n    ${lines.join("\n    ")}`);
  }

  /** What went wrong on the pages of this test, one text each. */
  faults() {
    return this.#watched.flat();
  }

  /** The same, and forgets them: for tests that cause a fault on purpose. */
  takeFaults() {
    return this.#watched.flatMap((faults) => faults.splice(0));
  }

  async close() {
    for (const closer of this.#closers) await closer().catch(() => {});
  }
}

export function assert(condition, message) {
  if (!condition) throw new Error(message);
}

export function assertEqual(actual, expected, what = "value") {
  const [left, right] = [JSON.stringify(actual), JSON.stringify(expected)];
  assert(left === right, `${what}: expected ${right}, got ${left}`);
}
