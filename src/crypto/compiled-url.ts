/**
 * Owns the location of compiled entries of the program, such as threads: from the bundle, from single modules and from
 * sources.
 */

/**
 * URL of an entry, relative to the folder of sources: `crypto/worker.js`. Like this module, each chunk of the bundle is
 * two folders deep (scripts/bundle.mjs). Threads cannot run TypeScript: from `<root>/src/` (tests, development) the URL
 * is the entry in the bundle, `<root>/dist/bundle/src/`.
 *
 * @param here `import.meta.url` of this module
 */
export function compiledUrl(path: string, here = import.meta.url): URL {
  const url = new URL(`../${path}`, here)
  if (!here.endsWith('.ts')) return url
  const at = url.pathname.lastIndexOf('/src/')
  if (at >= 0) url.pathname = `${url.pathname.slice(0, at)}/dist/bundle${url.pathname.slice(at)}`
  return url
}
