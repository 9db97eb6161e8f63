/** Owns finding the compiled entry of a worker thread, from compiled code and from TypeScript sources alike. */

/**
 * The URL to start a worker from. Threads cannot run TypeScript, so a caller that runs from `<root>/src/...`
 * (tests, development) gets the compiled twin under `<root>/dist/src/...`.
 *
 * @param moduleUrl `import.meta.url` of the caller
 * @param file the compiled entry, relative to the caller, for example `./worker.js`
 */
export function workerUrl(moduleUrl: string, file: string): URL {
  const url = new URL(file, moduleUrl)
  if (!moduleUrl.endsWith('.ts')) return url
  const at = url.pathname.lastIndexOf('/src/')
  if (at >= 0) url.pathname = `${url.pathname.slice(0, at)}/dist${url.pathname.slice(at)}`
  return url
}
