// Petri nets drawn from nothing, played, repaired, proved and shared: with the mouse, the keyboard, and a finger.
import { assert, assertEqual } from "./context.mjs";
import { choose, empty, first, focused, link, model, node, shared, undone, written } from "./draw.mjs";
import { at, getText, setText } from "./steps.mjs";

const title = (page, name) => page.locator(`${node(name)} > title`).first().textContent();
const closed = (page) => page.waitForSelector(at("edit-card"), { state: "detached" });

/** A new node by its button. */
async function add(page, name, button = "accept", press = (selector) => page.click(selector)) {
  await press(`${model} ${at("new-location")}`);
  await page.locator(`${at("edit-card")} input`).first().fill(name);
  await press(at(button));
  await closed(page);
  await page.waitForSelector(node(name));
}

/** The net is asked whether it can deadlock. */
async function asked(page, verdict, press = (selector) => page.click(selector)) {
  await page.locator(at("property")).fill("deadlock-free");
  await press(at("run"));
  await page.waitForFunction(
    ([banner, verdict]) => document.querySelector(`${banner} strong`)?.innerText === verdict,
    [at("verdict"), verdict],
    { timeout: 20_000 },
  );
}

const TWO = `net drawn {
  place think1 = 1
  place think2 = 1
  place fork1 = 1
  place fork2 = 1
  place wait1
  place wait2

  transition take1: think1 + fork1 -> wait1
  transition take2: think2 + fork2 -> wait2
  transition eat1: wait1 + fork2 -> think1 + fork1 + fork2
  transition eat2: wait2 + fork1 -> think2 + fork2 + fork1
}
`;

/** Two philosophers: drawn, played into the deadlock, repaired, proved, shared. */
async function mouse(context) {
  const page = await empty(context, "new-net");
  await page.setViewportSize({ width: 1500, height: 1200 });
  await page.click(at("first-location"));
  await page.locator(`${at("edit-card")} input`).first().fill("think1");
  await page.click(at("accept"));
  await page.waitForSelector(node("think1"));
  await page.click(`${model} button[role=tab]:text-is("Diagram")`);
  for (const name of ["think2", "fork1", "fork2", "wait1", "wait2"]) await add(page, name);
  for (const name of ["take1", "take2", "eat1", "eat2"]) await add(page, name, "add-transition");
  const arcs = [
    ["think1", "take1"], ["fork1", "take1"], ["take1", "wait1"], ["think2", "take2"], ["fork2", "take2"], ["take2", "wait2"],
    ["wait1", "eat1"], ["fork2", "eat1"], ["eat1", "think1"], ["eat1", "fork1"], ["eat1", "fork2"],
    ["wait2", "eat2"], ["fork1", "eat2"], ["eat2", "think2"], ["eat2", "fork2"], ["eat2", "fork1"],
  ];
  for (const [from, to] of arcs) {
    const before = await page.locator(`${at("cfa")} .edge`).count();
    await page.click(`${model} [aria-label="Fit the drawing"]`);
    await link(page, from, to);
    await page.waitForFunction(([edges, before]) => document.querySelectorAll(edges).length > before, [`${at("cfa")} .edge`, before]);
  }
  // Tokens in the card of a place: typed, by − and by +.
  for (const name of ["think1", "think2", "fork1", "fork2"]) {
    await page.locator(node(name)).dblclick();
    if (name === "think1") {
      await page.locator(at("tokens")).focus();
      await page.keyboard.press("Control+a");
      await page.keyboard.type("1");
      await page.keyboard.press("Tab");
    } else {
      await page.click(at("more"));
    }
    await page.waitForFunction((field) => document.querySelector(field)?.value === "1", at("tokens"));
    await written(page, `place ${name} = 1`);
    await page.click(at("close"));
    await closed(page);
  }
  assertEqual(await title(page, "fork2"), "fork2, place with 1 token");
  assertEqual(await getText(page), TWO, "the net that is drawn");
  // An arc between places is refused.
  await link(page, "think1", "fork1");
  await page.waitForFunction(() => document.body.textContent.includes("an arc connects a place with a transition"));
  // Played into the deadlock.
  await page.click(`${model} ${at("play-net")}`);
  await page.click(`${model} [aria-label="Fit the drawing"]`);
  await page.locator(node("take1")).click();
  await page.locator(node("take2")).click();
  await page.waitForFunction(() => document.body.textContent.includes("the marking is dead"));
  await context.screenshot(page, "net-drawn-deadlock");
  await page.click(`${model} ${at("play-net")}`);
  await asked(page, "Violated");
  // Repaired: the second philosopher takes the other fork first.
  await page.click(`${model} button[role=tab]:text-is("Both")`);
  for (const [from, to, other] of REPAIR) {
    await page.locator(arc(from, to)).first().dispatchEvent("dblclick");
    await page.waitForSelector(at("edit-card"));
    // The text is read again after the property was typed.
    await page.waitForTimeout(600);
    await page.selectOption(choose("from"), { label: other });
    await closed(page);
  }
  await written(page, "take2: think2 + fork1 -> wait2");
  await written(page, "eat2: wait2 + fork2 ->");
  await asked(page, "Holds");
  await page.click(at("check-it"));
  await context.screenshot(page, "net-drawn-mouse");
  await shared(context, page);
  // All of it is undone.
  await undone(page, 60);
}

