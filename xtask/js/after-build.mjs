// Trunk's post-build hook. Trunk hashes the app's files but neither the worker's nor plain copies, so a
// kept old worker could meet a new app. Here every file that index.html names gets a content hash, the
// service worker gets the list of files, and a development server's page gets leave for its reload script.
import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { transformSync } from "esbuild";

const folder = process.env.TRUNK_STAGING_DIR;
const at = (name) => join(folder, name);
const read = (name) => readFileSync(at(name), "utf8");
const hash = (...parts) => {
  const sum = createHash("sha256");
  for (const part of parts) sum.update(part);
  return sum.digest("hex").slice(0, 12);
};

let html = read("index.html");

function replaceInHtml(old, fresh) {
  if (!html.includes(old)) throw new Error(`index.html does not name ${old}`);
  html = html.replaceAll(old, fresh);
}

function hashEngine() {
  const js = read("engine.js");
  const wasm = readFileSync(at("engine_bg.wasm"));
  const name = `engine-${hash(js, wasm)}`;
  writeFileSync(at(`${name}.js`), js.replaceAll("engine_bg.wasm", `${name}_bg.wasm`));
  renameSync(at("engine_bg.wasm"), at(`${name}_bg.wasm`));
  rmSync(at("engine.js"));
  rmSync(at("engine_loader.js"));
  writeFileSync(at(`${name}_loader.js`), `import init from './${name}.js';await init();\n`);
  replaceInHtml('"engine_loader.js"', `"${name}_loader.js"`);
}

function hashPlain(path) {
  const fresh = path.replace(/\.js$/, `-${hash(read(path))}.js`);
  renameSync(at(path), at(fresh));
  html = html.replaceAll(`"./${path}"`, `"${path}"`);
  replaceInHtml(`"${path}"`, `"${fresh}"`);
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
  const release = hash(html, ...files.map((name) => `${name} ${hash(readFileSync(at(name)))}\n`));
  const script = read("sw.js")
    .replace('const RELEASE = "unbuilt";', `const RELEASE = ${JSON.stringify(release)};`)
    .replace("const FILES = [];", `const FILES = ${JSON.stringify(["./", ...files])};`);
  if (script.includes("unbuilt") || script.includes("FILES = [];")) throw new Error("sw.js has lost its blanks");
  writeFileSync(at("sw.js"), script);
}

/** Glue and style sheet without blanks and comments; only in a release, where their size counts. */
function minify() {
  for (const name of readdirSync(folder).filter((file) => file !== "sw.js" && /\.(?:js|css)$/.test(file))) {
    const loader = name.endsWith(".css") ? "css" : "js";
    const { code } = transformSync(read(name), { loader, minify: true, format: loader === "js" ? "esm" : undefined });
    writeFileSync(at(name), code);
  }
}

if (process.env.TRUNK_PROFILE === "release") minify();
hashEngine();
hashPlain("boot.js");
hashPlain("vendor/editor.js");
const developing = html.includes("__TRUNK_ADDRESS__");
if (developing) {
  // `trunk serve` adds an inline script and a web socket; a stale copy must never be kept either.
  replaceInHtml("script-src 'self'", "script-src 'self' 'unsafe-inline'");
  replaceInHtml("connect-src 'self'", "connect-src 'self' ws: wss:");
  if (existsSync(at("sw.js"))) rmSync(at("sw.js"));
} else {
  replaceInHtml('<meta name="offline" content="">', '<meta name="offline" content="sw.js">');
  fillServiceWorker();
}
writeFileSync(at("index.html"), html);
