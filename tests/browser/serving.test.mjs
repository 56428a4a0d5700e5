// The page works on any static host, sends no requests elsewhere, and opens without a network.
import { cpSync, readFileSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, assertEqual } from "./context.mjs";
import { STRICT_CSP, hostPage } from "./hosts.mjs";
import { at, choose } from "./steps.mjs";

async function visibleText(where) {
  return (await where.locator("body").innerText()).trim();
}

async function insideIframe(context, sandbox) {
  const server = await context.serve();
  const host = await context.serveHtml(hostPage(server.url, sandbox));
  const page = await context.newPage({ origins: [server.origin, host.origin] });
  await page.goto(host.url);
  const frame = page.frames().find((one) => one.url().startsWith(server.origin)) ?? page.frames()[1];
  await context.ready(frame);
  assert((await visibleText(frame)).length > 0, "the page in the iframe is empty");
}

/** A copy of the page that looks like its next release: another title, other names of files. */
function nextRelease({ dist, out }) {
  const folder = join(out, "next-release");
  cpSync(dist, folder, { recursive: true });
  const boot = readdirSync(folder).find((name) => name.startsWith("boot-"));
  renameSync(join(folder, boot), join(folder, "boot-next.js"));
  for (const name of ["index.html", "sw.js"]) {
    const text = readFileSync(join(folder, name), "utf8").replaceAll(boot, "boot-next.js");
    const marked = text.replace("<title>", "<title>Next ").replace('RELEASE = "', 'RELEASE = "next');
    writeFileSync(join(folder, name), marked);
  }
  return folder;
}

async function showsNextRelease(context, page) {
  await context.ready(page);
  const loaded = await page.evaluate(() => document.querySelector("script[data-app-js]").src);
  assert(loaded.endsWith("/boot-next.js"), `the page was started by ${loaded}`);
}

