import { describe, expect, test } from 'vitest'
import { failureOf, faultLines } from '../../../src/cli/command/failure.js'
import { pairs, short, table } from '../../../src/cli/command/output.js'
import { amountText } from '../../../src/cli/input/amount.js'
import { parseDuration } from '../../../src/cli/input/duration.js'
import { instructionTwins } from '../../../src/cli/input/json.js'
import { bicOf, bindIban, currencyOf, ibanOf, setSubmitter } from '../../../src/cli/iso/bind.js'
import { exitOf } from '../../../src/cli/iso/iso.js'
import { amountOfAsset, receiptTwin } from '../../../src/cli/lane/settlement.js'
import type { Json } from '../../../src/codec/index.js'
import { EXIT, LedgerError } from '../../../src/model/errors.js'

describe('texts of people', () => {
  test('durations', () => {
    expect(parseDuration('500ms', 't')).toBe(500)
    expect(parseDuration('30s', 't')).toBe(30_000)
    expect(parseDuration('1.5m', 't')).toBe(90_000)
    expect(parseDuration('2', 't')).toBe(2_000)
    for (const bad of ['', 's', '-1s', '0s', '25h', '2d', '1e3'])
      expect(() => parseDuration(bad, 't')).toThrow('is not a duration')
  })

  test('amounts become canonical', () => {
    expect(['12.50', '012', '0.10', '5', '100', '1.0'].map(amountText)).toEqual(['12.5', '12', '0.1', '5', '100', '1'])
    for (const bad of ['', '1,5', '-1', '1e3', '.5']) expect(() => amountText(bad)).toThrow()
  })

  test('instructions come alone, in a list or in an object', () => {
    const one = { Transfer: {} }
    expect(instructionTwins(one, 'x')).toEqual([one])
    expect(instructionTwins([one, one], 'x')).toEqual([one, one])
    expect(instructionTwins({ instructions: [one] }, 'x')).toEqual([one])
    const none: Json[] = ['text', 5, null, {}, { a: 1, b: 2 }]
    for (const bad of none) expect(() => instructionTwins(bad, 'x')).toThrow('expected')
  })

  test('bindings are checked before they are sent', () => {
    expect(ibanOf('be24 2900 3585 2938')).toBe('BE24290035852938')
    expect(() => ibanOf('BE25290035852938')).toThrow('iban')
    expect(bicOf('nnndsessxxx')).toBe('NNNDSESS')
    expect(() => bicOf('NOPE')).toThrow()
    expect(currencyOf('eur')).toBe('EUR')
    expect(() => currencyOf('ZZZ')).toThrow('ISO 4217')
    expect(bindIban('X', 'a', true)).toEqual([{ UnbindIban: { iban: 'X' } }, { BindIban: { iban: 'X', account: 'a' } }])
    expect(setSubmitter('s', [], { domain: 'bank' })).toEqual({
      SetSubmitter: { submitter: 's', bics: [], debtor: { Domain: 'bank' }, limits: [] },
    })
  })
})

describe('errors', () => {
  test('every kind of error has its exit code', () => {
    expect(failureOf(new LedgerError('unreachable', 'x'), 'status').exit).toBe(EXIT.unreachable)
    expect(failureOf(new Error('boom'), 'status')).toMatchObject({ exit: EXIT.internal, record: { code: 'internal' } })
    const usage = Object.assign(new Error('Nonexistent flag: --x\nSee more help with --help'), { oclif: { exit: 2 } })
    expect(failureOf(usage, 'key show')).toEqual({
      record: { code: 'usage', message: 'there is no flag --x', hint: 'causeway key show --help' },
      exit: EXIT.usage,
    })
    const file = Object.assign(new Error('EACCES'), { code: 'EACCES', path: '/x' })
    expect(failureOf(file, 'key show')).toMatchObject({
      exit: EXIT.config,
      record: { message: '/x: permission denied' },
    })
  })

  test.each([
    ['ENOENT', 'file_missing', 3],
    ['EEXIST', 'file_exists', 3],
    ['EISDIR', 'file_unreadable', 3],
    ['ENOSPC', 'file_unwritable', 3],
    ['EIO', 'storage_failed', 1],
  ])('a system call that fails with %s is reported as %s', (code, name, exit) => {
    const error = Object.assign(new Error(code), { code, path: '/x' })
    expect(failureOf(error, 'key show')).toMatchObject({
      exit,
      record: { code: name, message: expect.stringMatching(/^\/x: /) },
    })
  })

  test('faults in details are told one by one', () => {
    const faults = [
      { path: 'A/B', line: 3, code: 'missing', expected: 'a date', value: 'x' },
      { path: '', message: 'm' },
    ]
    const record = new LedgerError('iso_invalid', 'x: 2 faults', { details: { faults } }).toRecord()
    expect(faultLines(record)).toEqual(['line 3: A/B: missing: expected a date, got "x"', 'm'])
  })
})

test('a record of the bridge decides the exit code', () => {
  expect(exitOf({ pacs002_code: 'ACSC' }, 'committed')).toBe(EXIT.ok)
  expect(exitOf({ pacs002_code: 'RJCT' }, 'none')).toBe(EXIT.rejected)
  expect(exitOf({ pacs002_code: 'ACSP' }, 'committed')).toBe(EXIT.pending)
  expect(exitOf({ pacs002_code: 'ACSP' }, 'queued')).toBe(EXIT.ok)
})

test('tables and pairs are aligned', () => {
  expect(table(['A', 'LONG'], [['xyz', '1']])).toBe('A    LONG\nxyz  1')
  expect(
    pairs([
      ['a', '1'],
      ['long', undefined],
      ['bb', '2'],
    ]),
  ).toBe('a   1\nbb  2')
  expect(short('ab'.repeat(32))).toBe('abababab…abab')
})

describe('a receipt of a settlement made elsewhere', () => {
  const [local, due] = [amountOfAsset('3 bond#depot', '--local'), amountOfAsset('270.50 eur#bank', '--due')]

  test('has what a haircut took as its variance, in exact decimals', () => {
    const figures = {
      local_definition: 'bond#depot',
      local_amount: '3',
      unit_definition: 'eur#bank',
      unit_due: '270.5',
    }
    expect(receiptTwin(local, due, undefined)).toEqual({ ...figures, unit_after_haircut: '270.5', unit_variance: '0' })
    expect(receiptTwin(local, due, '270.05')).toEqual({
      ...figures,
      unit_after_haircut: '270.05',
      unit_variance: '0.45',
    })
  })

  test.each(['270.51', '-1', 'all', ''])('leaves no more than is due, as a number: not "%s"', (after) => {
    expect(() => receiptTwin(local, due, after)).toThrow(expect.objectContaining({ code: 'usage' }))
  })
})
