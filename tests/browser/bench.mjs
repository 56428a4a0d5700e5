// Times of the page in Chromium: steps, jumps, dragging, long frames, Pause and Stop, and the first visit.
//   cargo xtask bench --browser [--dist FOLDER] [PART]
// Each line is the median and the worst of so many measurements, in milliseconds.
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { launch } from "./chromium.mjs";
import { Context } from "./context.mjs";
import { at, choose, setText } from "./steps.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const TIMES = 100;
/** Numbers of nodes of the graph at which a step is measured. */
const SIZES = [1_000, 6_000, 50_000];
/** A link of 1.6 Mbit/s with 150 ms, as the tools of browsers define slow 4G. */
const SLOW = { offline: false, latency: 150, downloadThroughput: 1.6e6 / 8, uploadThroughput: 750e3 / 8 };

function line(name, times) {
  const sorted = [...times].sort((a, b) => a - b);
  const [median, worst] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
  console.log(`${name.padEnd(52)}${median.toFixed(1).padStart(10)}${worst.toFixed(1).padStart(10)}  of ${sorted.length}`);
}

/** In the page: from an action to the frame that shows it. */
async function install(page) {
  await page.addInitScript(() => {
    globalThis.painted = (check = () => {}) =>
      new Promise((done) => {
        requestAnimationFrame(() => {
          check();
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => done(performance.now());
          port2.postMessage(0);
        });
      });
    globalThis.timed = async (act) => {
      const began = performance.now();
      act();
      return (await painted()) - began;
    };
    globalThis.counter = () => document.querySelector("[data-testid=counter]").textContent.split("/").map(Number);
    // From a key to the frame that shows another step.
    globalThis.press = async (key) => {
      const [[before], began] = [counter(), performance.now()];
      document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
      for (let shown = false; ; ) {
        const now = await painted(() => (shown = counter()[0] !== before));
        if (shown) return now - began;
      }
    };
    globalThis.frames = [];
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) frames.push(entry.duration);
    }).observe({ type: "long-animation-frame", buffered: true });
  });
}

async function opened(context, profile = {}) {
  const server = await context.serve();
  const page = await context.newPage({ origins: [server.origin], ...profile });
  await install(page);
  await page.goto(server.url);
  await context.ready(page);
  return page;
}

async function parity(context, profile) {
  const page = await opened(context, profile);
  await choose(page, "parity");
  await page.click(at("open-options"));
  await page.selectOption(at("option-domain"), "expl");
  await page.keyboard.press("Escape");
  await page.waitForSelector(`${at("run")}:not([disabled])`);
  return page;
}

/** Steps and jumps in a run of 200 000 events. */
async function steps(context) {
  const page = await parity(context);
  await page.click(at("run"));
  await page.waitForSelector(at("verdict"), { timeout: 300_000 });
  const [, events] = await page.evaluate(() => counter());
  const caption = (await page.locator(`${at("view-panel")} .about p`).first().innerText()).replaceAll(",", "");
  const nodes = Number(/(\d+) nodes/.exec(caption)?.[1] ?? 0);
  console.log(`parity with explicit values: ${events} events, ${nodes} nodes`);
  for (const size of SIZES.filter((size) => size < nodes)) {
    const step = Math.round((events * size) / nodes);
    const box = await page.locator(at("scrubber")).boundingBox();
    await page.mouse.click(box.x + (box.width * step) / events, box.y + box.height / 2);
    await page.waitForTimeout(1_500);
    for (const [key, name] of [["ArrowRight", "forward"], ["ArrowLeft", "back"]]) {
      const times = await page.evaluate(
        async ([key, times]) => {
          const all = [];
          for (let time = 0; time < times; time += 1) {
            all.push(await press(key));
            await new Promise((done) => setTimeout(done, 30));
          }
          return all;
        },
        [key, TIMES],
      );
      line(`a step ${name} at ${size} nodes`, times);
    }
  }
  for (const key of ["Home", "End"]) {
    const times = [];
    for (let time = 0; time < TIMES / 5; time += 1) {
      await page.keyboard.press(key === "Home" ? "End" : "Home");
      await page.waitForTimeout(100);
      times.push(await page.evaluate((key) => press(key), key));
      await page.waitForTimeout(100);
    }
    line(`${key} in a run of ${events} events`, times);
  }
}

/** Dragging and zooming the graph, a frame after each move. */
async function dragging(context) {
  const page = await parity(context);
  await page.click(at("run"));
  await page.waitForFunction(() => counter()[1] > 4_000);
  await page.click(at("stop"));
  await page.waitForSelector(at("verdict"));
  await page.waitForTimeout(1_000);
  const nodes = await page.locator("[data-testid=arg] .node").count();
  const move = (kind) =>
    page.evaluate(
      async ([kind, times]) => {
        const drawing = document.querySelector("[data-testid=arg]");
        const box = drawing.getBoundingClientRect();
        const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
        const pointer = (type, by) =>
          drawing.dispatchEvent(new PointerEvent(type, { pointerId: 1, bubbles: true, button: 0, buttons: 1, clientX: x + by, clientY: y + by }));
        if (kind === "drag") pointer("pointerdown", 0);
        const all = [];
        for (let time = 0; time < times; time += 1) {
          const wheel = () =>
            drawing.dispatchEvent(new WheelEvent("wheel", { deltaY: time % 20 < 10 ? 30 : -30, clientX: x, clientY: y, bubbles: true, cancelable: true }));
          all.push(await timed(() => (kind === "drag" ? pointer("pointermove", 2 * (time % 50)) : wheel())));
        }
        if (kind === "drag") pointer("pointerup", 0);
        return all;
      },
      [kind, TIMES],
    );
  line(`a frame while dragging, ${nodes} nodes in sight`, await move("drag"));
  line(`a frame while zooming, ${nodes} nodes in sight`, await move("wheel"));
}

