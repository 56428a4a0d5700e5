// Trunk's post-build hook. A release is made smaller, and app and engine are split into parts. Trunk hashes
// the app's files but neither the worker's nor plain copies, so a cached old worker could run with a new app: here every
// file that a page names gets a hash of its content. The service worker gets the list of files, and a development
// server's page may run its reload script.
import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { transformSync } from "esbuild";
import { rehearse } from "./rehearse.mjs";
import { shortenNames } from "./short-names.mjs";
import { split, withImport } from "./split.mjs";

const folder = process.env.TRUNK_STAGING_DIR;
const at = (name) => join(folder, name);
const read = (name) => readFileSync(at(name), "utf8");
const hash = (...parts) => {
  const sum = createHash("sha256");
  for (const part of parts) sum.update(part);
  return sum.digest("hex").slice(0, 12);
};

const pages = new Map(["index.html", "solver.html", "compare.html", "formula.html"].map((name) => [name, read(name)]));

/** Puts another text in the place of one that a page must have. */
function replaceIn(page, old, fresh) {
  const html = pages.get(page);
  if (!html.includes(old)) throw new Error(`${page} does not name ${old}`);
  pages.set(page, html.replaceAll(old, fresh));
}

const replaceInAll = (old, fresh) => [...pages.keys()].forEach((page) => replaceIn(page, old, fresh));

/** Gives the files of a program a name with a hash of all of them. */
function hashProgram(program, fresh = program) {
  const files = readdirSync(folder).filter((file) => file.startsWith(`${program}_`) && file.endsWith(".wasm"));
  const js = read(`${program}.js`);
  const name = `${fresh}-${hash(js, ...files.map((file) => readFileSync(at(file))))}`;
  const renamed = (file) => file.replace(program, name);
  writeFileSync(at(`${name}.js`), files.reduce((glue, file) => glue.replaceAll(file, renamed(file)), js));
  for (const file of files) renameSync(at(file), at(renamed(file)));
  rmSync(at(`${program}.js`));
  return name;
}

function hashApp() {
  const [, app] = pages.get("index.html").match(/\.\/(app-[0-9a-f]+)\.js/);
  replaceIn("index.html", app, hashProgram(app, "app"));
}

/** The first page loads the engine in parts; the others, whose questions are of all kinds, load it as a whole. */
function hashEngine() {
  const name = hashProgram("engine");
  replaceInAll('"engine.js"', `"${name}.js"`);
  if (existsSync(at(`${name}_rest.wasm`))) {
    for (const page of pages.keys()) if (page !== "index.html") replaceIn(page, `"${name}.js"`, `"${name}.js#whole"`);
  }
}

/** A page beside the first one, with a program of its own. */
function hashPage(program) {
  const name = hashProgram(program);
  const page = `${program}.html`;
  replaceIn(page, `"${program}.js"`, `"${name}.js"`);
  replaceIn(page, `"${program}_bg.wasm"`, `"${name}_bg.wasm"`);
  // Trunk has renamed the style sheet of the first page.
  const [styles] = pages.get("index.html").match(/app-[0-9a-f]+\.css/) ?? ["app.css"];
  replaceIn(page, '"app.css"', `"${styles}"`);
}

function hashPlain(path, named = [...pages.keys()]) {
  const fresh = path.replace(/\.(js|css)$/, `-${hash(read(path))}.$1`);
  renameSync(at(path), at(fresh));
  for (const page of named) {
    pages.set(page, pages.get(page).replaceAll(`"./${path}"`, `"${path}"`));
    replaceIn(page, `"${path}"`, `"${fresh}"`);
  }
}

function filesBelow(place) {
  return readdirSync(place, { withFileTypes: true }).flatMap((entry) => {
    const path = join(place, entry.name);
    return entry.isDirectory() ? filesBelow(path) : [relative(folder, path).split(sep).join("/")];
  });
}

