// The harness detects the faults it is meant to detect.
import { assert, assertEqual } from "./context.mjs";

export const tests = [
  {
    name: "a foreign request, a console error and an uncaught error are faults",
    async run(context) {
      const foreign = await context.serveHtml("<!doctype html>");
      const host = await context.serveHtml('<!doctype html><link rel="icon" href="data:,">');
      const page = await context.newPage({ origins: [host.origin] });
      await page.goto(host.url);
      assertEqual(context.takeFaults(), [], "faults of an innocent page");
      await page.evaluate(async (url) => {
        await fetch(url, { mode: "no-cors" });
        console.error("a complaint");
        setTimeout(() => {
          throw new Error("a slip");
        }, 0);
        await new Promise((done) => setTimeout(done, 100));
      }, foreign.url);
      const faults = context.takeFaults();
      assertEqual(faults.length, 3, `count of ${JSON.stringify(faults)}`);
      assert(faults[0].startsWith("request to "), "the foreign request comes first");
    },
  },
  {
    name: "a file outside the page's folder is not served",
    async run(context) {
      const server = await context.serve();
      const answer = await fetch(`${server.url}..%2fCargo.toml`);
      assertEqual(answer.status, 404, "status");
    },
  },
];
