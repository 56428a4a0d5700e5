// Statecharts: played, verified, and drawn.
import { assert, assertEqual } from "./context.mjs";
import { choose as list, empty, first, focused, node, written } from "./draw.mjs";
import { at, choose, decide, getText, setText, settled } from "./steps.mjs";

/** The active states as they are drawn, without those that contain others. */
const active = (page) =>
  page.locator(`${at("cfa")} .node.is-in-configuration:not(.is-composite):not(.is-orthogonal) > text:first-of-type`).allTextContents();

const send = (page, event) => page.locator(at("send-event"), { hasText: new RegExp(`^${event}$`) }).click();

const rows = (page, number) => page.waitForFunction(([row, number]) => document.querySelectorAll(row).length === number, [at("moment"), number]);

/** Events, microsteps, going back, and a link. */
async function play(context) {
  const { page } = await context.open();
  await choose(page, "crossroads");
  await page.click(at("play-chart"));
  await rows(page, 1);
  assertEqual((await active(page)).sort().join(" "), "Green MainGoes Red");
  await send(page, "change");
  await rows(page, 5);
  assertEqual((await active(page)).sort().join(" "), "Green Red SideGoes");
  assert((await page.locator(at("sequence")).innerText()).includes("raises main_is_red"), "the raised event");
  await context.screenshot(page, "chart-played");
  // Two microsteps back the main light is yellow.
  await page.click(at("microstep-back"));
  await page.click(at("microstep-back"));
  await page.waitForFunction((cfa) => document.querySelector(`${cfa} .node.is-in-configuration:has(text)`), at("cfa"));
  assert((await active(page)).includes("Yellow"), "yellow in between");
  await page.click(at("simulation-start"));
  await page.waitForTimeout(300);
  assertEqual((await active(page)).sort().join(" "), "Green MainGoes Red");
  // Another event replaces those that were undone.
  await send(page, "police");
  await rows(page, 2);
  assertEqual((await active(page)).join(" "), "Blinking");
  await page.waitForTimeout(900);
  const other = await context.open({ hash: new URL(page.url()).hash });
  await rows(other.page, 2);
  assertEqual((await active(other.page)).join(" "), "Blinking");
}

/** The counterexample is played, with parameters of events, and mistakes are searched for. */
async function found(context) {
  const { page } = await context.open();
  await choose(page, "atm");
  await decide(page);
  assert((await page.locator(at("verdict")).innerText()).startsWith("Violated"), "violated");
  await settled(page);
  await page.click(at("tab-simulation"));
  await page.click(at("simulation-found"));
  await page.waitForFunction((sequence) => document.querySelector(sequence)?.innerText.includes("Swallowed"), at("sequence"));
  assertEqual((await active(page)).join(" "), "Swallowed");
  await context.screenshot(page, "chart-counterexample");
  await page.click(at("simulation-start"));
  await send(page, "card");
  await page.locator(`${at("simulation")} select[aria-label="correct of pin"]`).selectOption("true");
  await send(page, "pin");
  await page.waitForFunction((sequence) => document.querySelector(sequence)?.innerText.includes("pin(true)"), at("sequence"));
  assertEqual((await active(page)).join(" "), "Choose");
  await page.click(at("chart-checks"));
  await page.waitForSelector(at("chart-facts"));
  assert((await page.locator(".chart-checks").innerText()).includes("stable states searched."), "the search");
}

