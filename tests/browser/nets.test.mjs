// Petri nets: drawn with their tokens, run, and proved.
import { assert, assertEqual } from "./context.mjs";
import { at, begin, choose, decide, setText, settled, until } from "./steps.mjs";

/** The tokens of a place and whether a transition is enabled, as they are drawn. */
const title = (page, key) => page.locator(`${at("cfa")} [data-key="${key}"] > title`).first().textContent();

/** The search of the philosophers, step by step: the drawing has the marking of the step. */
async function philosophers(context) {
  const { page } = await context.open();
  await choose(page, "philosophers");
  await page.waitForSelector(`${at("cfa")} [data-key="p0"]`);
  assertEqual(await title(page, "p0"), "think1, place with 1 token");
  assertEqual(await title(page, "t0"), "take1, transition, enabled");
  assertEqual(await title(page, "t3"), "begin1, transition, not enabled: wait1 has 0 of 1 token");
  await decide(page);
  assert((await page.locator(at("verdict")).innerText()).includes("deadlock"), "the verdict names the deadlock");
  // At the end the drawing has the dead marking.
  for (const key of ["p6", "p7", "p8"]) assert((await title(page, key)).endsWith("1 token"), `${key} waits`);
  assertEqual(await page.locator(`${at("cfa")} .is-enabled`).count(), 0, "the marking is dead");
  await begin(page);
  await until(page, "State n1");
  assertEqual(await title(page, "p6"), "wait1, place with 1 token");
  assertEqual(await title(page, "t3"), "begin1, transition, enabled, in conflict");
  await context.screenshot(page, "net-philosophers");
  await page.keyboard.press("End");
  await page.click(at("check-it"));
  await page.waitForFunction(() => document.body.textContent.includes("Its last state is one in which no step can be taken."));
}

/** Repaired, it is proved by the state equation or by all markings. */
async function repaired(context) {
  const { page } = await context.open();
  await choose(page, "philosophers");
  const text = await page.evaluate(() => document.querySelector(".cm-content").cmTile.view.state.doc.toString());
  await setText(page, text.replace("think3 + fork3 -> wait3", "think3 + fork1 -> wait3").replace("wait3 + fork1 -> eat3", "wait3 + fork3 -> eat3"));
  await page.waitForTimeout(600);
  await decide(page);
  assert((await page.locator(at("verdict")).innerText()).startsWith("Holds"), "it holds");
}

/** The lesson of the trap: two rounds, and an invariant. */
async function trap(context) {
  const { page } = await context.open();
  await choose(page, "merging-drops");
  await decide(page);
  await settled(page);
  const rounds = await page.locator("main").innerText();
  assert(rounds.includes("trap: drops >= 1") && rounds.includes("invariant: drops >= 1"), "the trap and the invariant");
  await context.screenshot(page, "net-trap");
}

/** A PNML file with an inhibitor arc, a formula of branching time, and a diagnostic. */
async function pnml(context) {
  const { page } = await context.open();
  const arcs = '<arc id="a" source="p" target="t"/><arc id="b" source="t" target="q"/><arc id="c" source="q" target="t" type="inhibitor"/>';
  const net = (more) =>
    `<pnml><net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><place id="p"><initialMarking><text>2</text></initialMarking></place><place id="q"/><transition id="t"/>${arcs}${more}</net></pnml>`;
  await setText(page, net(""));
  await page.waitForSelector(`${at("cfa")} [data-key="h0-1"] .ring`);
  await page.fill(at("property"), "AF q = 1");
  await decide(page);
  assert((await page.locator(at("verdict")).innerText()).startsWith("Holds"), "it holds");
  await setText(page, net('<arc id="d" source="p" target="q"/>'));
  await page.waitForFunction(() => document.body.textContent.includes("the arc 'd' connects two places, 'p' and 'q'"));
}

/** The token game: fired by mouse and by keys, taken back, at random. */
async function play(context) {
  const { page } = await context.open();
  await choose(page, "philosophers");
  await page.waitForSelector(`${at("cfa")} [data-key="t0"]`);
  await page.click(at("play-net"));
  const node = (key) => page.locator(`${at("cfa")} .node[data-key="${key}"]`).first();
  const press = (key) => node(key).evaluate((element) => element.dispatchEvent(new MouseEvent("click", { bubbles: true })));
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await press("t0");
  assertEqual(await title(page, "p6"), "wait1, place with 1 token");
  // Two tokens move to the transition, and one from it; with less motion they stay away.
  const moving = () => page.locator(`${at("cfa")} .token`).evaluateAll((all) => all.map((one) => getComputedStyle(one).animationName));
  assertEqual((await moving()).join(), "vs-fire,vs-fire,vs-fire");
  await page.emulateMedia({ reducedMotion: "reduce" });
  assertEqual((await moving()).join(), "none,none,none");
  // Not enabled: nothing fires.
  await press("t0");
  await press("t1");
  await node("t2").focus();
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.body.innerText.includes("3 firings: the marking is dead"), undefined, { timeout: 5_000 });
  assertEqual(await page.locator(`${at("cfa")} .is-enabled`).count(), 0, "a dead marking");
  await context.screenshot(page, "net-played");
  await node("t2").focus();
  await page.keyboard.press("Control+z");
  assertEqual(await title(page, "t3"), "begin1, transition, not enabled: fork2 has 0 of 1 token");
  assertEqual(await title(page, "t2"), "take3, transition, enabled, in conflict");
  await page.click(at("play-any"));
  await page.click(at("play-start"));
  assertEqual(await title(page, "p0"), "think1, place with 1 token");
  await page.click(at("play-again"));
  assertEqual(await title(page, "p0"), "think1, place with 0 tokens");
  // The text can be edited all the time. A comment keeps the game; with another net it begins anew.
  await page.click(`${at("model-panel")} button[role=tab]:text-is("Both")`);
  const text = await page.evaluate(() => document.querySelector(".cm-content").cmTile.view.state.doc.toString());
  await setText(page, `${text}// a comment`);
  await page.waitForTimeout(700);
  assertEqual(await page.locator(at("play-status")).innerText(), "1 firing");
  await setText(page, text.replace("think1 = 1", "think1 = 2"));
  await page.waitForFunction((selector) => document.querySelector(selector).textContent === "think1, place with 2 tokens", `${at("cfa")} [data-key="p0"] > title`);
  await page.click(at("play-net"));
  await decide(page);
}

