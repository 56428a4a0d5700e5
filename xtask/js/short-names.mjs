// The function names shared by a program's glue and its wasm end in hashes, which do not compress. Here each gets a
// short one, in both files at once; names called by JavaScript itself are kept.
import { HEADER, leb, sections } from "./sections.mjs";

const GENERATED = /\b(?:__wbg_\w+_[0-9a-f]{16}|__wbindgen_generic_[0-9a-f]{16}|wasm_bindgen__\w{20,})\b/g;
const IMPORTS = 2;
const EXPORTS = 7;

/** A name with its length before it. */
const name = (text) => Buffer.from([...leb(text.length), ...Buffer.from(text)]);

/** A section in which names are replaced; what lies between them stays as it is. */
function renamed(section, names) {
  const found = [...names].map(([old, fresh]) => ({ at: section.indexOf(name(old)), old, fresh }));
  const pieces = [];
  let kept = 0;
  for (const { at, old, fresh } of found.filter(({ at }) => at >= 0).sort((a, b) => a.at - b.at)) {
    pieces.push(section.subarray(kept, at), name(fresh));
    kept = at + name(old).length;
  }
  return Buffer.concat([...pieces, section.subarray(kept)]);
}

/** Glue and wasm with short names for what one takes from the other. */
export function shortenNames(js, wasm) {
  const names = new Map([...new Set(js.match(GENERATED))].map((old, number) => [old, `_${number.toString(36)}`]));
  const parts = [wasm.subarray(0, HEADER)];
  for (const { kind, content } of sections(wasm)) {
    const fresh = kind === IMPORTS || kind === EXPORTS ? renamed(content, names) : content;
    parts.push(Buffer.from([kind, ...leb(fresh.length)]), fresh);
  }
  return { js: js.replace(GENERATED, (old) => names.get(old)), wasm: Buffer.concat(parts) };
}
