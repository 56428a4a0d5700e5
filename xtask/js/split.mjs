// Splits a program into a first part, which is needed for a first visit, and others, which are loaded after it. The first
// part keeps memory, tables and globals; of each function of a later part it has a stub, which loads that part if it is
// not there yet and then calls the function through a table. Once loaded, a part also replaces its stubs in the
// program's own table, so that virtual calls reach it directly. Calls from one later part into another go through the
// stubs, too. Which functions are in which part is measured (rehearse.mjs).
import binaryen from "binaryen";
import { HEADER, leb, sections } from "./sections.mjs";

const DATA = [11, 12];
const { i32, none } = binaryen;

const listed = (count, at) => Array.from({ length: count }, (_, index) => at(index));
const functions = (module) =>
  listed(module.getNumFunctions(), (index) => {
    const reference = module.getFunctionByIndex(index);
    return { reference, ...binaryen.getFunctionInfo(reference) };
  });
/** The functions that have a body, and those that have none. */
const defined = (module) => functions(module).filter(({ base }) => !base);
const imported = (module) => functions(module).filter(({ base }) => base);
const globals = (module) =>
  listed(module.getNumGlobals(), (index) => binaryen.getGlobalInfo(module.getGlobalByIndex(index)));
const tables = (module) =>
  listed(module.getNumTables(), (index) => binaryen.getTableInfo(module.getTableByIndex(index)));

/** The one segment with elements: its table, its place in it and its functions. */
function elements(module) {
  if (module.getNumElementSegments() !== 1) throw new Error("a program has one segment of elements");
  const { name, table, offset, data } = binaryen.getElementSegmentInfo(module.getElementSegmentByIndex(0));
  return { name, table, start: binaryen.getExpressionInfo(offset).value, entries: data };
}

/** Adds an import to the program: a function of its glue. */
function addImport(module, name, params) {
  const [{ module: glue }] = imported(module);
  module.addFunctionImport(name, glue, name, params, none);
}

/** The glue of a program, giving it one more import. */
export function withImport(glue, text) {
  const start = /const import0 = \{\s*__proto__: null,/;
  if (!start.test(glue)) throw new Error("the glue has another form than expected");
  return glue.replace(start, (found) => `${found} ${text},`);
}

/** The program, calling the import `enter` with the number of each function that it enters. */
export function instrument(wasm) {
  const module = binaryen.readBinary(wasm);
  addImport(module, "enter", i32);
  for (const { reference, name, body, results } of defined(module)) {
    if (!/^\d+$/.test(name)) throw new Error(`the function ${name} has no number: the program still has its names`);
    const enter = module.call("enter", [module.i32.const(Number(name))], none);
    binaryen.Function.setBody(reference, module.block(null, [enter, body], results));
  }
  return finish(module);
}

/**
 * The parts of a program: each has the functions of one of these sets of numbers that no earlier one has, the last part
 * has the others. For each part after the first, the first one has an import, `need0`, `need1`, …, which loads it.
 */
export function split(wasm, sets) {
  if (sets.some(({ size }) => size === 0)) throw new Error("it is not known which functions are entered");
  const module = binaryen.readBinary(wasm);
  const groups = listed(sets.length, () => []);
  for (const { name } of defined(module)) {
    const part = sets.findIndex((set) => set.has(Number(name)));
    if (part !== 0) groups[(part < 0 ? sets.length : part) - 1].push(name);
  }
  module.dispose();
  const later = groups.map((names, part) => laterPart(wasm, names, part));
  return [firstPart(wasm, groups, later.flatMap(({ wanted }) => wanted)), ...later.map(({ bytes }) => bytes)];
}

/** A later part, and the names of the functions that it imports from the first. */
function laterPart(wasm, names, part) {
  const module = binaryen.readBinary(wasm);
  const own = new Set(names);
  const { name: segment, table, start, entries } = elements(module);
  for (const { name, params, results } of functions(module).filter(({ name }) => !own.has(name))) {
    module.removeFunction(name);
    module.addFunctionImport(name, "first", name, params, results);
  }
  listed(module.getNumExports(), (index) => binaryen.getExportInfo(module.getExportByIndex(index)).name)
    .forEach((name) => module.removeExport(name));
  for (const { name, type, mutable } of globals(module)) {
    module.addGlobalImport(name, "first", `g${name}`, type, mutable);
  }
  for (const { name } of tables(module)) module.addTableImport(name, "first", `t${name}`);
  module.addMemoryImport("0", "first", "memory");
  module.removeElementSegment(segment);
  const slots = `part${part}`;
  module.addTable(slots, names.length, names.length);
  module.addTableImport(slots, "first", slots);
  module.addActiveElementSegment(slots, "own", names, module.i32.const(0));
  entries.forEach((name, index) => {
    if (own.has(name)) module.addActiveElementSegment(table, `own${index}`, [name], module.i32.const(start + index));
  });
  module.runPasses(["remove-unused-module-elements"]);
  const wanted = imported(module).map(({ name }) => name);
  return { wanted, bytes: withoutData(finish(module)) };
}

/** The first part, with stubs for the functions of the others. */
function firstPart(wasm, groups, wanted) {
  const module = binaryen.readBinary(wasm);
  for (const { name } of globals(module)) module.addGlobalExport(name, `g${name}`);
  for (const { name } of tables(module)) module.addTableExport(name, `t${name}`);
  const types = new Map(defined(module).map((info) => [info.name, info]));
  groups.forEach((names, part) => {
    const [need, loaded, slots] = [`need${part}`, `loaded${part}`, `part${part}`];
    addImport(module, need, none);
    module.addGlobal(loaded, i32, true, module.i32.const(0));
    module.addGlobalExport(loaded, loaded);
    module.addTable(slots, names.length, names.length);
    module.addTableExport(slots, slots);
    names.forEach((name, slot) => {
      const { params, results } = types.get(name);
      const given = binaryen.expandType(params).map((type, place) => module.local.get(place, type));
      const load = module.if(module.i32.eqz(module.global.get(loaded, i32)), module.call(need, [], none));
      const call = module.call_indirect(slots, module.i32.const(slot), given, params, results);
      module.removeFunction(name);
      module.addFunction(name, params, results, [], module.block(null, [load, call], results));
    });
  });
  for (const name of new Set(wanted)) module.addFunctionExport(name, name);
  module.runPasses(["remove-unused-module-elements"]);
  return finish(module);
}

function finish(module) {
  if (!module.validate()) throw new Error("the module is not valid");
  const wasm = Buffer.from(module.emitBinary());
  module.dispose();
  return wasm;
}

/** The module without its data, which the first part has. */
function withoutData(wasm) {
  const kept = [...sections(wasm)].filter(({ kind }) => !DATA.includes(kind));
  const parts = kept.flatMap(({ kind, content }) => [Buffer.from([kind, ...leb(content.length)]), content]);
  return Buffer.concat([wasm.subarray(0, HEADER), ...parts]);
}
