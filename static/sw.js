// Caches one release's files for use without a network. `FILES` and `RELEASE` are written by
// xtask/js/after-build.mjs. The document is fetched from the network first, so a new release shows at
// once; all its files have a content hash in their names, so a cached file is never outdated.
const RELEASE = "unbuilt";
const FILES = [];

const cacheName = `veristep ${self.registration.scope} ${RELEASE}`;
const absolute = (path) => new URL(path, self.registration.scope).href;

async function keep() {
  const cache = await caches.open(cacheName);
  // Revalidates with the server: a document cached by the browser may belong to the last release.
  await cache.addAll(FILES.map((path) => new Request(absolute(path), { cache: "no-cache" })));
}

async function forgetOthers() {
  const names = await caches.keys();
  const ours = names.filter((name) => name.startsWith(`veristep ${self.registration.scope} `));
  await Promise.all(ours.filter((name) => name !== cacheName).map((name) => caches.delete(name)));
  await self.clients.claim();
}

async function openDocument(request) {
  try {
    return await fetch(request);
  } catch (error) {
    const cache = await caches.open(cacheName);
    const kept = (await cache.match(request, { ignoreSearch: true })) ?? (await cache.match(absolute("./")));
    if (kept) return kept;
    throw error;
  }
}

async function openFile(request) {
  const cache = await caches.open(cacheName);
  return (await cache.match(request)) ?? fetch(request);
}

self.addEventListener("install", (event) => event.waitUntil(keep()));
self.addEventListener("activate", (event) => event.waitUntil(forgetOthers()));
self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || !request.url.startsWith(self.registration.scope)) return;
  event.respondWith(request.mode === "navigate" ? openDocument(request) : openFile(request));
});
