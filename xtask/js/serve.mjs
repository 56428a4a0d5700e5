// Serves a built page: node xtask/js/serve.mjs FOLDER PORT [--open]
import { spawn } from "node:child_process";
import { serveFolder } from "./static-server.mjs";

const [folder, port, open] = process.argv.slice(2);
const { url } = await serveFolder(folder, { port: Number(port) });
if (open === "--open") {
  const openers = { darwin: ["open", url], win32: ["cmd", "/c", "start", "", url] };
  const [program, ...words] = openers[process.platform] ?? ["xdg-open", url];
  spawn(program, words, { stdio: "ignore" }).on("error", () => {});
}
