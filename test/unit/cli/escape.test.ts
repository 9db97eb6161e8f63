/** Texts of strangers on their way to a terminal: one escape for text and JSON, streams, errors, tables and CSV. */
import { afterEach, describe, expect, test, vi } from 'vitest'
import { type MovementView, statementCsv, statementXml } from '../../../src/cli/iso/statement.js'
import { failureOf } from '../../../src/cli/terminal/failure.js'
import { Output, pairs, table } from '../../../src/cli/terminal/output.js'
import { manyLines, oneLine } from '../../../src/cli/text/escape.js'
import { LedgerError } from '../../../src/model/index.js'

/** One of each class: C0, DEL, C1, bidi, zero-width, tag, line separator, lone surrogate. */
const SIGNS = [
  '\u0007',
  '\u001b',
  '\r',
  '\u007f',
  '\u009b',
  '\u202e',
  '\u2067',
  '\u200b',
  '\ufeff',
  '\u{e0041}',
  '\u2028',
]
const EVIL = `pay${SIGNS.join('')}\ud800end`
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u

let printed = ''
afterEach(() => {
  vi.restoreAllMocks()
  printed = ''
})
function output(json: boolean): Output {
  for (const name of ['stdout', 'stderr'] as const) {
    vi.spyOn(process[name], 'write').mockImplementation((part) => {
      printed += String(part)
      return true
    })
  }
  return new Output(json, false)
}
const noticed = (): string => printed.replaceAll('\n', '')

test('visible characters are unchanged, in any script', () => {
  const text = 'Überweisung über 5 € für 東京 – naïve, שלום 🙂'
  expect([oneLine(text), manyLines(text)]).toEqual([text, text])
})

test('every invisible character is escaped', () => {
  expect(oneLine('\u001b\u202e\u{e0041}\n')).toBe('\\u001b\\u202e\\udb40\\udc41\\u000a')
  expect(oneLine(EVIL)).not.toMatch(UNSEEN)
})

describe.each([
  ['result', (out: Output) => out.result({ text: EVIL }, EVIL)],
  ['line of a stream', (out: Output) => out.line({ text: EVIL }, `${EVIL}\nfaked line`)],
  ['note', (out: Output) => out.note(EVIL)],
  ['hint', (out: Output) => out.hint(EVIL)],
  [
    'error with a hint and faults',
    (out: Output) =>
      out.failed(
        failureOf(
          new LedgerError('not_found', EVIL, { hint: EVIL, details: { faults: [{ message: EVIL }], known: [EVIL] } }),
          '',
        ),
      ),
  ],
  ['bug', (out: Output) => out.failed(failureOf(new Error(EVIL), ''))],
])('a %s', (_name, print) => {
  test.each([
    ['text', false],
    ['JSON', true],
  ])('cannot control the terminal with %s', (_form, json) => {
    print(output(json))
    expect(noticed()).toContain('pay\\u0007\\u001b')
    expect(noticed()).not.toMatch(UNSEEN)
  })
})

test('JSON is equivalent after escaping', () => {
  const value = { text: SIGNS.join(''), list: ['\u{e0041}'] }
  output(true).result(value, '')
  expect(JSON.parse(printed)).toEqual(value)
})

test('raw bytes are printed unchanged', () => {
  const bytes = Buffer.from(EVIL)
  output(false).raw(bytes)
  expect(printed).toBe(String(bytes))
})

test('a table cell stays in its line and column', () => {
  expect(table(['A', 'B'], [['x\ny', '\u200b']])).toBe('A         B\nx\\u000ay  \\u200b')
  expect(pairs([['a', 'x\nb  y']])).toBe('a  x\\u000ab  y')
})

describe('a statement', () => {
  const movement = (more: Partial<MovementView>): MovementView => ({
    definition: 'eur#bank',
    side: 'Credit',
    amount: '1.5',
    balance: '2',
    kind: 'Transfer',
    counterparty: null,
    transaction_hash: null,
    reference: null,
    reference_by: null,
    height: 3,
    time_ms: 0,
    ...more,
  })
  const statement = (more: Partial<MovementView>) => ({
    account: 'cw1own',
    fromMs: 0,
    toMs: 1,
    assets: [{ asset: 'eur#bank', opening: '0', closing: '2', items: [movement(more)] }],
  })
  const row = (more: Partial<MovementView>): string => statementCsv(statement(more)).split('\n')[1] ?? ''

  test.each(['=1+1', '+1', '-1+cmd', '@SUM(1)', ' =1', '\t=1'])('prevents %j from acting as a formula', (text) => {
    expect(row({ reference: text })).toContain(`,'${oneLine(text)}`.replace("'\\u0009", '\\u0009'))
  })

  test('writes numbers as numbers', () => {
    expect(row({ amount: '-1.5', balance: '-2' })).toContain(',-1.5,-2,')
    expect(row({ amount: '=1+1' })).toContain(',0,2,')
  })

  test('quotes CSV cells if needed', () => {
    expect(row({ reference: 'a,"b"\n=c' })).toContain('"a,""b""\\u000a=c"')
  })

  test('includes in camt.053 the account that set a reference', () => {
    const xml = statementXml(statement({ reference: 'INV-1', reference_by: 'cw1mallory' }), new Map(), 0)
    expect(xml).toContain('<NtryRef>INV-1</NtryRef>')
    expect(xml).toContain('<AddtlNtryInf>reference set by cw1mallory</AddtlNtryInf>')
  })
})
