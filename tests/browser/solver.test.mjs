// The solver's page: scripts and their answers, the search step by step, proofs, interpolants, and its link from a run.
import { assert, assertEqual } from "./context.mjs";
import { at, save } from "./steps.mjs";

async function openSolver(context, hash = "", options = {}) {
  const server = await context.serve({});
  const page = await context.newPage({ origins: [server.origin], ...options });
  await page.goto(`${server.url}solver.html${hash}`);
  await context.ready(page);
  await page.waitForSelector(at("search"));
  return { page, server };
}

async function choose(page, label) {
  await page.selectOption(at("scripts"), { label });
  await page.waitForFunction(
    ([search, text]) => document.querySelector(search) && document.querySelector("select").selectedOptions[0].label === text,
    [at("search"), label],
  );
}

/** Writes a script into the editor and runs it. */
async function runScript(page, text) {
  await page.waitForSelector(".cm-content");
  await page.click(".cm-content");
  await page.keyboard.press("Control+A");
  await page.keyboard.insertText(text);
  await page.click(at("run"));
  await page.waitForSelector(at("run"));
}

async function press(page, ...keys) {
  await page.click(".zoom header h2");
  for (const key of keys) await page.keyboard.press(key);
}

const text = (page, name) => page.locator(at(name)).innerText();

