// Runs z3-solver (npm) on the small queries of `recorded`: node z3_small.mjs FILE. Prints how many it answers a second.
import { readFile } from "node:fs/promises";
import { init } from "z3-solver";

const scripts = (await readFile(process.argv[2], "utf8")).split("\n;;\n");
const { Z3, em } = await init();
const context = Z3.mk_context(Z3.mk_config());
let unsat = 0;
const strange = [];
const began = performance.now();
for (const script of scripts) {
  // Only the check: z3 has no interpolants.
  const ascii = script.replace(/[^\x00-\x7f]/g, (c) => `u${c.codePointAt(0)}`); // others are cut off by the binding
  const text = ascii.replace("(get-interpolants)", "").replace("(set-option :produce-interpolants true)", "");
  const answer = await Z3.eval_smtlib2_string(context, `(reset)\n${text}`);
  if (answer.includes("unsat")) unsat += 1;
  else if (answer.trim() !== "sat") strange.push(answer.trim());
}
const seconds = (performance.now() - began) / 1000;
console.log(`${scripts.length} questions, ${unsat} of them unsat: ${Math.round(scripts.length / seconds)} a second as scripts`);
if (strange.length > 0) console.log(`${strange.length} without an answer, the first: ${JSON.stringify(strange[0])}`);
em.PThread.terminateAllThreads();
process.exit(0);
