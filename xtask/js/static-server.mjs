// A static server for the built page. Texts and programs are compressed for browsers that accept gzip.
import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize, resolve, sep } from "node:path";
import { createGzip } from "node:zlib";

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
const COMPRESSED_ALREADY = [".png"];
/** Files with a hash of their content in their names, which never change. */
const HASHED = /-[0-9a-f]{12,16}(?:_\w+)?\.\w+$/;

/** The file of `root` that an address names, if there is one. */
function fileOf(root, address) {
  let inside;
  try {
    inside = decodeURIComponent(address) || "index.html";
  } catch {
    return null;
  }
  const file = normalize(join(root, inside));
  return file.startsWith(root + sep) && existsSync(file) && statSync(file).isFile() ? file : null;
}

/**
 * Serves `folder` below `prefix` (`/` or `/some/path/`) on this machine, with `csp` as a header when given; port 0 is
 * any free one. A request for whose path `refuse` is true gets no file. Gives `{origin, url, requests, use, close}`; `use(folder)` serves another folder from now on.
 */
export async function serveFolder(folder, { prefix = "/", csp, port = 0, refuse = () => false } = {}) {
  let root = resolve(folder);
  const requests = [];
  const answer = (request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    const file = pathname.startsWith(prefix) && !refuse(pathname) ? fileOf(root, pathname.slice(prefix.length)) : null;
    requests.push({ path: pathname, status: file ? 200 : 404 });
    if (!file) return response.writeHead(404, { "content-type": "text/plain" }).end("404");
    const kind = extname(file);
    const caching = HASHED.test(file) ? "max-age=31536000, immutable" : "no-cache";
    const headers = { "content-type": TYPES[kind] ?? "application/octet-stream", "cache-control": caching };
    if (csp) headers["content-security-policy"] = csp;
    const gzip = !COMPRESSED_ALREADY.includes(kind) && /\bgzip\b/.test(request.headers["accept-encoding"] ?? "");
    if (!gzip) return createReadStream(file).pipe(response.writeHead(200, headers));
    response.writeHead(200, { ...headers, "content-encoding": "gzip", vary: "accept-encoding" });
    return createReadStream(file).pipe(createGzip({ level: 6 })).pipe(response);
  };
  const server = await running(answer, port);
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

async function running(handler, port = 0) {
  const server = createServer(handler);
  await new Promise((done, failed) => {
    server.once("error", failed);
    server.listen(port, "127.0.0.1", done);
  });
  const close = () =>
    new Promise((done) => {
      server.close(done);
      server.closeAllConnections();
    });
  return { origin: `http://127.0.0.1:${server.address().port}`, close };
}
