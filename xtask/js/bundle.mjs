// Bundles static/editor/ into static/vendor/editor.js and static/files/ into static/vendor/files.js, each with the
// licences of everything in it. The results are committed, so a checkout builds without npm. `--check` compares
// instead of writing.
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");

/** What the bundle of a folder of static/ should be: [[path, text]]. */
async function bundle(name) {
  const outfile = `static/vendor/${name}.js`;
  const result = await build({
    absWorkingDir: root,
    entryPoints: [`static/${name}/${name}.js`],
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    charset: "utf8",
    legalComments: "none",
    metafile: true,
    write: false,
    outfile,
    banner: { js: `// Bundled from static/${name} by xtask/js/bundle.mjs; licences: ${name}.LICENSES.txt` },
  });
  // node_modules/@scope/name/… or node_modules/name/… -> the package's folder
  const packages = new Set();
  for (const input of Object.keys(result.metafile.inputs)) {
    const match = input.match(/^(node_modules\/(?:@[^/]+\/)?[^/]+)\//);
    if (match) packages.add(match[1]);
  }
  const licences = [...packages].sort().map(licence);
  const header = `The bundle ${name}.js contains the packages below, under these licences.\n`;
  return [
    [outfile, result.outputFiles[0].text],
    [`static/vendor/${name}.LICENSES.txt`, [header, ...licences].join(`\n${"-".repeat(78)}\n\n`)],
  ];
}

/** The licence of the package in a folder. */
function licence(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
  const file = readdirSync(join(root, folder)).find((entry) => /^licen[cs]e/i.test(entry));
  if (!file) throw new Error(`${name} carries no licence file`);
  const text = readFileSync(join(root, folder, file), "utf8").trim();
  return `${name} ${version} (${license})\n\n${text}\n`;
}

const outputs = [...(await bundle("editor")), ...(await bundle("files"))];
let stale = false;
for (const [path, text] of outputs) {
  const file = join(root, path);
  const same = existsSync(file) && readFileSync(file, "utf8") === text;
  if (same) continue;
  if (process.argv.includes("--check")) {
    console.error(`${path} is out of date: run \`npm run bundle\` and commit it`);
    stale = true;
  } else {
    writeFileSync(file, text);
    console.log(`wrote ${path}`);
  }
}
process.exit(stale ? 1 : 0);
