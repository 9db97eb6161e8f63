/** Owns the building blocks of a frame: spans, lines of exact width, boxes, sparklines, readable numbers and times. */

/** Meaning of a span; themes give it a colour, and its text or glyph is sufficient without one. */
export type Tone = 'plain' | 'strong' | 'dim' | 'accent' | 'good' | 'warn' | 'bad' | 'chosen'

/** Text with one meaning. All texts of frames consist of characters of one column. */
export interface Span {
  readonly text: string
  readonly tone: Tone
}
export type Line = readonly Span[]

/** Characters of lines and sparklines. */
export interface Glyphs {
  readonly ascii: boolean
}

export const span = (text: string, tone: Tone = 'plain'): Span => ({ text, tone })
export const line = (...parts: readonly (Span | string)[]): Line =>
  parts.map((part) => (typeof part === 'string' ? span(part) : part))

export const widthOf = (one: Line): number => one.reduce((sum, { text }) => sum + text.length, 0)
export const plainText = (one: Line): string => one.map(({ text }) => text).join('')

/** Cut or pad a line to a width; a cut is marked. */
export function fill(one: Line, width: number): Line {
  const over = widthOf(one) - width
  if (over === 0) return one
  if (over < 0) return [...one, span(' '.repeat(-over))]
  const kept: Span[] = []
  let left = Math.max(0, width - 1)
  for (const part of one) {
    if (left <= 0) break
    kept.push(part.text.length <= left ? part : { ...part, text: part.text.slice(0, left) })
    left -= part.text.length
  }
  return width <= 0 ? [] : [...kept, span('…', 'dim')]
}

/** Two lines on one row: the second is right-aligned, and the first is cut if needed. */
export function spread(left: Line, right: Line, width: number): Line {
  const room = width - widthOf(right)
  return room <= 1 ? fill(left, width) : [...fill(left, room), ...right]
}

/** Table cell: cut or padded to its width. */
export const cell = (text: string, width: number): string =>
  text.length > width ? `${text.slice(0, Math.max(0, width - 1))}…` : text.padEnd(width)

/** Split a line after a number of characters. */
function cutAt(one: Line, at: number): readonly [head: Line, tail: Line] {
  const head: Span[] = []
  const tail: Span[] = []
  let left = at
  for (const part of one) {
    if (left > 0) head.push({ ...part, text: part.text.slice(0, left) })
    if (part.text.length > left) tail.push({ ...part, text: part.text.slice(Math.max(0, left)) })
    left -= part.text.length
  }
  return [head, tail]
}

/** Position at which a long line wraps: at the end of a column or span, else at a blank; undefined if there is none. */
function breakOf(one: Line, width: number): number | undefined {
  const text = plainText(one)
  const ends = one.map((_, at) => widthOf(one.slice(0, at)))
  const columns = [...text.matchAll(/ {2,}/g)].map(({ index }) => index)
  const last = (places: readonly number[]): number => Math.max(0, ...places.filter((at) => at <= width))
  const best = last([...ends, ...columns])
  if (best > width / 2) return best
  const blank = text.lastIndexOf(' ', width)
  return blank > width / 4 ? blank : undefined
}

/** Indent of continued lines. */
const CONTINUED = '  '

/** Lines for an area of this size: long lines wrap while free lines remain. */
export function flowed(content: readonly Line[], width: number, height: number): Line[] {
  let spare = height - content.length
  return content.flatMap((one) => {
    const lines: Line[] = []
    let rest = one
    while (spare > 0 && widthOf(rest) > width) {
      const at = breakOf(rest, width)
      if (at === undefined) break
      const [head, [first, ...others]] = cutAt(rest, at)
      lines.push(head)
      rest = line(CONTINUED, ...(first === undefined ? [] : [{ ...first, text: first.text.trimStart() }]), ...others)
      spare -= 1
    }
    return [...lines, rest]
  })
}

/** Frame with a title around lines, of exactly this size; overlong lines are cut if no line is left. */
export function box(title: string, lines: readonly Line[], width: number, height: number, focus = false): Line[] {
  const inner = width - 4
  const content = flowed(lines, inner, height - 2)
  const tone: Tone = focus ? 'accent' : 'dim'
  const head = ` ${title.length > width - 6 ? `${title.slice(0, width - 7)}…` : title} `
  const body = Array.from({ length: Math.max(0, height - 2) }, (_, at) =>
    line(span('│ ', tone), ...fill(content[at] ?? [], inner), span(' │', tone)),
  )
  return [
    line(
      span('┌─', tone),
      span(head, focus ? 'accent' : 'strong'),
      span(`${'─'.repeat(width - 3 - head.length)}┐`, tone),
    ),
    ...body,
    line(span(`└${'─'.repeat(width - 2)}┘`, tone)),
  ]
}

/** Two blocks of lines of the same height side by side. */
export const beside = (left: readonly Line[], right: readonly Line[]): Line[] =>
  left.map((one, at) => [...one, ...(right[at] ?? [])])

const BARS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█']

/** Last values as one character each, scaled to their maximum; digits 0 to 8 in ASCII. */
export function spark(values: readonly number[], width: number, { ascii }: Glyphs): string {
  const shown = values.slice(-width)
  const top = Math.max(0, ...shown)
  const signs = shown.map((value) => {
    if (value <= 0 || top === 0) return ascii ? '0' : ' '
    const level = Math.min(7, Math.floor((value / top) * 7.999))
    return ascii ? String(level + 1) : (BARS[level] ?? '')
  })
  return signs.join('').padStart(width, ascii ? '0' : ' ')
}

/** Bar of a share between 0 and 1. */
export function bar(share: number, width: number): string {
  const full = Math.round(Math.min(1, Math.max(0, share)) * width)
  return '█'.repeat(full) + '░'.repeat(width - full)
}

/** Short text of a number: `9.87M`. */
export function brief(value: number): string {
  for (const [size, unit] of [
    [1e9, 'G'],
    [1e6, 'M'],
    [1e4, 'k'],
  ] as const) {
    if (value >= size) return `${(value / (unit === 'k' ? 1e3 : size)).toFixed(value >= size * 100 ? 0 : 1)}${unit}`
  }
  return String(Math.round(value))
}

/** Bytes in binary units. */
export function bytesText(value: number): string {
  if (value < 1024) return `${value} B`
  if (value < 1024 * 1024) return `${Math.round(value / 1024)} KiB`
  return `${(value / 1024 / 1024).toFixed(value < 100 * 1024 * 1024 ? 1 : 0)} MiB`
}

/** First and last four digits of a hash, for narrow panes. */
export const tinyHash = (hash: Uint8Array): string => {
  const hex = Buffer.from(hash).toString('hex')
  return `${hex.slice(0, 4)}…${hex.slice(-4)}`
}
