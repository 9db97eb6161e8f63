/** Owns the text form of durations in commands, in `watch` and in the explorer. */

const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const

/** Duration in whole milliseconds as exact text, for content to be signed: `1 d`, `1 min 1 s 500 ms`. */
export function exactDurationText(ms: number): string {
  let rest = ms
  const parts = [...UNITS.map(([unit, seconds]) => [unit, seconds * 1_000] as const), ['ms', 1] as const].flatMap(
    ([unit, size]) => {
      const whole = Math.floor(rest / size)
      rest -= whole * size
      return whole === 0 ? [] : [`${whole} ${unit}`]
    },
  )
  return parts.join(' ') || '0 s'
}

/** Number rounded to three significant digits. */
const rounded = (value: number): number => Number(value.toPrecision(3))
const tenths = (value: number): number => Number(value.toFixed(1))

/**
 * Duration in milliseconds as text: `250 µs`, `12 ms`, `1.5 s`; from a minute on in its two largest units, `1 min 30
 * s`, `2 d 4 h`.
 */
export function durationText(ms: number): string {
  if (!(ms > 0)) return '0 s'
  if (rounded(ms) < 1) return `${rounded(ms * 1_000)} µs`
  if (rounded(ms) < 1_000) return `${rounded(ms)} ms`
  if (tenths(ms / 1_000) < 60) return `${tenths(ms / 1_000)} s`
  const seconds = Math.round(ms / 1_000)
  const at = UNITS.findIndex(([, size]) => seconds >= size)
  const [[unit, size], [smaller, part]] = [UNITS[at] ?? UNITS[2], UNITS[at + 1] ?? UNITS[3]]
  const rest = Math.floor((seconds % size) / part)
  return `${Math.floor(seconds / size)} ${unit}${rest === 0 ? '' : ` ${rest} ${smaller}`}`
}
