/** The check of purity bites: each thing that it forbids is told, and what looks like it is not. */
import { expect, it } from 'vitest'
import { check, faultsIn } from '../../scripts/purity.mjs'

const faultsOf = (text: string): string[] => faultsIn('a.ts', text).map((fault) => fault.slice('a.ts:1 '.length))

it('the sources are pure, and every listed exception is still needed', () => {
  expect(check()).toEqual([])
})

it.each([
  ['a clock', 'const now = Date.now()', ['uses Date']],
  ['a monotonic clock', 'const now = performance.now()', ['uses performance']],
  ['chance', 'const one = Math.random()', ['calls Math.random']],
  ['functions that engines compute differently', 'const root = Math.cbrt(2)', ['calls Math.cbrt']],
  ['rounding that depends on fractions', 'const half = Math.round(a)', ['calls Math.round']],
  ['the order of letters of a locale', 'names.sort((a, b) => a.localeCompare(b))', ['calls localeCompare']],
  ['the locale', 'const text = count.toLocaleString()', ['calls toLocaleString']],
  ['the tables of Unicode', "const same = name.normalize('NFC')", ['calls normalize']],
  ['the environment', "const mode = process.env['MODE']", ['uses process']],
  ['a timer', 'setTimeout(run, 10)', ['uses setTimeout']],
  ['files', "import { readFileSync } from 'node:fs'", ['imports node:fs']],
  ['the network', "const answer = fetch('http://one')", ['uses fetch']],
  ['a fraction', 'const fee = amount * 0.5', ['has the fraction 0.5']],
  ['a quotient that may be a fraction', 'const fee = amount / 3', ['divides numbers without rounding']],
  ['the global object', 'const clock = globalThis', ['uses globalThis']],
])('the purity check reports %s', (_what, text, faults) => {
  expect(faultsOf(text)).toEqual(faults)
})

it.each([
  ['a quotient rounded at once', 'const pages = Math.ceil(count / size)'],
  ['a quotient of big integers', 'const half = amount / 2n'],
  ['integers of other bases and separators', 'const limit = 0xff + 1_000_000'],
  ['a member of that name', 'const height = header.process'],
  ['a field of that name', 'const row = { Date: 1 }'],
  ['a type of that name', 'const at = (when: Date): number => when.height'],
  ['the one module of the platform', "import { Buffer } from 'node:buffer'"],
])('the purity check does not report %s', (_what, text) => {
  expect(faultsOf(text)).toEqual([])
})
