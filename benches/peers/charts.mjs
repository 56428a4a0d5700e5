// Compares the charts and scripts of `cargo run -p veristep-tests --example peer_charts` with XState, whose machines are
// made from the SCXML texts here.
//
//   npm install --no-save xstate fast-xml-parser      (in some folder, which is the current one then)
//   node benches/peers/charts.mjs FOLDER
//
// XState differs from SCXML where this program adapts: it prefers exact names of events to wildcards, so each event
// gets its transitions in document order; a transition to a substate or to its source leaves the source only with
// `reenter`; `type="internal"` counts for composite states only.
import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";

const require = createRequire(path.join(process.cwd(), "package.json"));
const { createMachine, createActor, assign, raise, enqueueActions, stateIn } = require("xstate");
const { XMLParser } = require("fast-xml-parser");

const parser = new XMLParser({ preserveOrder: true, ignoreAttributes: false, attributeNamePrefix: "" });
const KINDS = ["state", "parallel", "final"];

/** An element: its name, attributes and children. */
function element(raw) {
  const name = Object.keys(raw).find((key) => key !== ":@");
  return { name, at: raw[":@"] ?? {}, children: (raw[name] ?? []).filter((c) => !("#text" in c)).map(element) };
}

const within = (node, name) => node.children.filter((c) => c.name === name);
const evaluate = (text) => new Function("x", "b", `return (${text})`);
const condition = (text) => {
  const inside = /^In\('(.*)'\)$/.exec(text);
  if (inside) return stateIn(`#${inside[1]}`);
  const value = evaluate(text);
  return ({ context }) => value(context.x, context.b);
};

function action(node) {
  if (node.name === "raise") return raise({ type: node.at.event });
  if (node.name === "assign") {
    const value = evaluate(node.at.expr);
    return assign({ [node.at.location]: ({ context }) => value(context.x, context.b) });
  }
  const otherwise = node.children.findIndex((c) => c.name === "else");
  const [yes, no] = [node.children.slice(0, otherwise), node.children.slice(otherwise + 1)];
  const holds = evaluate(node.at.cond);
  return enqueueActions(({ context, enqueue }) => {
    for (const child of holds(context.x, context.b) ? yes : no) enqueue(action(child));
  });
}

function machine(text) {
  const root = element(parser.parse(text).find((raw) => "scxml" in raw));
  const composite = [];
  const order = [];
  (function visit(node) {
    order.push(node);
    if (node.at.id && node.name !== "final" && node.children.some((c) => KINDS.includes(c.name))) composite.push(node.at.id);
    for (const child of node.children.filter((c) => KINDS.includes(c.name))) visit({ ...child, parent: node });
  })(root);
  const inside = new Map();
  (function visit(node, around) {
    if (node.at.id) inside.set(node.at.id, around);
    for (const child of node.children) visit(child, node.at.id ? [...around, node.at.id] : around);
  })(root, []);
  const events = ["a", "b", "c", "r", "q", "z", ...composite.map((id) => `xstate.done.state.${id}`)];
  const matches = (written, event) =>
    written === "*" || event.replace(/^xstate\./, "").split(".").slice(0, written.split(".").length).join(".") === written;

  function transition(node, source) {
    const targets = node.at.target ? [node.at.target] : [];
    const isComposite = source.name === "state" && source.children.some((c) => KINDS.includes(c.name));
    const internal = node.at.type === "internal" && isComposite && targets.every((t) => inside.get(t).includes(source.at.id));
    return {
      ...(targets.length ? { target: targets.map((t) => `#${t}`), reenter: !internal } : {}),
      ...(node.at.cond ? { guard: condition(node.at.cond) } : {}),
      actions: node.children.map(action),
    };
  }

  function state(node) {
    const config = {};
    if (node.at.id) config.id = node.at.id;
    if (node.name === "parallel" || node.name === "final") config.type = node.name;
    const children = node.children.filter((c) => [...KINDS, "history"].includes(c.name));
    if (children.length) config.states = Object.fromEntries(children.map((c) => [c.at.id, c.name === "history" ? history(c) : state(c)]));
    const first = children.find((c) => c.name !== "history");
    if (first && node.name !== "parallel") config.initial = first.at.id;
    config.entry = within(node, "onentry").flatMap((c) => c.children.map(action));
    config.exit = within(node, "onexit").flatMap((c) => c.children.map(action));
    const all = within(node, "transition");
    config.always = all.filter((t) => !t.at.event).map((t) => transition(t, node));
    config.on = {};
    for (const event of events) {
      const own = all.filter((t) => t.at.event && matches(t.at.event, event)).map((t) => transition(t, node));
      if (own.length) config.on[event] = own;
    }
    return config;
  }

  const history = (node) => ({ id: node.at.id, type: "history", history: node.at.type, target: `#${within(node, "transition")[0].at.target}` });
  return createMachine({ ...state(root), id: "root", options: { maxIterations: 500 }, context: { x: 0, b: false } });
}

const sorted = (list) => [...list].sort().join(" ");
const atomic = (snapshot) =>
  sorted(snapshot._nodes.filter((n) => n.type === "atomic" || n.type === "final").map((n) => n.id));

function run(text, script) {
  const actor = createActor(machine(text));
  actor.subscribe({ error: () => {} });
  actor.start();
  const seen = [atomic(actor.getSnapshot())];
  for (const { event } of script.events) {
    actor.send({ type: event.name });
    seen.push(atomic(actor.getSnapshot()));
  }
  return seen;
}

let same = 0;
const different = [];
const folder = process.argv[2];
for (const file of fs.readdirSync(folder).filter((name) => name.endsWith(".scxml"))) {
  const script = JSON.parse(fs.readFileSync(path.join(folder, file.replace(".scxml", ".json")), "utf8"));
  if (script.fault) continue;
  const ours = [script.initialConfiguration, ...script.events.map((e) => e.nextConfiguration)].map(sorted);
  let theirs;
  try {
    theirs = run(fs.readFileSync(path.join(folder, file), "utf8"), script);
  } catch (error) {
    theirs = [String(error)];
  }
  const at = ours.findIndex((names, i) => names !== theirs[i]);
  if (at < 0) same += 1;
  else different.push(`${file}: after ${at} events ${ours[at]} | ${theirs[at]}`);
}
console.log(`${same} scripts agree, ${different.length} differ`);
different.forEach((line) => console.log(line));
