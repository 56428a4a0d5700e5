// A static server for the built page, in the situations of real pages: below a sub-path,
// under a strict CSP header, inside a page of another origin. It records every request.
import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize, resolve, sep } from "node:path";

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".wasm": "application/wasm",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".json": "application/json",
  ".webmanifest": "application/manifest+json",
  ".txt": "text/plain; charset=utf-8",
};

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

function listen(handler) {
  const server = createServer(handler);
  return new Promise((done, failed) => {
    server.once("error", failed);
    server.listen(0, "127.0.0.1", () => done(server));
  });
}

async function running(handler) {
  const server = await listen(handler);
  const close = () =>
    new Promise((done) => {
      server.close(done);
      server.closeAllConnections();
    });
  return { origin: `http://127.0.0.1:${server.address().port}`, close };
}

/**
 * Serves `folder` below `prefix` (`/` or `/some/path/`), with `csp` as a header when given.
 * Gives `{origin, url, requests, use, close}`; `use(folder)` serves another folder from now on.
 */
export async function serveFolder(folder, { prefix = "/", csp } = {}) {
  let root = resolve(folder);
  const requests = [];
  const server = await running((request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    const refuse = (status) => {
      requests.push({ path: pathname, status });
      response.writeHead(status, { "content-type": "text/plain" }).end(String(status));
    };
    if (!pathname.startsWith(prefix)) return refuse(404);
    const inside = decodeURIComponent(pathname.slice(prefix.length)) || "index.html";
    const file = normalize(join(root, inside));
    if (!file.startsWith(root + sep) || !existsSync(file) || !statSync(file).isFile()) return refuse(404);
    requests.push({ path: pathname, status: 200 });
    const headers = { "content-type": TYPES[extname(file)] ?? "application/octet-stream", "cache-control": "no-cache" };
    if (csp) headers["content-security-policy"] = csp;
    response.writeHead(200, headers);
    createReadStream(file).pipe(response);
  });
  const use = (other) => {
    root = resolve(other);
  };
  return { ...server, url: server.origin + prefix, requests, use };
}

/** Serves one HTML page on an origin of its own (another port is another origin). */
export async function serveHtml(html) {
  const server = await running((_request, response) => {
    response.writeHead(200, { "content-type": TYPES[".html"] }).end(html);
  });
  return { ...server, url: `${server.origin}/` };
}
