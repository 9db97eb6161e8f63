/** Owns the display of configuration values: addresses are shown without their credentials. */

/** Replacement of a hidden part. */
export const LEFT_OUT = '(left out)'

/** Address without user, password and query; any other text is unchanged. */
function shownText(text: string): string {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text) || !URL.canParse(text)) return text
  const { protocol, username, password, host, pathname, search, hash } = new URL(text)
  if (username === '' && password === '' && search === '' && hash === '') return text
  const user = username === '' && password === '' ? '' : `${LEFT_OUT}@`
  return `${protocol}//${user}${host}${pathname}${search === '' && hash === '' ? '' : `?${LEFT_OUT}`}`
}

/** Configuration value without the credentials in its addresses, including lists and tables. */
export function shownValue<T>(value: T): T {
  if (typeof value === 'string') return shownText(value) as T
  if (Array.isArray(value)) return value.map(shownValue) as T
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shownValue(one)])) as T
}
