// Runs answer.wasm (WASI) on a file: node answer.mjs answer.wasm FILE [WORDS…]. Prints what it prints.
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { WASI } from "node:wasi";

const [wasm, file, ...words] = process.argv.slice(2);
const wasi = new WASI({ version: "preview1", args: ["answer", resolve(file), ...words], preopens: { "/": "/" } });
const module = await WebAssembly.compile(await readFile(wasm));
const instance = await WebAssembly.instantiate(module, wasi.getImportObject());
wasi.start(instance);