/** Drawn from nothing: states, a transition, a state in a state, a region, wrapping, and undoing. */
async function draw(context) {
  const page = await empty(context, "new-chart");
  await first(page);
  await written(page, "state A");
  await focused(page, "c1");
  await page.keyboard.press("Control+ArrowDown");
  await written(page, "on go -> S1");
  await focused(page, "c2");
  await page.keyboard.press("F2");
  await page.keyboard.type("Work");
  await page.keyboard.press("Enter");
  await written(page, "on go -> Work");
  await page.locator(node("Work")).focus();
  await page.keyboard.press("F2");
  await page.locator(`${at("edit-card")} button`, { hasText: "add substate" }).click();
  await written(page, "    state S1");
  await page.waitForSelector(`${at("cfa")} [data-key="c3"]`);
  await page.locator(`${at("cfa")} .node[data-key="c2"]`).focus();
  await page.keyboard.press("F2");
  await page.locator(`${at("edit-card")} button`, { hasText: "add region" }).click();
  await written(page, "region Region2");
  await page.waitForSelector(`${at("cfa")} .is-orthogonal`);
  await context.screenshot(page, "chart-drawn");
  // The label of the transition, and another end.
  await page.locator(`${at("cfa")} .edge[data-key="t0.0"]`).focus();
  await page.keyboard.press("F2");
  await page.keyboard.press("Control+a");
  await page.keyboard.type("start [true] / send begun");
  await page.keyboard.press("Enter");
  await written(page, "on start [true] -> Work / send begun");
  await page.locator(`${at("cfa")} .edge[data-key="t0.0"]`).focus();
  await page.keyboard.press("F2");
  await page.waitForSelector(at("edit-card"));
  await page.waitForTimeout(500);
  await page.selectOption(list("to"), { label: "Work.Region1.S1" });
  await written(page, "on start [true] -> S1 / send begun");
  await page.keyboard.press("Escape");
  // A state is dragged into another one.
  await page.locator(`${at("cfa")} .node[data-key="c1"]`).focus();
  await page.keyboard.press("F2");
  await page.locator(`${at("edit-card")} button`, { hasText: "wrap in new state" }).click();
  await written(page, "    state A");
  const text = await getText(page);
  assert(text.startsWith("chart Chart {\n  state S2\n    state A\n"), text);
}

const NESTED = `chart Nested {
  state A
    on e -> B.D
    state C
  state B
    state D
      on e -> F
    state G
      on e -> D
  state F
    on e -> A.C
}
`;

/** A folded state is drawn without what is in it, and its arrows end at it; other states keep their names. */
async function fold(context) {
  const page = await empty(context, "new-chart");
  await setText(page, NESTED);
  await page.waitForSelector(node("G"));
  const arrows = page.locator(`${at("cfa")} [data-key^="t"]`);
  assertEqual(await arrows.count(), 4, "arrows");
  const card = async (name) => {
    await page.locator(node(name)).first().focus();
    await page.keyboard.press("F2");
    await page.waitForSelector(at("edit-card"));
  };
  await card("B");
  await page.click(at("fold"));
  const folded = await written(page, "  state B folded\n");
  await page.waitForSelector(node("G"), { state: "detached" });
  await page.waitForSelector(`${node("B")}:has(text:text-is("⋯ 2 states"))`);
  assertEqual(await arrows.count(), 3, "arrows but the one inside");
  await page.keyboard.press("Escape");
  await card("F");
  assertEqual(await page.locator(`${at("edit-card")} .field`).first().inputValue(), "F", "the name of another state");
  const into = page.locator(`${at("edit-card")} label:has(span:text-is("move into")) option`);
  assertEqual((await into.allTextContents()).join(" "), "choose a state A A.C B B.D B.G", "states to move F into");
  await page.keyboard.press("Escape");
  // What is added to it is shown, and undone with it.
  await card("B");
  await page.locator(`${at("edit-card")} button`, { hasText: "add substate" }).click();
  await written(page, "    state S1");
  await page.waitForSelector(node("G"));
  // Its name is typed at once, and its card does not come back.
  await page.waitForFunction((field) => document.querySelector(field)?.value === "S1", `${at("edit-card")} .field`);
  await page.keyboard.type("Cool");
  await page.keyboard.press("Enter");
  await written(page, "    state Cool");
  await page.waitForSelector(at("edit-card"), { state: "detached" });
  await page.waitForTimeout(300);
  assertEqual(await page.locator(at("edit-card")).count(), 0, "cards after the name");
  await card("Cool");
  await page.locator(`${at("edit-card")} button`, { hasText: "wrap in new state" }).click();
  await written(page, "    state S1\n      state Cool");
  await page.waitForFunction((field) => document.querySelector(field)?.value === "S1", `${at("edit-card")} .field`);
  await page.keyboard.press("Escape");
  await setText(page, folded);
  await page.waitForSelector(node("G"), { state: "detached" });
  await card("B");
  await page.click(at("fold"));
  await page.waitForSelector(node("G"));
  assertEqual(await getText(page), NESTED, "the text before");
}

export const tests = [
  { name: "a chart is played, microstep by microstep", run: play },
  { name: "a counterexample is played, and mistakes are searched for", run: found },
  { name: "a chart is drawn from nothing", run: draw },
  { name: "a composite state is folded", run: fold },
];
