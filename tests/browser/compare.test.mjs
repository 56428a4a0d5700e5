// The page that compares strategies: rows run in turn, are measured, certified, exported, linked to and opened.
import { readFileSync } from "node:fs";
import { assert, assertEqual } from "./context.mjs";
import { at, save } from "./steps.mjs";

async function openCompare(context, hash = "", server = undefined) {
  server ??= await context.serve({});
  const page = await context.newPage({ origins: [server.origin] });
  await page.goto(`${server.url}compare.html${hash}`);
  await context.ready(page);
  await page.waitForSelector(at("run"));
  return { page, server };
}

/** The rows as texts of their cells. */
const rows = (page) =>
  page.locator(`${at("results")} tbody tr`).evaluateAll((all) =>
    all.map((row) => [...row.cells].map((cell) => cell.innerText.replace(/\s+/g, " ").trim())),
  );

async function downloaded(page, name) {
  const [file] = await Promise.all([page.waitForEvent("download"), page.click(at(name))]);
  return readFileSync(await file.path(), "utf8");
}

export const tests = [
  {
    name: "the strategies of auto are compared, exported, and opened in the stepper",
    async run(context) {
      const { page } = await openCompare(context);
      await page.waitForFunction(
        (s) => {
          const all = [...document.querySelectorAll(`${s} tbody tr`)];
          return all.length > 0 && all.every((row) => !/running|waiting|checking/.test(row.innerText));
        },
        at("results"),
      );
      const all = await rows(page);
      assert(all.length >= 7, "auto's strategies and the usual one");
      for (const row of all) assertEqual(row[2], "holds ✓ certified", `the verdict of ${row[1]}`);
      for (const row of all) assert(Number(row[3]) >= 1 && Number(row[4]) >= 5, `numbers of ${row[1]}: ${row}`);
      const numbers = (name) => all.find((row) => row[1] === name).slice(5, 7).map(Number);
      assert(numbers("pred-cart err blocks")[0] >= 1, "predicates are counted");
      assert(numbers("expl 1*")[1] >= 1, "variables are counted");
      assertEqual(await page.locator(".graph").count(), 2, "two graphs side by side");
      const whole = await page.locator(".graph .node").count();
      await page.locator(at("part")).fill("20");
      await page.waitForFunction((n) => document.querySelectorAll(".graph .node").length < n, whole);
      const { name, bytes } = await save(page, ".graph:first-child", "SVG");
      assert(/^graph(-\w+)+\.svg$/.test(name) && bytes.includes("<svg"), `${name}: ${bytes.subarray(0, 80)}`);
      const csv = await downloaded(page, "csv");
      assertEqual(csv.trim().split("\n").length, all.length + 1, "lines of the table");
      assert(csv.includes('"pred-cart err blocks",holds,true,'), csv);
      assert((await downloaded(page, "latex")).includes("\\begin{tabular}"), "a table for a paper");
      const [stepper] = await Promise.all([
        page.waitForEvent("popup"),
        page.locator(`${at("results")} tbody tr`, { hasText: "expl 1*" }).locator("a").click(),
      ]);
      await stepper.waitForSelector(at("verdict"));
      await stepper.click(at("open-options"));
      assertEqual(await stepper.locator(at("option-max-enum")).inputValue(), "1*", "the options of the row");
    },
  },
  {
    name: "sets and own configurations; a link carries them",
    async run(context) {
      const { page, server } = await openCompare(context);
      await page.click(at("preset-rq5"));
      await page.waitForFunction((s) => document.querySelectorAll(`${s} tbody tr`).length === 6, at("results"));
      await page.waitForSelector(at("run"));
      await page.click(".draft summary");
      await page.selectOption(at("option-domain"), "combined");
      await page.click(at("add"));
      await page.waitForFunction((s) => document.querySelectorAll(`${s} tbody tr`).length === 7, at("results"));
      await page.waitForSelector(at("run"));
      assertEqual((await rows(page))[6][2], "holds ✓ certified", "the verdict of the own configuration");
      await page.click(at("share"));
      const hash = new URL(page.url()).hash;
      const { page: other } = await openCompare(context, hash, server);
      assertEqual((await rows(other)).map((r) => r[1]).join(), (await rows(page)).map((r) => r[1]).join(), "the rows of the link");
    },
  },
  {
    name: "a run that does not terminate is stopped, and the next one starts",
    async run(context) {
      const { page } = await openCompare(context);
      await page.selectOption(at("limit"), "2");
      await page.selectOption(at("models"), { label: "Diverging refinement" });
      await page.click(`${at("results")} tbody tr:nth-child(3) .quiet`);
      await page.waitForFunction((s) => document.querySelector(s).innerText.includes("no answer in 2 s"), at("results"));
      await page.click(at("stop"));
      await page.waitForSelector(at("run"));
      const ended = (await rows(page)).find((r) => r[2] === "no answer in 2 s");
      assertEqual(ended.at(-1), "open", "a row without an answer can be watched, too");
      assert((await rows(page)).some((r) => r[2] === "waiting"), "the rest waits");
      // Runs that ended without an answer run again.
      await page.click(at("run"));
      await page.waitForSelector(at("stop"));
      assert((await rows(page)).every((r) => r[2] !== "stopped"), "stopped rows wait again");
    },
  },
  {
    name: "a model with an error is not run, and the error has a position",
    async run(context) {
      const { page } = await openCompare(context);
      await page.waitForSelector(".cm-content");
      await page.click(".cm-content");
      await page.keyboard.press("Control+End");
      await page.keyboard.insertText("garbage(");
      await page.click(at("run"));
      await page.waitForFunction(() => /cannot be read: \d+:\d+:/.test(document.querySelector(".notice")?.innerText ?? ""));
      assert((await rows(page)).every((r) => r[2] === "waiting"), "no row has run");
    },
  },
  {
    name: "rows do not run with a property that cannot be read, and run with the next one",
    async run(context) {
      const { page } = await openCompare(context);
      await page.fill(at("property"), "nobody >= 0");
      await page.click(at("run"));
      await page.waitForFunction(() => /^The property cannot be read(?!.*cannot be read)/s.test(document.querySelector(".notice")?.innerText ?? ""));
      assert((await rows(page)).every((r) => r[2] === "waiting"), "no row has run");
      await page.fill(at("property"), "x <= 1");
      await page.click(at("run"));
      await page.waitForFunction((s) => document.querySelector(s).innerText.includes("certified"), at("results"));
    },
  },
];
