// The outer form of a wasm file: a header, then sections, each with its kind and its length.
export const HEADER = 8;

/** A number as wasm writes it, in groups of seven bits. */
export function leb(value) {
  const groups = [];
  for (; value > 127; value >>>= 7) groups.push((value & 127) | 128);
  return [...groups, value];
}

/** The kind and the content of each section. */
export function* sections(wasm) {
  let place = HEADER;
  while (place < wasm.length) {
    const kind = wasm[place++];
    let [length, byte] = [0, 128];
    for (let shift = 0; byte > 127; shift += 7) {
      byte = wasm[place++];
      length += (byte & 127) * 2 ** shift;
    }
    yield { kind, content: wasm.subarray(place, (place += length)) };
  }
}
