/** Owns the validation of HTTP service URLs in configurations. */

/** Fault of a URL; `example` is a valid one. Configurations are printed, so passwords are refused. */
export function httpUrlFault(text: string, example: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) return `expected ${example}`
  return url.username === '' && url.password === '' ? undefined : 'a URL without user name and password'
}
