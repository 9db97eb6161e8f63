/** A time that passed, as all commands and pages write it. */
import { expect, it } from 'vitest'
import { durationText } from '../../../src/base/duration-text.js'

const SECOND = 1_000
const HOUR = 3_600 * SECOND

it.each([
  [-5, '0 s'],
  [0, '0 s'],
  [0.04, '40 µs'],
  [12, '12 ms'],
  [35.251, '35.3 ms'],
  [999.6, '1 s'],
  [1.5 * SECOND, '1.5 s'],
  [14.4 * SECOND, '14.4 s'],
  [59.97 * SECOND, '1 min'],
  [90 * SECOND, '1 min 30 s'],
  [HOUR - 1, '1 h'],
  [8_049 * SECOND, '2 h 14 min'],
  [52 * HOUR, '2 d 4 h'],
  [48 * HOUR + 90 * SECOND, '2 d'],
])('%d ms is "%s"', (ms, text) => {
  expect(durationText(ms)).toBe(text)
})