export const tests = [
  {
    name: "under a sub-path, every file is found",
    async run(context) {
      const { server } = await context.open({ serve: { prefix: "/some/deep/path/" } });
      const missing = server.requests.filter((request) => request.status !== 200);
      assertEqual(missing, [], "requests that failed");
    },
  },
  {
    name: "programs travel compressed",
    async run(context) {
      const { page } = await context.open();
      const sizes = await page.evaluate(() =>
        performance.getEntriesByType("resource").filter((entry) => entry.name.endsWith(".wasm"))
          .map(({ encodedBodySize, decodedBodySize }) => [encodedBodySize, decodedBodySize]));
      assert(sizes.length > 0, "no program was loaded");
      for (const [sent, whole] of sizes) assert(sent > 0 && sent * 2 < whole, `${sent} of ${whole} bytes were sent`);
    },
  },
  {
    name: "a first run needs neither the rest of the engine nor that of the app",
    async run(context) {
      const server = await context.serve();
      const page = await context.newPage({ origins: [server.origin] });
      await page.route(/(app|engine)-\w+_rest/, () => {});
      await page.goto(server.url);
      await context.ready(page);
      await page.click(`${at("run")}:not([disabled])`);
      await page.waitForSelector(at("verdict"));
      for (const key of ["ArrowLeft", "ArrowLeft", "ArrowRight", "Home", "ArrowRight"]) await page.keyboard.press(key);
      await page.waitForFunction(() => /^1\b/.test(document.querySelector("[data-testid=counter]").textContent));
    },
  },
  {
    name: "parts that are not there yet are loaded when they are needed",
    async run(context) {
      // The request ahead for each part fails; the next one is that of a function that is needed.
      const refused = new Set();
      const refuse = (path) => {
        const part = /(app-\w+_run|app-\w+_rest|engine-\w+_rest)\.wasm$/.exec(path)?.[1];
        return part !== undefined && !refused.has(part) && Boolean(refused.add(part));
      };
      const server = await context.serve({ refuse });
      const page = await context.newPage({ origins: [server.origin], serviceWorkers: "block", allowErrors: [/404/] });
      await page.goto(server.url);
      await context.ready(page);
      for (let time = 0; time < 200 && refused.size < 3; time += 1) await page.waitForTimeout(25);
      await choose(page, "two-locks");
      await page.click(`${at("run")}:not([disabled])`);
      await page.waitForSelector(at("verdict"));
      await page.click(at("open-share"));
      await page.waitForSelector(at("share-url"));
      for (const part of refused) {
        const answers = server.requests.filter(({ path }) => path.includes(part)).map(({ status }) => status);
        assertEqual(answers.join(), "404,200", `the requests for ${part}`);
      }
    },
  },
  {
    name: "as index.html of a sub-path, with a query",
    async run(context) {
      const server = await context.serve({ prefix: "/x/" });
      const page = await context.newPage({ origins: [server.origin] });
      await page.goto(`${server.url}index.html?from=elsewhere`);
      await context.ready(page);
    },
  },
  {
    name: "under the strict CSP as a header",
    async run(context) {
      const { page } = await context.open({ serve: { csp: STRICT_CSP } });
      assert((await visibleText(page)).length > 0, "the page is empty");
    },
  },
  {
    name: "the editor loads under the strict CSP and shows an error",
    async run(context) {
      const { page } = await context.open({ serve: { csp: STRICT_CSP } });
      const seen = await page.evaluate(async () => {
        const { mount } = await globalThis.veristep.editor();
        const host = document.body.appendChild(document.createElement("div"));
        host.style.height = "200px";
        const changes = [];
        const editor = mount(host, { doc: "main process p {\n}", ariaLabel: "Trial", onChange: (text) => changes.push(text) });
        editor.setDoc("main process q {\n  var x : int\n}");
        editor.setDiagnostics([{ from: 18, to: 21, severity: "error", message: "no" }, { from: 900, to: 990, severity: "error", message: "far" }]);
        editor.highlight([{ from: 0, to: 4, cls: "trial" }, { from: 7, to: 5000, cls: "late" }]);
        editor.select(5, 12);
        await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
        const found = (selector) => host.querySelectorAll(selector).length;
        const result = {
          text: editor.getDoc(),
          changes,
          label: host.querySelector(".cm-content").getAttribute("aria-label"),
          errors: found(".cm-lintRange-error") > 0,
          decorated: host.querySelector(".trial")?.textContent,
        };
        editor.destroy();
        host.remove();
        return result;
      });
      assertEqual(
        seen,
        { text: "main process q {\n  var x : int\n}", changes: [], label: "Trial", errors: true, decorated: "main" },
        "the editor",
      );
    },
  },
  { name: "in an iframe of another origin", run: (context) => insideIframe(context) },
  {
    name: "in a sandboxed iframe of another origin",
    run: (context) => insideIframe(context, "allow-scripts allow-same-origin"),
  },
  {
    name: "where service workers are refused",
    run: (context) => context.open({ serviceWorkers: "block" }),
  },
  {
    name: "opens again without a network, editor and other pages included",
    async run(context) {
      const { page, server } = await context.open({ serve: { prefix: "/off/" } });
      await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
      // Only the kept copy is left.
      await (await page.context().newCDPSession(page)).send("Network.clearBrowserCache");
      await server.close();
      await page.reload();
      await context.ready(page);
      const editor = await page.evaluate(async () => typeof (await globalThis.veristep.editor()).mount);
      assertEqual(editor, "function", "the editor's mount");
      await choose(page, "traffic-light");
      await page.click(`${at("run")}:not([disabled])`);
      await page.waitForSelector(at("verdict"));
      await page.goto(`${server.url}formula.html`);
      await context.ready(page);
    },
  },
  {
    name: "a new release is shown at once, and then without a network",
    async run(context) {
      const { page, server } = await context.open();
      await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
      server.use(nextRelease(context.folders));
      await page.reload();
      await showsNextRelease(context, page);
      await page.evaluate(async () => {
        const registration = await navigator.serviceWorker.ready;
        while (registration.waiting === null) await new Promise((done) => setTimeout(done, 50));
      });
      // The new worker takes over when no page of the old release is open.
      const second = await page.context().newPage();
      await page.close();
      await second.waitForTimeout(500);
      await second.goto(server.url);
      await showsNextRelease(context, second);
      await server.close();
      await second.reload();
      await showsNextRelease(context, second);
    },
  },
];
