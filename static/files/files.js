// Models as files, and those that the browser keeps on this machine. Loaded when it is needed for the first time.
import { createStore, delMany, entries, set } from "idb-keyval";

/** So many models are kept; the oldest ones go. */
const MOST = 100;
/** The limit on bytes of a file, that of texts of models. */
const LARGEST = 4 * 1024 * 1024;

let documents;
/** The store of the kept models. An embedded page may be forbidden to use it: then this throws. */
function store() {
  documents ??= createStore("veristep", "documents");
  return documents;
}

/** The files that were opened or saved, which can be written again. */
const handles = [];

const newest = (one, other) => other[1].time - one[1].time;

/** Is it what `keep` stores? */
const isKept = ([id, document]) =>
  typeof id === "string" &&
  typeof document?.name === "string" &&
  typeof document.content === "string" &&
  Number.isFinite(document.time);

/** The kept models, newest first: [{ id, name, time, content }]. */
export async function kept() {
  const all = (await entries(store())).filter(isKept);
  return all.sort(newest).map(([id, document]) => ({ id, ...document }));
}

/** Keeps a model, and forgets the oldest ones if there are too many. */
export async function keep(id, name, content, time) {
  await set(id, { name, content, time }, store());
  const all = (await entries(store())).filter(isKept);
  if (all.length > MOST) {
    const old = all.sort(newest).slice(MOST);
    await delMany(old.map(([id]) => id), store());
  }
}

/** Forgets a kept model. */
export const forget = (id) => delMany([id], store());

/** A file as { name, text }; throws a sentence if it is none. */
async function read(file) {
  if (file.size > LARGEST) throw `${file.name} is larger than 4 MiB, the limit for models.`;
  const text = new TextDecoder("utf-8", { fatal: true });
  try {
    return { name: file.name, text: text.decode(await file.arrayBuffer()) };
  } catch {
    throw `${file.name} is not a text file.`;
  }
}

/** A file that a person chooses with a field of the page, for browsers that cannot write files. */
function choose() {
  return new Promise((resolve) => {
    const input = document.createElement("input");
    input.type = "file";
    input.addEventListener("change", () => resolve(input.files[0]));
    input.addEventListener("cancel", () => resolve(undefined));
    input.click();
  });
}

/** Was a dialog of the browser cancelled? */
const cancelled = (error) => error?.name === "AbortError";

/** Opens a file: { name, text, file }, or undefined if none was chosen; `file` is its number for `save`, 0 if it cannot be
 * written. */
export async function open() {
  let handle;
  try {
    [handle] = await window.showOpenFilePicker();
  } catch (error) {
    if (cancelled(error)) return undefined;
    // There is no such dialog, or it is forbidden in an embedded page.
  }
  const found = handle ? await handle.getFile() : await choose();
  return found && { ...(await read(found)), file: handle ? handles.push(handle) : 0 };
}

/** Saves a text into the file with this number, or into one that a person chooses: { name, file }, or undefined if none
 * was chosen. */
export async function save(file, name, text) {
  let handle = handles[file - 1];
  try {
    handle ??= await window.showSaveFilePicker({ suggestedName: name });
  } catch (error) {
    if (cancelled(error)) return undefined;
    // There is no such dialog, or it is forbidden in an embedded page.
    download(name, text);
    return { name, file: 0 };
  }
  try {
    const writable = await handle.createWritable();
    await writable.write(text);
    await writable.close();
    return { name: handle.name, file: handles.includes(handle) ? handles.indexOf(handle) + 1 : handles.push(handle) };
  } catch (error) {
    throw `${handle.name} cannot be written: ${error.message}`;
  }
}

function download(name, text) {
  const anchor = document.createElement("a");
  anchor.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(anchor.href), 0);
}

/** Reads a file that is dropped on the page: { name, text, file }. */
export const dropped = async (file) => ({ ...(await read(file)), file: 0 });
