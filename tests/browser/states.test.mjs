// Transition systems: examples of every engine, the states over two variables, cells, and rounds.
import { assert, assertEqual } from "./context.mjs";
import { at, begin, choose, decide, save, setText, until, settled } from "./steps.mjs";

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
  // Values of enumerations have names.
  await page.waitForFunction((picture) => document.querySelector(picture)?.textContent.includes("Red"), at("depicted"));
}

/** The newest entry of the rounds is in view at each step; the first step has one, too. */
async function rounds(context) {
  const { page } = await context.open({ viewport: { width: 1024, height: 768 } });
  await choose(page, "fischer");
  await decide(page);
  await page.locator("body").click({ position: { x: 5, y: 5 } });
  const moves = ["Home", "ArrowRight", ...Array(30).fill("ArrowRight"), "End", "ArrowLeft"];
  for (const key of moves) {
    await page.keyboard.press(key);
    if (key === "Home") continue;
    await settled(page);
    const [entry, table] = await page.evaluate(() =>
      [".chip-entry.is-newest", ".scroll.grows"].map((selector) => document.querySelector(`.depicted ${selector}`).getBoundingClientRect().toJSON()));
    assert(entry.top >= table.top && entry.bottom <= table.bottom, `after ${key}: from ${entry.top} to ${entry.bottom} in ${table.top} to ${table.bottom}`);
  }
}

