/** Owns what configurations ask of the URL of a service that speaks HTTP. */

/** Why a text is no such URL; `example` is one that would be. Configurations are printed, so none holds a password. */
export function httpUrlFault(text: string, example: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) return `expected ${example}`
  return url.username === '' && url.password === '' ? undefined : 'a URL without user name and password'
}