/** With the keyboard: appending alternates, tokens by + and −, weights and inhibitor arcs, renaming, deleting. */
async function keyboard(context) {
  const page = await empty(context, "new-net");
  await first(page);
  await written(page, "place p1");
  await focused(page, "p0");
  // Both count, whether or not the model has the first one yet.
  await page.keyboard.press("+");
  await page.keyboard.press("+");
  await written(page, "place p1 = 2");
  await focused(page, "p0");
  await page.keyboard.press("-");
  await written(page, "place p1 = 1");
  await page.keyboard.press("Control+ArrowDown");
  await written(page, "transition t1: p1 ->");
  await focused(page, "t0");
  await page.keyboard.press("Control+ArrowDown");
  await written(page, "transition t1: p1 -> p2");
  await focused(page, "p1");
  await page.keyboard.press("F2");
  await page.keyboard.type("done");
  await page.keyboard.press("Enter");
  await written(page, "t1: p1 -> done");
  await closed(page);
  // An arc to the transition, which becomes an inhibitor arc of weight 3.
  await page.locator(node("done")).focus();
  await page.keyboard.press("c");
  await page.locator(choose("to")).focus();
  await page.selectOption(choose("to"), { label: "t1" });
  await written(page, "t1: p1 + done -> done");
  await closed(page);
  await focused(page, "p1");
  await page.locator(`${at("cfa")} .edge[data-key="i0-1"]`).focus();
  await page.keyboard.press("F2");
  await page.waitForSelector(at("inhibitor"));
  await page.locator(at("inhibitor")).focus();
  await page.keyboard.press("Enter");
  await written(page, "t1: p1 -> done unless done");
  await closed(page);
  await page.locator(`${at("cfa")} .edge[data-key="h0-1"]`).focus();
  await page.keyboard.press("F2");
  await page.locator(`${at("edit-card")} input`).first().fill("three");
  await page.keyboard.press("Enter");
  await page.waitForSelector(at("refused"));
  await page.locator(`${at("edit-card")} input`).first().fill("3");
  await page.keyboard.press("Enter");
  await written(page, "unless 3 done");
  await closed(page);
  await page.locator(node("done")).focus();
  await page.keyboard.press("Delete");
  await written(page, "transition t1: p1 ->\n");
  await asked(page, "Violated");
  await context.screenshot(page, "net-drawn-keyboard");
}

