// Finds and starts an installed Chromium; nothing is downloaded.
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];
const MAC = ["/Applications/Google Chrome.app/Contents/MacOS/Google Chrome", "/Applications/Chromium.app/Contents/MacOS/Chromium"];

function runnable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export function findChromium() {
  const named = process.env.CHROMIUM;
  if (named && !runnable(named)) throw new Error(`CHROMIUM names ${named}, which cannot be run`);
  if (named) return named;
  const folders = (process.env.PATH ?? "").split(delimiter).filter(Boolean);
  const places = [...NAMES.flatMap((name) => folders.map((folder) => join(folder, name))), ...MAC];
  const found = places.find(runnable);
  if (!found) throw new Error("no Chromium found: install one, or name it in the variable CHROMIUM");
  return found;
}

export function launch() {
  return chromium.launch({
    executablePath: findChromium(),
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--no-first-run",
    ],
  });
}

// Run as a program it only prints the browser's location, for xtask.
if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(findChromium());