function fillServiceWorker() {
  const skip = /^(?:index\.html|sw\.js|.*LICENSES\.txt)$/;
  const files = filesBelow(folder).filter((name) => !skip.test(name)).sort();
  const release = hash(...pages.values(), ...files.map((name) => `${name} ${hash(readFileSync(at(name)))}\n`));
  const script = read("sw.js")
    .replace('const RELEASE = "unbuilt";', `const RELEASE = ${JSON.stringify(release)};`)
    .replace("const FILES = [];", `const FILES = ${JSON.stringify(["./", ...files])};`);
  if (script.includes("unbuilt") || script.includes("FILES = [];")) throw new Error("sw.js has lost its blanks");
  writeFileSync(at("sw.js"), script);
}

/** The programs of the page, by the names of their glue: Trunk has hashed that of the app already. */
function programs() {
  const suffix = "_bg.wasm";
  return readdirSync(folder).filter((file) => file.endsWith(suffix)).map((file) => file.slice(0, -suffix.length));
}

/** Short names between glue and wasm; only in a release, where their size counts. */
function shorten(program) {
  const { js, wasm } = shortenNames(read(`${program}.js`), readFileSync(at(`${program}_bg.wasm`)));
  writeFileSync(at(`${program}.js`), js);
  writeFileSync(at(`${program}_bg.wasm`), wasm);
}

/** Glue and style sheet without blanks and comments; only in a release, where their size counts. */
function minify() {
  for (const name of readdirSync(folder).filter((file) => file !== "sw.js" && /\.(?:js|css)$/.test(file))) {
    const loader = name.endsWith(".css") ? "css" : "js";
    const { code } = transformSync(read(name), { loader, minify: true, format: loader === "js" ? "esm" : undefined });
    writeFileSync(at(name), code);
  }
}

/** Adds a text to the glue of a program. */
function addToGlue(program, text) {
  writeFileSync(at(`${program}.js`), `${read(`${program}.js`)}\n${text}\n`);
}

/** A program in parts, which are loaded when they are needed or before; the later ones have these names. */
function splitProgram(program, sets, names) {
  const [first, ...later] = split(readFileSync(at(`${program}_bg.wasm`)), sets);
  writeFileSync(at(`${program}_bg.wasm`), first);
  const files = names.map((name) => `${program}_${name}.wasm`);
  files.forEach((file, part) => writeFileSync(at(file), later[part]));
  const started = "wasm.__wbindgen_start();";
  const needs = files.map((_, part) => `need${part}: () => need(${part})`).join(", ");
  const glue = withImport(read(`${program}.js`), needs);
  if (!glue.includes(started)) throw new Error(`the glue of ${program} does not start it as expected`);
  const loader = readFileSync(new URL("rest.js", import.meta.url));
  const text = `const PARTS = ${JSON.stringify(files)};\n${loader}\n${glue.replace(started, `begin(); ${started}`)}`;
  writeFileSync(at(`${program}.js`), text);
}

addToGlue("engine", "await __wbg_init();");
if (process.env.TRUNK_PROFILE === "release") {
  programs().forEach(shorten);
  const app = programs().find((program) => program.startsWith("app-"));
  const entered = await rehearse(folder, app, "engine");
  splitProgram(app, [entered.app, entered.run], ["run", "rest"]);
  splitProgram("engine", [entered.engine], ["rest"]);
  addToGlue("engine", "ahead(0);");
  minify();
}
hashApp();
hashEngine();
hashPage("solver");
hashPage("compare");
hashPage("formula");
hashPlain("boot.js");
hashPlain("vendor/editor.js", ["index.html", "solver.html", "compare.html", "formula.html"]);
hashPlain("vendor/files.js", ["index.html"]);
hashPlain("solver.css", ["solver.html"]);
hashPlain("compare.css", ["compare.html"]);
hashPlain("formula.css", ["formula.html"]);
const developing = pages.get("index.html").includes("__TRUNK_ADDRESS__");
if (developing) {
  // `trunk serve` adds an inline script and a web socket; a stale copy must never be kept either.
  replaceIn("index.html", "script-src 'self'", "script-src 'self' 'unsafe-inline'");
  replaceIn("index.html", "connect-src 'self'", "connect-src 'self' ws: wss:");
  if (existsSync(at("sw.js"))) rmSync(at("sw.js"));
} else {
  replaceInAll('<meta name="offline" content="">', '<meta name="offline" content="sw.js">');
}
pages.forEach((html, page) => writeFileSync(at(page), html));
if (!developing) fillServiceWorker();
