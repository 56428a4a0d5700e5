// Runs z3-solver (npm) on a file: node z3.mjs FILE. Prints the answer, the milliseconds it took, and those of its start.
import { readFile } from "node:fs/promises";
import { init } from "z3-solver";

const text = await readFile(process.argv[2], "utf8");
const began = performance.now();
const { Z3, em } = await init();
const ready = performance.now();
const context = Z3.mk_context(Z3.mk_config());
const answer = await Z3.eval_smtlib2_string(context, text);
console.log(answer.trim().split("\n").pop(), (performance.now() - ready).toFixed(2), (ready - began).toFixed(2));
em.PThread.terminateAllThreads();
process.exit(0);
