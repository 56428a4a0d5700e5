// Starts the app, offers it the lazily loaded editor, and keeps the page usable offline.
// Every URL is resolved against the document, so any sub-path works.
const absolute = (path) => new URL(path, document.baseURI).href;
/** The greatest side and the greatest area of a PNG, in pixels: some browsers refuse larger canvases. */
const LONGEST = 8192;
const LARGEST = 16_000_000;
const meta = (name) => document.querySelector(`meta[name=${name}]`)?.content ?? "";

/** Draws an SVG text into a PNG with twice as many pixels, and offers it as a file; false if that fails. */
async function offerPng(name, svg) {
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    await image.decode();
    const scale = Math.min(2, LONGEST / Math.max(image.width, image.height), Math.sqrt(LARGEST / (image.width * image.height)));
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [image.width * scale, image.height * scale];
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    const link = document.createElement("a");
    link.download = name;
    link.href = URL.createObjectURL(await new Promise((done) => canvas.toBlob(done)));
    link.click();
    URL.revokeObjectURL(link.href);
    return true;
  } catch {
    return false;
  } finally {
    URL.revokeObjectURL(image.src);
  }
}

/** Calls a function of static/files, then `done` with its result, or with undefined and the reason of a failure. */
function files(work, args, done) {
  const failed = (why) => done(undefined, typeof why === "string" ? why : "The browser does not allow access to files on this page.");
  import(absolute(meta("files")))
    .then((module) => module[work](...args))
    .then((result) => done(result, undefined), failed);
}

/** Opens a file that is dropped on the page, rather than the editor, which would insert its text. */
function onDrop(event) {
  if (!event.dataTransfer?.types.includes("Files")) return;
  event.preventDefault();
  event.stopPropagation();
  const [file] = event.dataTransfer.files;
  if (event.type === "drop" && file) dispatchEvent(new CustomEvent("veristep-drop", { detail: file }));
}
if (meta("files")) {
  addEventListener("dragover", onDrop, true);
  addEventListener("drop", onDrop, true);
}

/**
 * Functions for the Rust side: `veristep.editor()` returns a promise of the editor's module, which is loaded after the
 * engine, `veristep.files()` calls a function for files, `veristep.engine()` runs the engine's program in the page itself, where no worker can be started,
 * `veristep.offerPng()` offers a picture as a file, and `veristep.say()` shows a sentence below the page.
 */
globalThis.veristep = Object.freeze({
  editor: () => ready().then(() => import(absolute(meta("editor")))),
  files,
  engine: () => import(absolute(meta("engine"))),
  offerPng,
  say,
});

/** A list of formats closes by Escape, which then has no other meaning, and by a press elsewhere. */
function closeMenus(event) {
  if (event.type === "keydown" && event.key !== "Escape") return;
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    if (event.type === "pointerdown" && menu.contains(event.target)) continue;
    menu.removeAttribute("open");
    if (event.type === "keydown") {
      event.stopPropagation();
      menu.querySelector("summary").focus();
    }
  }
}
for (const type of ["keydown", "pointerdown"]) document.addEventListener(type, closeMenus, true);

/**
 * Highlights in all views what stands for the same thing as the element under the pointer. `data-about` names the
 * things of an element, itself first: a node and its location are related, two nodes at one location are not.
 */
function highlight(event) {
  const about = event.target.closest?.("[data-about]")?.dataset.about ?? "";
  if (event.pointerType !== "mouse") return;
  for (const element of document.querySelectorAll(".hovered")) element.classList.remove("hovered");
  const things = about.split(" ").filter(Boolean);
  if (things.length === 0) return;
  const related = things.flatMap((thing) => [`[data-about="${thing}"]`, `[data-about^="${thing} "]`]);
  const selector = [...related, `[data-about~="${things[0]}"]`].join();
  for (const element of document.querySelectorAll(selector)) element.classList.add("hovered");
}
document.addEventListener("pointerover", highlight);
document.documentElement.addEventListener("pointerleave", highlight);

function say(text) {
  document.querySelector(".vs-boot")?.remove();
  const paragraph = document.createElement("p");
  paragraph.setAttribute("role", "alert");
  paragraph.textContent = text;
  document.body.append(paragraph);
}

/** Starts the app; resolves to its program, or to nothing. */
async function start() {
  const { appJs, appWasm } = document.querySelector("script[data-app-js]").dataset;
  if (typeof WebAssembly !== "object") {
    say("This page needs WebAssembly, which this browser does not support.");
    return null;
  }
  try {
    const program = await import(absolute(appJs));
    await program.default({ module_or_path: absolute(appWasm) });
    return program;
  } catch (error) {
    say("Veristep could not start in this browser. Reloading the page may help.");
    throw error;
  }
}

// A service worker caches the built files, so the page opens without a network. It is optional:
// where it is unavailable (an iframe, a private window, plain files) the page works without.
async function keepOffline() {
  try {
    if (!/^https?:$/.test(location.protocol) || window !== window.top) return;
    const script = meta("offline");
    if (script) await navigator.serviceWorker.register(absolute(script));
    else await (await navigator.serviceWorker.getRegistration(absolute("./")))?.unregister();
  } catch {
    // not supported here
  }
}

/** Resolves when the page and the first part of its engine are there. */
function ready() {
  return new Promise((done) => {
    const observer = new MutationObserver(check);
    function check() {
      if (document.body.dataset.ready !== "true") return;
      observer.disconnect();
      done();
    }
    observer.observe(document.body, { attributeFilter: ["data-ready"] });
    check();
  });
}

const app = await start();
// The part of the app that shows a run is loaded beside the engine; the rest of it, the editor and a copy of everything
// when both are there.
await app?.ahead?.(0);
await ready();
await app?.ahead?.(1);
await keepOffline();
