// Helpers for actions common to several tests.
import { readFileSync } from "node:fs";

export const at = (name) => `[data-testid=${name}]`;

/** Opens an example from the gallery. */
export async function choose(page, example) {
  await page.click(at("open-gallery"));
  await page.click(at(`example-${example}`));
  await page.waitForSelector(at("gallery"), { state: "detached" });
}

/** The file that a list of formats offers. */
export async function save(page, which, format) {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.click(`${which} ${at("save-picture")}`).then(() => page.click(`${which} .formats >> text="${format}"`)),
  ]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

/** Replaces the text of the model. */
export async function setText(page, text) {
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(text);
}

/** The text of the model; of long texts only what is in view has elements. */
export async function getText(page) {
  await page.waitForSelector(".cm-content", { state: "attached" });
  return page.evaluate(() => document.querySelector(".cm-content").cmTile.view.state.doc.toString());
}

/** The address once it has what was done last: it is written a little later, and then stays. */
export async function address(page) {
  for (;;) {
    const now = page.url();
    await page.waitForTimeout(1_000);
    if (page.url() === now) return now;
  }
}

/** Runs what is open until there is a verdict. */
export async function decide(page) {
  await page.click(at("run"));
  await page.waitForSelector(at("verdict"), { timeout: 20_000 });
}

/** Waits until the step is drawn and its explanation is there. */
export async function settled(page) {
  await page.waitForFunction(
    ([counter, explanation]) => {
      const step = document.querySelector(counter).textContent.split("/")[0].trim();
      return step === "0" || document.querySelector(explanation)?.dataset.step === step;
    },
    [at("counter"), at("explanation")],
  );
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

/** Goes back to the first step of the run. */
export async function begin(page) {
  await page.locator("body").click({ position: { x: 5, y: 5 } });
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
}

/** Goes forward until the explanation has this title. */
export async function until(page, title) {
  for (let step = 0; step < 200; step += 1) {
    await settled(page);
    if ((await page.locator(at("why-title")).innerText()).includes(title)) return;
    await page.keyboard.press("ArrowRight");
  }
  throw new Error(`there is no step called ${title}`);
}
