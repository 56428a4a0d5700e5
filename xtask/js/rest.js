// Added to the glue of a program that is split (split.mjs): loads its second part, the file `REST`.
let present = false;

/** The functions of the second part are in the tables of the first, which calls them there from now on. */
function enter() {
  present = true;
  wasm.loaded.value = 1;
}

/** Loads the second part at once, because one of its functions is called. Only this kind of request blocks. */
function need() {
  const request = new XMLHttpRequest();
  request.open("GET", new URL(REST, import.meta.url), false);
  // A page may not ask for bytes here: each comes as a character whose code ends with it.
  request.overrideMimeType("text/plain; charset=x-user-defined");
  request.send();
  if (request.status !== 200) throw new Error("the second part of the program could not be loaded");
  const bytes = Uint8Array.from(request.responseText, (character) => character.charCodeAt(0));
  new WebAssembly.Instance(new WebAssembly.Module(bytes), { first: wasm });
  enter();
}

/** Loads the second part before it is needed; where that fails, it is loaded when it is needed. */
export async function ahead() {
  const response = await fetch(new URL(REST, import.meta.url)).catch(() => null);
  if (!response?.ok || present) return;
  await WebAssembly.instantiate(await response.arrayBuffer(), { first: wasm });
  enter();
}
