/** Owns detection of loopback addresses. */

/** True for a URL of this machine: `localhost`, 127.0.0.0/8 or ::1. */
export function isLoopback(url: string): boolean {
  if (typeof url !== 'string' || !URL.canParse(url)) return false
  const { hostname } = new URL(url)
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname)
}

/** Origin of a gateway, with one name for this machine. */
export const originOf = (text: string): string =>
  URL.canParse(text) ? new URL(text).origin.replace('//localhost', '//127.0.0.1') : text
