// Serves the page where there is no network. The build fills in the version and the files.
//
// The page itself comes from the network whenever that answers, so a new release needs no more than an
// ordinary load; what has a hash in its name never changes and comes from the cache. A new release has
// a cache and a worker of its own, which takes over as soon as it has everything: a page still in use
// asks for the files of its own release by their hashes, and finds them in the cache of that release.
// (Asked to take over by a page that starts, the browser may wait minutes for the old worker's rest.)

const VERSION = '{version}';
/** What every visitor needs. */
const FILES = ['{files}'];
/** What the readers of one language need, by its tag. */
const LANGUAGES = {languages};

const CACHE = `tandem-${VERSION}`;
const BASE = new URL('./', self.location).pathname;
/** Answers of the relay that are true only now. */
const LIVE = /^(ws|tables|matches|healthz|version|metrics)(\/|$)/;
const HASHED = /-[0-9a-f]{12,16}[._]/;
/** A network that does not answer in this time, in milliseconds, is none. */
const PATIENCE = 4000;

const address = (file) => new URL(BASE + file, self.location).href;
const ask = (file) => new Request(address(file), { cache: 'no-cache' });

async function keep(files) {
  const cache = await caches.open(CACHE);
  const missing = [];
  for (const file of files) if (!(await cache.match(address(file)))) missing.push(ask(file));
  await cache.addAll(missing);
}

/** The languages that were kept for the release before this one. */
async function knownLanguages() {
  const known = new Set();
  for (const name of await caches.keys()) {
    for (const { url } of await (await caches.open(name)).keys()) {
      const tag = /\/locales\/(?:rules-)?([a-z]+)-[0-9a-f]+\.txt$/.exec(url)?.[1];
      if (tag in LANGUAGES) known.add(tag);
    }
  }
  return [...known];
}

self.addEventListener('install', (event) => {
  const all = async () => {
    const languages = await knownLanguages();
    await keep(['', ...FILES, ...languages.flatMap((tag) => LANGUAGES[tag])]);
    await self.skipWaiting();
  };
  event.waitUntil(all());
});

self.addEventListener('activate', (event) => {
  const tidy = async () => {
    // The release before this one may still be open in another window.
    const others = (await caches.keys()).filter((name) => name.startsWith('tandem-') && name !== CACHE);
    await Promise.all(others.slice(0, -1).map((name) => caches.delete(name)));
    await self.clients.claim();
  };
  event.waitUntil(tidy());
});

self.addEventListener('message', (event) => {
  const files = LANGUAGES[event.data?.language];
  // Without a network nothing is kept now; the next page asks again.
  if (files) event.waitUntil(keep(files).catch(() => {}));
});

async function page(request) {
  const late = new Promise((_, reject) => setTimeout(reject, PATIENCE));
  try {
    const answer = await Promise.race([fetch(request), late]);
    if (answer.status < 500) return answer;
  } catch {}
  const cache = await caches.open(CACHE);
  return (await cache.match(address(''))) ?? fetch(request);
}

async function kept(request) {
  return (await caches.match(request)) ?? fetch(request);
}

async function fresh(request) {
  try {
    return await fetch(request);
  } catch (error) {
    const known = await (await caches.open(CACHE)).match(request);
    if (known) return known;
    throw error;
  }
}

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== self.location.origin || !url.pathname.startsWith(BASE)) return;
  const path = url.pathname.slice(BASE.length);
  if (LIVE.test(path)) return;
  if (request.mode === 'navigate') {
    if (!path.split('/').at(-1).includes('.')) event.respondWith(page(request));
  } else if (HASHED.test(path)) {
    event.respondWith(kept(request));
  } else if (FILES.includes(path)) {
    event.respondWith(fresh(request));
  }
});
