/** Owns the display of values: numbers, times, ids, and untrusted texts. No text is inserted as markup. */

/** Group the digits of a decimal text; other texts stay unchanged. */
export function grouped(value: string | number): string {
  const text = String(value)
  const match = /^(-?)(\d+)(\.\d+)?$/.exec(text)
  if (match === null) return text
  const [, sign = '', whole = '', rest = ''] = match
  return sign + whole.replace(/\B(?=(\d{3})+$)/g, ',') + rest
}

/** Parent of a subname, `desk@bank` of `pay.desk@bank`; undefined for other names. */
export function parentName(name: string): string | undefined {
  const dot = name.indexOf('.')
  return dot < 0 || dot > name.indexOf('@') ? undefined : name.slice(dot + 1)
}

/** Fraction digits of a currency by ISO 4217; 0 if unknown. */
export function currencyDigits(code: string): number {
  try {
    const format = new Intl.NumberFormat('en', { style: 'currency', currency: code })
    return format.resolvedOptions().maximumFractionDigits ?? 0
  } catch {
    return 0
  }
}

/** Exact sum of two decimal texts, with the digits of the longer one. */
export function sum(left: string, right: string): string {
  const scale = Math.max(...[left, right].map((text) => text.split('.')[1]?.length ?? 0))
  const units = (text: string): bigint => {
    const [whole = '0', rest = ''] = text.replace('-', '').split('.')
    const size = BigInt(whole + rest.padEnd(scale, '0'))
    return text.startsWith('-') ? -size : size
  }
  const total = units(left) + units(right)
  const digits = String(total < 0n ? -total : total).padStart(scale + 1, '0')
  const at = digits.length - scale
  return `${total < 0n ? '-' : ''}${digits.slice(0, at)}${scale === 0 ? '' : `.${digits.slice(at)}`}`
}

/** Number with a unit of thousands, such as 12.3 k. */
export function compact(value: number): string {
  for (const [unit, letter] of [
    [1e12, 'T'],
    [1e9, 'G'],
    [1e6, 'M'],
    [1e4, 'k'],
  ] as const) {
    if (Math.abs(value) >= unit) return `${digits(value / (letter === 'k' ? 1e3 : unit))} ${letter}`
  }
  return digits(value)
}

/** At most three significant digits after the point, none for large numbers. */
export const digits = (value: number): string =>
  Number.isInteger(value) || Math.abs(value) >= 1000 ? grouped(Math.round(value)) : String(Number(value.toPrecision(3)))

export function bytesText(value: number): string {
  for (const [unit, name] of [
    [2 ** 30, 'GiB'],
    [2 ** 20, 'MiB'],
    [2 ** 10, 'KiB'],
  ] as const) {
    if (value >= unit) return `${digits(value / unit)} ${name}`
  }
  return `${grouped(value)} B`
}

const two = (value: number): string => String(value).padStart(2, '0')

/** Local time; with the day if it differs from the day of `nowMs`. */
export function timeText(ms: number, nowMs: number): string {
  const date = new Date(ms)
  const time = `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
  if (date.toDateString() === new Date(nowMs).toDateString()) return time
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${time}`
}

/** Invisible characters, and characters that reorder surrounding text: controls, zero widths, directions, tags. */
const UNSEEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu

/** Untrusted text with invisible and confusable characters made visible. */
export const visible = (text: string): string =>
  text.replace(UNSEEN, (one) => `⟨U+${one.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}⟩`)

/** Words of a name in camel case or snake case: `requestTimeout` becomes "request timeout". */
export const words = (name: string): string =>
  name
    .replace(/_/g, ' ')
    .replace(/([a-z0-9])([A-Z])/g, (_all, before: string, after: string) => `${before} ${after.toLowerCase()}`)

/** Count with its noun. */
export const count = (value: number, noun: string, plural = `${noun}s`): string =>
  `${grouped(value)} ${value === 1 ? noun : plural}`

/** Transactions of a block; the number of rejected ones is omitted if the node does not store their results. */
export const transactionsText = (transactions: number, rejected: number | null | undefined): string =>
  rejected === null || rejected === undefined
    ? grouped(transactions)
    : `${grouped(transactions)}, ${grouped(rejected)} rejected`
