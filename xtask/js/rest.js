// Stands before the glue of a program that is split (split.mjs), and loads its later parts, the files `PARTS`.
const files = PARTS.map((file) => new URL(file, import.meta.url));

const compiled = (response) => {
  const copy = response.clone();
  return WebAssembly.compileStreaming(response).catch(async () => WebAssembly.compile(await copy.arrayBuffer()));
};

/** The copy that was kept for use without a network, if there is one. */
async function kept(file) {
  try {
    return await caches.match(file);
  } catch {
    return undefined;
  }
}

/** A later part, if it can or must be there from the start; a URL that ends in `#whole` asks for that. */
async function early(file) {
  const whole = import.meta.url.endsWith("#whole");
  const response = (await kept(file)) ?? (whole ? await fetch(file).catch(() => null) : null);
  return response?.ok ? compiled(response) : null;
}

/** From now on, the other parts call the functions of this one through its tables. */
function link(part, program) {
  if (wasm[`loaded${part}`].value === 1) return;
  new WebAssembly.Instance(program, { first: wasm });
  wasm[`loaded${part}`].value = 1;
}

/** Loads a part because one of its functions is called, by a request that blocks: the call cannot wait. */
function need(part) {
  const request = new XMLHttpRequest();
  request.open("GET", files[part], false);
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
  const bytes = Uint8Array.from(request.responseText, (character) => character.charCodeAt(0));
  link(part, new WebAssembly.Module(bytes));
}

/** Loads a part before it is needed; where that fails, it is loaded when it is needed. */
export async function ahead(part) {
  if (part >= files.length || wasm[`loaded${part}`].value === 1) return;
  try {
    const response = await fetch(files[part]);
    if (response.ok) link(part, await compiled(response));
  } catch {
    // no network
  }
}

const parts = await Promise.all(files.map(early));
/** Called before the program starts. */
const begin = () => parts.forEach((program, part) => program && link(part, program));
