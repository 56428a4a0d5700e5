// The situations of real pages: a strict CSP header, and a page of another origin around Veristep.

export const STRICT_CSP = [
  "default-src 'self'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "worker-src 'self'",
  "base-uri 'self'",
  "object-src 'none'",
].join("; ");

/** A page of its own that shows `url` in an iframe and nothing else. */
export function hostPage(url, sandbox) {
  const attribute = sandbox ? ` sandbox="${sandbox}"` : "";
  return `<!doctype html><html lang="en"><title>host</title><link rel="icon" href="data:,">
<iframe title="Veristep" src="${url}" width="1200" height="800"${attribute}></iframe></html>`;
}