/** The reachability graph has the marking of the game, and the net is played to another one; a link has the game. */
async function played(context) {
  const { page } = await context.open();
  await choose(page, "philosophers");
  await page.waitForSelector(`${at("cfa")} [data-key="t0"]`);
  await page.click(at("tab-markings"));
  const press = (selector) =>
    page.locator(selector).first().evaluate((element) => element.dispatchEvent(new MouseEvent("click", { bubbles: true })));
  await page.click(at("play-net"));
  await press(`${at("cfa")} [data-key="t3"]`);
  const status = () => page.locator(at("play-status")).innerText();
  assertEqual(await status(), "begin1 is not enabled: wait1 has 0 of 1 token");
  await page.click(`${at("play-enabled")}:text-is("take1")`);
  const marked = (title) =>
    page.waitForFunction((title) => document.querySelector(".depicted .node.is-current > title")?.textContent === title, title);
  await marked("think2 + think3 + fork2 + fork3 + wait1");
  await context.screenshot(page, "net-game-and-graph");
  await press(".depicted .node.is-dead");
  await marked("wait1 + wait2 + wait3, dead");
  assertEqual(await status(), "3 firings: the marking is dead");
  // The link has the game.
  await page.click(at("open-share"));
  const url = await page.inputValue(at("share-url"));
  const { page: other } = await context.open({ hash: url.slice(url.indexOf("#")) });
  await other.waitForFunction((selector) => document.querySelector(selector)?.textContent === "3 firings: the marking is dead", at("play-status"));
}

/** The history is a tree; steps of several transitions; a net that plays by itself. */
async function history(context) {
  const { page } = await context.open();
  await choose(page, "philosophers");
  await page.waitForSelector(`${at("cfa")} [data-key="t0"]`);
  await page.click(at("play-net"));
  const press = (key) =>
    page.locator(`${at("cfa")} .node[data-key="${key}"]`).first().evaluate((element) => element.dispatchEvent(new MouseEvent("click", { bubbles: true })));
  await press("t0");
  await page.click(at("play-back"));
  await press("t1");
  await page.waitForSelector(at("play-branch"));
  assertEqual(await page.locator(`${at("play-branch")} option`).allInnerTexts(), ["take1", "take2"], "the choices that were tried");
  await page.selectOption(at("play-branch"), { label: "take1" });
  await page.waitForFunction((selector) => document.querySelector(selector).textContent === "wait1, place with 1 token", `${at("cfa")} [data-key="p6"] > title`);
  // From here, two philosophers can move at once: the first begins to eat, or the others take their forks.
  await page.click(at("play-step"));
  const moves = await page.locator(at("play-move")).allInnerTexts();
  assertEqual(moves.length, 3, moves.join(", "));
  assert(moves[2].includes(" + "), moves[2]);
  await context.screenshot(page, "net-history");
  await page.click(at("play-start"));
  await page.selectOption(at("play-rate"), "30");
  await page.click(at("play-alone"));
  await page.waitForFunction((moves) => document.querySelectorAll(moves).length > 8 || document.body.innerText.includes("the marking is dead"), at("play-move"));
  await page.click(at("play-net"));
  assertEqual(await page.locator(at("play-bar")).count(), 0, "the bar after the game");
}

/** Invariants, siphons and traps, the reachability graph, and the coverability graph are drawn. */
async function analysis(context) {
  const { page } = await context.open();
  await choose(page, "philosophers");
  await decide(page);
  await page.click(at("tab-structure"));
  await page.waitForFunction(() => document.body.innerText.includes("think1 + wait1 + eat1 = 1"));
  await page.waitForSelector(".part .node.is-member");
  await context.screenshot(page, "net-structure");
  await page.click(at("tab-markings"));
  await page.waitForSelector(".part .node.is-dead.is-current");
  assert((await page.locator("main").innerText()).includes("14 markings, 27 firings, 1 dead marking"), "the reachability graph");
  await context.screenshot(page, "net-markings");
  await page.fill(at("property"), "AG EF think1 = 1");
  await decide(page);
  await page.waitForFunction(() => document.body.innerText.includes("AG EF (think1 = 1) is false in the initial marking"));
  await context.screenshot(page, "net-witness");
  await page.fill(at("property"), "");
  await setText(page, "net u { place p = 1 place q transition t: p -> p + q transition u: 2 q -> q property b: 3-safe }");
  await page.waitForTimeout(700);
  await decide(page);
  await page.waitForFunction(() => document.body.innerText.includes("unbounded: q"));
  await context.screenshot(page, "net-coverability");
}

export const tests = [
  { name: "the philosophers are played into the deadlock, step by step", run: philosophers },
  { name: "repaired philosophers are proved", run: repaired },
  { name: "a trap and an invariant of the state equation", run: trap },
  { name: "a net is played", run: play },
  { name: "a game in the reachability graph, and in a link", run: played },
  { name: "the history of a game is a tree", run: history },
  { name: "structure, markings and coverability are drawn", run: analysis },
  { name: "PNML, branching time, and a mistake with its place", run: pnml },
];
