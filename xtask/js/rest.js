// Stands before the glue of a program that is split (split.mjs), and loads its second part, the file `REST`.
const rest = new URL(REST, import.meta.url);

const compiled = (response) => {
  const copy = response.clone();
  return WebAssembly.compileStreaming(response).catch(async () => WebAssembly.compile(await copy.arrayBuffer()));
};

/** The copy that was kept for use without a network, if there is one. */
async function kept() {
  try {
    return await caches.match(rest);
  } catch {
    return undefined;
  }
}

/** The second part, if it can or must be there from the start; a URL that ends in `#whole` asks for that. */
async function early() {
  const whole = import.meta.url.endsWith("#whole");
  const response = (await kept()) ?? (whole ? await fetch(rest).catch(() => null) : null);
  return response?.ok ? compiled(response) : null;
}

/** From now on, the first part calls the functions of the second one through its tables. */
function link(part) {
  if (wasm.loaded.value === 1) return;
  new WebAssembly.Instance(part, { first: wasm });
  wasm.loaded.value = 1;
}

/** Loads the second part because one of its functions is called, by a request that blocks: the call cannot wait. */
function need() {
  const request = new XMLHttpRequest();
  request.open("GET", rest, false);
  // In a page such a request cannot return bytes: with this charset each byte is the low byte of one character.
  request.overrideMimeType("text/plain; charset=x-user-defined");
  try {
    request.send();
  } catch {
    // reported below
  }
  if (request.status !== 200) {
    globalThis.veristep?.say("A part of this page could not be loaded. Reloading the page may help.");
    throw new Error("a part of the program could not be loaded");
  }
  link(new WebAssembly.Module(Uint8Array.from(request.responseText, (character) => character.charCodeAt(0))));
}

/** Loads the second part before it is needed; where that fails, it is loaded when it is needed. */
export async function ahead() {
  if (wasm.loaded.value === 1) return;
  try {
    const response = await fetch(rest);
    if (response.ok) link(await compiled(response));
  } catch {
    // no network
  }
}

const part = await early();
/** Called before the program starts. */
const begin = () => part && link(part);