export const tests = [
  {
    name: "a search is stepped forward and back to the same picture",
    async run(context) {
      const { page } = await openSolver(context);
      await choose(page, "Conflicts and learned clauses");
      await press(page, "Shift+ArrowRight");
      assert((await text(page, "said")).includes("Conflict"), "the first conflict is shown");
      await page.waitForSelector(at("conflict"));
      const before = await page.locator(at("search")).innerHTML();
      await press(page, "ArrowRight", "ArrowRight", "ArrowRight", "ArrowLeft", "ArrowLeft", "ArrowLeft");
      assertEqual(await page.locator(at("search")).innerHTML(), before, "the picture");
      await press(page, "End");
      assert((await text(page, "said")).includes("Unsatisfiable"), "the last step shows the answer");
    },
  },
  {
    name: "pivots show the tableau, differences the graph with its cycle",
    async run(context) {
      const { page } = await openSolver(context);
      await choose(page, "Pivots of the simplex");
      await press(page, "End");
      assert((await page.locator(`${at("arithmetic")} td .is-conflict`).count()) >= 2, "the bounds to blame are marked");
      assert((await page.locator(`${at("arithmetic")} .legend`).innerText()).includes("part of the conflict"), "the legend");
      const { name, bytes } = await save(page, at("arithmetic"), "SVG");
      assertEqual(name, "tableau.svg", "the file");
      assert(bytes.toString().includes("x + y"), "the tableau is in the file");
      await choose(page, "A cycle of differences");
      await press(page, "End");
      await page.waitForSelector(`${at("differences")} .edge.is-conflict`, { state: "attached" });
      assertEqual(await page.locator(`${at("differences")} .edge.is-conflict`).count(), 4, "edges of the cycle");
      assertEqual(await page.locator(`${at("differences")} .edge.is-refused`).count(), 1, "the edge that closes it");
      await page.click(at("tab-proof"));
      await page.click(at("show-cycle"));
      await page.waitForSelector(`${at("cycle")} .edge.is-conflict`);
      assertEqual(await page.locator(`${at("cycle")} .edge.is-conflict`).count(), 4, "the cycle of the lemma");
    },
  },
  {
    name: "interpolants change with the cut, and their conditions are checked",
    async run(context) {
      const { page } = await openSolver(context);
      await page.click(at("tab-interpolants"));
      await page.waitForSelector(at("interpolant"));
      assertEqual(await text(page, "interpolant"), "x1 ≤ 1", "interpolant in the middle");
      await page.locator(at("cut")).fill("1");
      await page.waitForFunction((s) => document.querySelector(s)?.textContent === "x0 ≤ 0", at("interpolant"));
      assertEqual(await page.locator(".interpolation .ticks li.yes").count(), 3, "conditions that hold");
      await page.click(at("tab-proof"));
      const empty = page.locator(`${at("proof")} .lit.none`);
      assertEqual(await empty.count(), 1, "empty clauses");
      const nodes = page.locator(`${at("refutation")} .node`);
      // Small graphs are drawn as a whole.
      await nodes.first().waitFor({ state: "attached" });
      assertEqual(await nodes.count(), await page.locator(".proof-step").count(), "clauses of the graph");
      await nodes.last().dispatchEvent("click");
      await page.waitForSelector(`.proof-step.picked, ${at("refutation")} .node.related`);
      assert((await page.locator(`${at("refutation")} .node.related`).count()) > 1, "the premises are marked");
      assertEqual(await page.locator(".proof-step.picked").count(), 1, "the clause in the list");
    },
  },
  {
    name: "errors are answers with a position, and a link carries the script",
    async run(context) {
      const { page, server } = await openSolver(context);
      const script = "(declare-const x Int)\n(assert (> y 2))\n(check-sat)\n";
      await runScript(page, script);
      await page.waitForFunction((s) => document.querySelector(s).textContent.includes("error"), at("answers"));
      await page.waitForSelector(".cm-lint-marker-error, .cm-lintRange-error");
      await runScript(page, script.replace("y", "x"));
      await page.waitForFunction((s) => document.querySelector(s).textContent.includes("sat"), at("answers"));
      await page.waitForSelector(at("search"));
      await press(page, "ArrowRight", "ArrowRight");
      await page.click(at("share"));
      const copy = await context.newPage({ origins: [server.origin] });
      await copy.goto(page.url());
      await context.ready(copy);
      await copy.waitForFunction(() => document.querySelector(".cm-content")?.textContent.includes("(> x 2)"));
      await copy.waitForFunction((s) => document.querySelector(s)?.textContent.startsWith("2 /"), at("step-counter"));
    },
  },
  {
    name: "a script that does not terminate can be stopped, and the next one runs",
    async run(context) {
      const { page } = await openSolver(context);
      const holes = 11;
      const names = [...Array(holes + 1).keys()].map((i) => `x${i}`);
      const inside = names.map((x) => `(<= 1 ${x} ${holes})`).join(" ");
      const declared = names.map((x) => `(declare-const ${x} Int)`).join("\n");
      await page.click(".cm-content");
      await page.keyboard.press("Control+A");
      await page.keyboard.insertText(`${declared}\n(assert (and ${inside}))\n(assert (distinct ${names.join(" ")}))\n(check-sat)`);
      await page.click(at("run"));
      await page.click(at("stop"));
      await page.waitForSelector(at("run"));
      assert((await text(page, "answers")).includes("Stopped"), "the answer is missing");
      await page.click(at("run"));
      // Another script stops the running one.
      await choose(page, "A chain and its interpolants");
      await page.waitForFunction((s) => document.querySelector(s)?.textContent.includes("unsat"), at("answers"));
      assert((await text(page, "answers")).includes("unsat"), "the engine answers again");
    },
  },
  {
    name: "a step of a run opens its solver query",
    async run(context) {
      const { page } = await context.open();
      await page.click(at("run"));
      await page.waitForSelector(at("verdict"));
      // The step in which the path is refuted.
      await page.getByRole("tab", { name: "Events" }).click();
      await page.keyboard.press("Home");
      const rows = page.locator(".events button", { hasText: /refuted/i });
      await rows.first().click();
      const popup = page.waitForEvent("popup");
      await page.click(at("ask-solver"));
      const solver = await popup;
      await context.ready(solver);
      // The script requests interpolants, so these are shown.
      await solver.waitForSelector(at("interpolant"));
      assert((await text(solver, "asked")).includes("contradict"), "the query is shown");
      assert((await text(solver, "answers")).includes("unsat"), "and answered");
      const back = await solver.locator(`${at("asked")} a`).getAttribute("href");
      assert(back.startsWith("./#1"), "the way back is a link to the step");
    },
  },
  {
    name: "it is accessible in both colours, and fits a phone",
    async run(context) {
      for (const colorScheme of ["light", "dark"]) {
        const { page } = await openSolver(context, "", { bypassCSP: true, colorScheme });
        await choose(page, "Conflicts and learned clauses");
        await press(page, "Shift+ArrowRight");
        await context.checkAccess(page);
        await page.click(at("tab-proof"));
        await context.checkAccess(page);
        await interpolants(page);
        await context.checkAccess(page);
      }
      const { page } = await openSolver(context, "", { viewport: { width: 390, height: 844 } });
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert(wide <= 390, `the page is ${wide} pixels wide`);
    },
  },
];

async function interpolants(page) {
  await page.click(at("tab-interpolants"));
  await page.waitForSelector(at("interpolant"));
}