/** Dragging a location of an automaton, until it is drawn; an edge to a new one, until both are drawn. */
async function editing(context) {
  for (const size of [200, 1_000]) {
    const page = await opened(context);
    const rows = Array.from({ length: size - 1 }, (_, i) => `    loc s${i + 1}`).join("\n");
    const edges = Array.from({ length: size - 1 }, (_, i) => `    s${i >> 1} -> s${i + 1}`).join("\n");
    await setText(page, `main process big {\n    init loc s0\n${rows}\n${edges}\n}\n`);
    await page.waitForFunction(() => document.querySelector("[data-testid=cfa] .node text")?.textContent === "s0");
    const drag = await page.evaluate(async (times) => {
      const node = document.querySelector("[data-testid=cfa] .node[data-key=l0]");
      const box = node.getBoundingClientRect();
      const pointer = (type, by) =>
        document
          .querySelector("[data-testid=cfa] .node[data-key=l0] .box")
          .dispatchEvent(new PointerEvent(type, { pointerId: 1, bubbles: true, button: 0, buttons: type === "pointerup" ? 0 : 1, clientX: box.x + 10 + by, clientY: box.y + 5 + by }));
      pointer("pointerdown", 0);
      const all = [];
      for (let time = 0; time < times; time += 1) all.push(await timed(() => pointer("pointermove", 4 + 2 * (time % 50))));
      pointer("pointercancel", 0);
      return all;
    }, TIMES);
    line(`a frame while a location is dragged, ${size} locations`, drag);
    const added = await page.evaluate(async (times) => {
      const all = [];
      for (let time = 0; time < times; time += 1) {
        document.querySelector("[data-testid=cfa] .node[data-key=l0]").focus();
        const began = performance.now();
        const known = document.querySelector("[data-testid=cfa]").getAttribute("aria-label");
        document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowDown", ctrlKey: true, bubbles: true, cancelable: true }));
        while (document.querySelector("[data-testid=cfa]").getAttribute("aria-label") === known) await painted();
        all.push(performance.now() - began);
      }
      return all;
    }, TIMES);
    line(`a location appended (written, parsed, laid out, drawn), ${size} locations`, added);
    await page.context().close();
  }
}

/** Long frames while runs work, and the answers of Pause and Stop. */
async function running(context) {
  const page = await parity(context);
  const [paused, stopped] = [[], []];
  const click = (name) =>
    page.evaluate(
      async (name) => {
        const began = performance.now();
        document.querySelector(`[data-testid=${name}]`).click();
        while (!document.querySelector("[data-testid=verdict]")) await painted();
        return performance.now() - began;
      },
      name,
    );
  await page.evaluate(() => frames.splice(0));
  for (let time = 0; time < 10; time += 1) {
    await page.click(at("run"));
    await page.waitForFunction(() => counter()[1] > 20_000, null, { timeout: 60_000 });
    paused.push(await click("pause"));
    await page.click(at("continue"));
    await page.waitForSelector(at("verdict"), { state: "detached" });
    await page.waitForTimeout(300);
    stopped.push(await click("stop"));
  }
  const long = await page.evaluate(() => frames);
  line("Pause, until it is shown", paused);
  line("Stop, until it is shown", stopped);
  line(`frames of more than 50 ms while running (${long.length})`, [0, ...long]);
}

/**
 * The first visit over a slow link, from the request of the page: until Run is painted, and until the verdict is, when
 * Run is pressed as soon as that is possible.
 */
async function visit(context) {
  const [usable, first] = [[], []];
  for (let time = 0; time < 3; time += 1) {
    const server = await context.serve();
    const page = await context.newPage({ origins: [server.origin], serviceWorkers: "block" });
    await install(page);
    await page.addInitScript(([run, verdict]) => {
      const there = (selector) =>
        new Promise((done) => {
          const check = () => (document.querySelector(selector) ? done(painted()) : requestAnimationFrame(check));
          check();
        });
      globalThis.times = Promise.all([there(run), there(verdict)]);
      there(`${run}:not([disabled])`).then(() => document.querySelector(run).click());
    }, [at("run"), at("verdict")]);
    const session = await page.context().newCDPSession(page);
    await session.send("Network.emulateNetworkConditions", SLOW);
    await page.goto(server.url, { waitUntil: "commit" });
    const times = await page.evaluate(() => times);
    usable.push(times[0]);
    first.push(times[1]);
    await page.context().close();
  }
  line("first visit over slow 4G, until Run is there", usable);
  line("first visit over slow 4G, until the first verdict", first);
}

const PARTS = { steps, dragging, editing, running, visit };

async function main() {
  const words = process.argv.slice(2);
  const place = words.indexOf("--dist");
  const dist = place < 0 ? resolve(here, "../../dist") : resolve(words.splice(place, 2)[1]);
  if (!existsSync(join(dist, "index.html"))) throw new Error("there is no built page: run `cargo xtask dist` first");
  const unknown = words.find((word) => !(word in PARTS));
  if (unknown) throw new Error(`there is no part ${unknown}; there are ${Object.keys(PARTS).join(", ")}`);
  const browser = await launch();
  console.log(`Chromium ${browser.version()}${" ".repeat(30)}median     worst  (ms)`);
  try {
    for (const [name, part] of Object.entries(PARTS)) {
      if (words.length > 0 && !words.includes(name)) continue;
      const context = new Context({ browser, dist, out: join(here, "out") });
      await part(context);
      await context.close();
    }
  } finally {
    await browser.close();
  }
}

try {
  await main();
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