/** On a phone: buttons in place of double clicks. */
async function phone(context) {
  const page = await empty(context, "new-net", { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  const tap = (selector) => page.tap(selector);
  await page.tap(at("first-location"));
  await page.locator(`${at("edit-card")} input`).first().fill("idle");
  await page.tap(at("accept"));
  await closed(page);
  await add(page, "enter", "add-transition", tap);
  await page.tap(node("idle"));
  await page.tap(`${model} ${at("edit-selection")}`);
  await page.tap(at("more"));
  await written(page, "place idle = 1");
  await page.selectOption(choose("arc to"), { label: "enter" });
  await written(page, "transition enter: idle ->");
  await closed(page);
  await page.tap(`${model} button[role=tab]:text-is("Diagram")`);
  await page.tap(`${model} ${at("play-net")}`);
  await page.tap(node("enter"));
  await page.waitForFunction(() => document.body.textContent.includes("the marking is dead"));
  await context.screenshot(page, "net-drawn-finger");
}

/** The arcs of two philosophers that are not drawn with their nodes. */
const REST = [
  ["eat1", "think1"], ["eat2", "think2"], ["fork1", "take1"], ["fork2", "take2"], ["fork2", "eat1"], ["fork1", "eat2"],
  ["eat1", "fork1"], ["eat1", "fork2"], ["eat2", "fork1"], ["eat2", "fork2"],
];
/** The arcs whose start changes when the second philosopher takes the other fork first. */
const REPAIR = [["fork2", "take2", "fork1"], ["fork1", "eat2", "fork2"]];
const arc = (from, to) => `${model} .edge:has(title:text-is("arc from ${from} to ${to}, weight 1"))`;

/** The philosophers with keys only. */
async function philosophersByKeys(context) {
  const page = await empty(context, "new-net");
  const press = async (selector) => {
    await page.locator(selector).first().focus();
    await page.keyboard.press("Enter");
  };
  const named = async (name) => {
    await page.keyboard.press("F2");
    await page.waitForSelector(at("edit-card"));
    await page.keyboard.press("Control+a");
    await page.keyboard.type(name);
    await page.keyboard.press("Enter");
    await page.waitForSelector(node(name));
    await closed(page);
    await page.locator(node(name)).focus();
  };
  const token = async (name) => {
    await page.locator(node(name)).focus();
    await page.keyboard.press("+");
    await written(page, `place ${name} = 1`);
    // A card that is opened before the model has the token would be about the model before.
    await page.locator(`${at("cfa")} title`, { hasText: `${name}, place with 1 token` }).waitFor({ state: "attached" });
  };
  const next = async (place, key) => {
    await page.keyboard.press("Control+ArrowRight");
    await focused(page, key);
    await named(place);
  };
  await press(at("first-location"));
  await page.keyboard.press("Enter");
  await closed(page);
  await page.locator(node("p1")).focus();
  await named("think1");
  for (const [name, key] of [["take1", "t0"], ["wait1", "p1"], ["eat1", "t1"]]) await next(name, key);
  await press(`${model} ${at("new-location")}`);
  await page.locator(`${at("edit-card")} input`).first().fill("think2");
  await page.keyboard.press("Enter");
  await page.waitForSelector(node("think2"));
  await closed(page);
  await page.locator(node("think2")).focus();
  for (const [name, key] of [["take2", "t2"], ["wait2", "p3"], ["eat2", "t3"]]) await next(name, key);
  for (const fork of ["fork1", "fork2"]) await add(page, fork, "accept", press);
  for (const name of ["think1", "think2", "fork1", "fork2"]) await token(name);
  for (const [from, to] of REST) {
    await page.locator(node(from)).focus();
    await page.keyboard.press("c");
    await page.locator(choose("to")).focus();
    await page.selectOption(choose("to"), { label: to });
    await closed(page);
    await page.waitForSelector(arc(from, to), { state: "attached" });
  }
  // Played into the deadlock.
  await press(`${model} button[role=tab]:text-is("Diagram")`);
  await press(`${model} ${at("play-net")}`);
  for (const name of ["take1", "take2"]) await press(node(name));
  await page.waitForFunction(() => document.body.textContent.includes("the marking is dead"));
  await context.screenshot(page, "net-philosophers-keyboard");
  await press(`${model} ${at("play-net")}`);
  await asked(page, "Violated", press);
  for (const [from, to, other] of REPAIR) {
    await page.locator(arc(from, to)).first().focus();
    await page.keyboard.press("F2");
    await page.waitForSelector(at("edit-card"));
    // The text is read again after the property was typed.
    await page.waitForTimeout(600);
    await page.selectOption(choose("from"), { label: other });
    await closed(page);
    await page.waitForSelector(arc(other, to), { state: "attached" });
  }
  await asked(page, "Holds", press);
  await press(at("check-it"));
  await shared(context, page, press);
}

/** The philosophers with a finger. */
async function philosophersByFinger(context) {
  const page = await empty(context, "new-net", { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  const tap = (selector) => page.tap(selector);
  const panel = (name) => page.tap(`.phone-tabs button:text-is("${name}")`);
  /** Opens the card of a node. */
  const card = async (name) => {
    await page.tap(node(name));
    await page.tap(`${model} ${at("edit-selection")}`);
    await page.waitForSelector(at("edit-card"));
  };
  await page.tap(at("first-location"));
  await page.locator(`${at("edit-card")} input`).first().fill("think1");
  await page.tap(at("accept"));
  await closed(page);
  await page.tap(`${model} button[role=tab]:text-is("Diagram")`);
  for (const name of ["think2", "fork1", "fork2", "wait1", "wait2"]) await add(page, name, "accept", tap);
  for (const name of ["take1", "take2", "eat1", "eat2"]) await add(page, name, "add-transition", tap);
  for (const name of ["think1", "think2", "fork1", "fork2"]) {
    await card(name);
    await page.tap(at("more"));
    await written(page, `place ${name} = 1`);
    await page.tap(at("close"));
    await closed(page);
  }
  const arcs = [["think1", "take1"], ["take1", "wait1"], ["wait1", "eat1"], ["think2", "take2"], ["take2", "wait2"], ["wait2", "eat2"]];
  for (const [from, to] of [...arcs, ...REST]) {
    await page.tap(`${model} [aria-label="Fit the drawing"]`);
    await card(from);
    await page.selectOption(choose("arc to"), { label: to });
    await closed(page);
    await page.waitForSelector(arc(from, to), { state: "attached" });
  }
  // Played into the deadlock.
  await tap(`${model} ${at("play-net")}`);
  await page.tap(`${model} [aria-label="Fit the drawing"]`);
  for (const name of ["take1", "take2"]) await page.tap(node(name));
  await page.waitForFunction(() => document.body.textContent.includes("the marking is dead"));
  await context.screenshot(page, "net-philosophers-finger");
  await tap(`${model} ${at("play-net")}`);
  await asked(page, "Violated", tap);
  await panel("Model");
  for (const [from, to, other] of REPAIR) {
    await page.tap(`${model} [aria-label="Fit the drawing"]`);
    // The card of a node has its arcs.
    await card(from);
    await page.tap(`${at("edit-card")} button:text-is("→ ${to}")`);
    await page.waitForSelector(choose("from"));
    await page.selectOption(choose("from"), { label: other });
    await closed(page);
    await page.waitForSelector(arc(other, to), { state: "attached" });
  }
  await asked(page, "Holds", tap);
  await panel("View");
  await page.tap(at("check-it"));
  await context.screenshot(page, "net-proved-finger");
  await shared(context, page, tap);
}

/** PNML with a layout: moving a node changes its position only. */
async function pnml(context) {
  const { page } = await context.open();
  const text = `<pnml>
  <net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet">
    <place id="p">
      <graphics><position x="60" y="60"/></graphics>
    </place>
    <transition id="t">
      <graphics><position x="240" y="60"/></graphics>
    </transition>
    <arc id="a" source="p" target="t"/>
  </net>
</pnml>
`;
  await setText(page, text);
  await page.waitForSelector(node("p"));
  await page.waitForSelector(`${model} ${at("new-location")}`);
  await page.locator(node("p")).focus();
  await page.keyboard.press("Alt+Shift+ArrowDown");
  await page.waitForFunction((before) => document.querySelector(".cm-content").cmTile.view.state.doc.toString() !== before, text);
  const moved = await getText(page);
  const [line] = moved.split("\n").filter((line, i) => line !== text.split("\n")[i]);
  assert(line.includes('<position x="60" y="') && moved.split("\n").length === text.split("\n").length, moved);
  await page.locator(node("p")).focus();
  await page.keyboard.press("+");
  await written(page, "<initialMarking><text>1</text></initialMarking>");
}

export const tests = [
  { name: "a net drawn with the mouse is played, repaired, proved, and shared", run: mouse },
  { name: "a net drawn with the keyboard", run: keyboard },
  { name: "a net drawn on a phone", run: phone },
  { name: "philosophers drawn with the keyboard are played, repaired, proved, and shared", run: philosophersByKeys },
  { name: "philosophers drawn on a phone are played, repaired, proved, and shared", run: philosophersByFinger },
  { name: "a drawn PNML net", run: pnml },
];
