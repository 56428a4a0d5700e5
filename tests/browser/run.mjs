// Runs the browser tests: every tests/browser/*.test.mjs exports `tests = [{name, run(ctx)}]`.
//   node tests/browser/run.mjs [--dist FOLDER] [--list] [FILTER]
// FILTER is a part of "file: name". The last line is "N passed, M failed".
import { existsSync, readdirSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { launch } from "./chromium.mjs";
import { Context } from "./context.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const out = join(here, "out");
const TEST_WITHIN = 120_000;

function options(words) {
  const chosen = { dist: resolve(here, "../../dist"), list: false, filter: "" };
  while (words.length > 0) {
    const word = words.shift();
    if (word === "--dist") chosen.dist = resolve(words.shift() ?? "");
    else if (word === "--list") chosen.list = true;
    else chosen.filter = word;
  }
  return chosen;
}

async function collect(filter) {
  const files = readdirSync(here).filter((file) => file.endsWith(".test.mjs")).sort();
  const all = [];
  for (const file of files) {
    const { tests } = await import(pathToFileURL(join(here, file)).href);
    for (const test of tests) all.push({ ...test, name: `${file.replace(/\.test\.mjs$/, "")}: ${test.name}` });
  }
  return all.filter((test) => test.name.includes(filter));
}

function within(milliseconds, promise) {
  let timer;
  const late = new Promise((_done, failed) => {
    timer = setTimeout(() => failed(new Error(`not done within ${milliseconds / 1000} s`)), milliseconds);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

async function runOne(browser, dist, test) {
  const context = new Context({ browser, dist, out });
  const began = performance.now();
  let problem = null;
  try {
    await within(test.within ?? TEST_WITHIN, Promise.resolve(test.run(context)));
  } catch (error) {
    problem = error?.stack ?? String(error);
  }
  const faults = context.faults();
  if (faults.length > 0) problem = [problem, ...faults].filter(Boolean).join("\n");
  await context.close();
  const time = `${Math.round(performance.now() - began)} ms`;
  console.log(problem ? `FAIL ${test.name} (${time})` : `pass ${test.name} (${time})`);
  if (problem) console.log(problem.replace(/^/gm, "     "));
  return !problem;
}

async function main() {
  const { dist, list, filter } = options(process.argv.slice(2));
  const tests = await collect(filter);
  if (list) {
    for (const test of tests) console.log(test.name);
    return 0;
  }
  if (!existsSync(join(dist, "index.html"))) throw new Error("there is no built page: run `cargo xtask dist` first");
  rmSync(out, { recursive: true, force: true });
  const browser = await launch();
  console.log(`Chromium ${browser.version()}, ${tests.length} tests`);
  let passed = 0;
  try {
    for (const test of tests) passed += (await runOne(browser, dist, test)) ? 1 : 0;
  } finally {
    await browser.close();
  }
  console.log(`${passed} passed, ${tests.length - passed} failed`);
  return passed === tests.length && tests.length > 0 ? 0 : 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