/** One variable is drawn on a line: of a model that has no other one, or if the second axis has none. */
async function line(context) {
  const { page } = await context.open();
  await choose(page, "parity");
  await decide(page);
  await page.click(at("tab-states"));
  await page.waitForSelector(`${at("depicted")} .region`, { state: "attached" });
  assertEqual((await page.locator(`${at("depicted")} .label.is-axis`).allTextContents()).join(), "x →", "the axis");
  await choose(page, "hajdu-micskei-figure-1");
  await decide(page);
  await page.waitForFunction(() => document.querySelectorAll(".depicted .label.is-axis").length === 2);
  await page.locator(".states select").nth(1).selectOption({ label: "none" });
  await page.waitForFunction(() => document.querySelectorAll(".depicted .label.is-axis").length === 1);
  await page.locator(".states select").nth(1).selectOption({ index: 1 });
  await page.waitForFunction(() => document.querySelectorAll(".depicted .label.is-axis").length === 2);
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

/** Pictures as files: of the model before a run, and of a step. */
async function files(context) {
  const { page } = await context.open();
  const model = await save(page, at("model-panel"), "SVG");
  assert(/^[\w-]+\.svg$/.test(model.name) && model.bytes.toString().startsWith("<svg"), `a drawing: ${model.name}`);
  await decide(page);
  const graph = await save(page, at("view-panel"), "PNG");
  assert(/-graph-\d+\.png$/.test(graph.name), graph.name);
  assertEqual([...graph.bytes.subarray(1, 4)], [..."PNG"].map((c) => c.charCodeAt(0)), "the signature of PNG");
  assert(graph.bytes.readUInt32BE(16) > 200 && graph.bytes.readUInt32BE(20) > 200, "its size");
  await page.click(at("tab-states"));
  await page.waitForSelector(`${at("view-panel")} ${at("save-picture")}`);
  const dot = await save(page, at("view-panel"), "DOT (Graphviz)");
  assert(/-states-\d+\.dot$/.test(dot.name) && dot.bytes.toString().startsWith("digraph"), dot.name);
  const tikz = await save(page, at("model-panel"), "TikZ (LaTeX)");
  assert(/-model-\d+\.tex$/.test(tikz.name) && tikz.bytes.toString().includes("tikzpicture"), tikz.name);
}

/** A node that is folded in a large graph is found and drawn. */
async function search(context) {
  const { page } = await context.open();
  await choose(page, "parity");
  await page.click(at("open-options"));
  await page.selectOption(at("option-domain"), "expl");
  await page.keyboard.press("Escape");
  await page.click(at("run"));
  await page.waitForFunction((counter) => Number(document.querySelector(counter).textContent.split("/")[1]) > 6000, at("counter"));
  await page.click(at("stop"));
  await page.waitForSelector(at("verdict"));
  const node = page.locator('[data-testid=arg] [data-key="n777"]');
  assert((await page.locator(`${at("view-panel")} .about`).innerText()).includes("of them drawn"), "a part is drawn");
  assert(!(await save(page, at("view-panel"), "SVG")).bytes.toString().includes("<title>n777 "), "it is folded");
  await page.fill(at("find-node"), "n777");
  await page.keyboard.press("Enter");
  await node.waitFor();
  const [inner, outer] = [await node.boundingBox(), await page.locator(at("arg")).boundingBox()];
  assert(inner.y > outer.y && inner.y + inner.height < outer.y + outer.height, "it is in view");
  await page.keyboard.press("Enter");
  await node.waitFor();
  assert((await save(page, at("view-panel"), "SVG")).bytes.toString().includes("<title>n777 "), "it is in the file");
  const fills = await page.locator(`${at("view-panel")} .minimap path`).evaluateAll((all) => all.map((one) => getComputedStyle(one).fill));
  assertEqual(new Set(fills).size, 2, "colours of the map");
  await page.fill(at("find-node"), "nowhere");
  await page.keyboard.press("Enter");
  assert(await page.locator(at("find-node")).evaluate((input) => !input.checkValidity()), "nothing is found");
}

/** The size for a projector, and back. */
async function projector(context) {
  const { page } = await context.open();
  const sizes = async () => [
    (await page.locator(at("run")).boundingBox()).height,
    await page.locator(`${at("cfa")} text`).first().evaluate((text) => text.getBoundingClientRect().height),
  ];
  const usual = await sizes();
  const until = async (good, what) => {
    for (let time = 0; time < 50; time += 1) {
      if ((await sizes()).every(good)) return;
      await page.waitForTimeout(100);
    }
    throw new Error(`${what}: ${await sizes()}, at first ${usual}`);
  };
  await page.locator("body").click({ position: { x: 5, y: 5 } });
  await page.keyboard.press("p");
  await until((size, i) => size > 1.2 * usual[i], "larger");
  await page.keyboard.press("p");
  await until((size, i) => Math.abs(size - usual[i]) < 0.5, "as before");
}

/** Seventy numbers from 0 to 68 that all differ: a query on which the solver gives up after many seconds. */
function pigeons() {
  const all = Array.from({ length: 70 }, (_none, i) => `p${i}`);
  const within = all.map((p) => `0 <= ${p} and ${p} < 69`);
  const differ = all.flatMap((p, i) => all.slice(0, i).map((q) => `${p} /= ${q}`));
  return `main process pigeons {
  ${all.map((p) => `var ${p} : int`).join("\n  ")}
  init loc a
  loc b
  error loc wrong
  a -> b { havoc p0 }
  b -> wrong { assume ${[...within, ...differ].join(" and ")} }
}`;
}

/** While the engine is in a query, another one explains the steps so far. */
async function longQuery(context) {
  const { page } = await context.open();
  await setText(page, pigeons());
  await page.click(at("run"));
  await page.waitForFunction((counter) => Number(document.querySelector(counter).textContent.split("/")[1]) > 3, at("counter"));
  await page.locator("body").click({ position: { x: 5, y: 5 } });
  for (const step of [1, 2]) {
    await page.keyboard.press("Home");
    for (let i = 0; i < step; i += 1) await page.keyboard.press("ArrowRight");
    await page.waitForFunction(([explanation, wanted]) => document.querySelector(explanation)?.dataset.step === wanted, [at("explanation"), `${step}`]);
  }
  assert(await page.locator(at("pause")).isVisible(), "the run still works");
  await page.click(at("tab-states"));
  await page.waitForSelector(`${at("view-panel")} .states .drawing .region`, { state: "attached" });
  await page.click(at("stop"));
  await page.waitForSelector(at("run"));
}

export const tests = [
  { name: "states, cells and splits are drawn", run: cells },
  { name: "every engine shows its result", run: engines },
  { name: "the newest round is in view", run: rounds },
  { name: "one variable is drawn on a line", run: line },
  { name: "a counterexample run is drawn", run: runs },
  { name: "pictures are saved as files", run: files },
  { name: "a folded node is found", run: search },
  { name: "a size for the projector", run: projector },
  { name: "steps are explained during a long query", run: longQuery },
];
