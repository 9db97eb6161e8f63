import { describe, expect, it, test } from 'vitest'
import { shortId } from '../../../src/base/ids.js'
import { parseDuration, parseLedgerDuration } from '../../../src/cli/input/duration.js'
import { instructionsJson } from '../../../src/cli/input/json.js'
import { parseTime, timeFrom } from '../../../src/cli/input/time.js'
import { amountText, positiveAmountText } from '../../../src/cli/input/values.js'
import { bicOf, bindIban, currencyOf, ibanOf, setSubmitter } from '../../../src/cli/iso/bind.js'
import { exitOf } from '../../../src/cli/iso/iso.js'
import { amountOfAsset, receiptJson } from '../../../src/cli/lane/settlement.js'
import { metadataOf } from '../../../src/cli/ledger/forms.js'
import { accountsGiven } from '../../../src/cli/setup/genesis-accounts.js'
import { failureOf, faultLines } from '../../../src/cli/terminal/failure.js'
import { pairs, table } from '../../../src/cli/terminal/output.js'
import type { ReadInstruction } from '../../../src/cli/transaction/submit.js'
import { filterFields } from '../../../src/cli/webhook/filters.js'
import type { Json } from '../../../src/codec/index.js'
import { instructions as iso } from '../../../src/features/iso20022/schema/instructions.js'
import { EXIT, LedgerError } from '../../../src/model/errors.js'
import { formatAddress, instruction, readInstruction } from '../../../src/model/index.js'
import { accountOf, alice, CODEC } from '../gateway/support.js'

const read: ReadInstruction = (def, jsonForm) => readInstruction(def, jsonForm, CODEC)

describe('parsers', () => {
  test('read durations', () => {
    expect(parseDuration('500ms', 't')).toBe(500)
    expect(parseDuration('30s', 't')).toBe(30_000)
    expect(parseDuration('1.5m', 't')).toBe(90_000)
    expect(parseDuration('2', 't')).toBe(2_000)
    for (const bad of ['', 's', '-1s', '0s', '25h', '2d', '1e3'])
      expect(() => parseDuration(bad, 't')).toThrow('is not a duration')
  })

  test('require a unit in durations for the ledger', () => {
    expect(parseLedgerDuration('30d', '--every')).toBe(30 * 86_400_000)
    expect(parseLedgerDuration('90s', '--every')).toBe(90_000)
    for (const bad of ['30', '0.5', '367d', '30 d', ''])
      expect(() => parseLedgerDuration(bad, '--every')).toThrow('--every: ')
  })

  test('make amounts canonical', () => {
    expect(['12.50', '012', '0.10', '5', '100', '1.0'].map(amountText)).toEqual(['12.5', '12', '0.1', '5', '100', '1'])
    for (const bad of ['', '1,5', '-1', '1e3', '.5']) expect(() => amountText(bad)).toThrow()
    expect(amountText('0.00')).toBe('0')
    expect(() => positiveAmountText('0.00')).toThrow('expected a decimal number above zero')
    expect(positiveAmountText('0.10')).toBe('0.1')
  })

  test('accept instructions alone, in a list or in an object', () => {
    const one = { Transfer: {} }
    expect(instructionsJson(one, 'x')).toEqual([one])
    expect(instructionsJson([one, one], 'x')).toEqual([one, one])
    expect(instructionsJson({ instructions: [one] }, 'x')).toEqual([one])
    const none: Json[] = ['text', 5, null, {}, { a: 1, b: 2 }]
    for (const bad of none) expect(() => instructionsJson(bad, 'x')).toThrow('expected')
  })

  test('refuse fields beside instructions', () => {
    const instructions: Json[] = [{ Transfer: {} }]
    const draft = { ok: true, tx_instructions: [], teu: 100, upgrade_id: '00', hash: '00', lane: 0 }
    const beside: Record<string, Json>[] = [{ agreements: [] }, { statement: {}, proof: '' }, draft]
    for (const more of beside) expect(instructionsJson({ instructions, ...more }, 'x')).toEqual(instructions)
    for (const more of ['chain', 'authority', 'metadata', 'teu_limit'])
      expect(() => instructionsJson({ instructions, [more]: 'rehearsal' }, 'x')).toThrow(`unexpected "${more}"`)
  })

  test('refuse a duplicate metadata key', () => {
    expect(metadataOf(['a=1', 'b=x=y'])).toEqual({ a: 1, b: 'x=y' })
    expect(() => metadataOf(['a=1', 'b=2', 'a=3'])).toThrow('the metadata key a is given twice')
  })

  test('refuse a duplicate filter field, so that no filter is lost', () => {
    expect(filterFields('kind=Transferred,asset=eur#bank')).toEqual({ kind: 'Transferred', asset: 'eur#bank' })
    expect(() => filterFields('kind=Transferred,kind=Minted')).toThrow('kind is given twice')
    expect(() => filterFields('kinds=Transferred')).toThrow('not a field of a filter')
  })

  test('require the accounts of a genesis to be in its template, each once', () => {
    const known = ['admin', 'alice']
    expect(accountsGiven(['alice=cw1a', 'admin=cw1b'], known)).toEqual({ alice: 'cw1a', admin: 'cw1b' })
    expect(() => accountsGiven(['admn=cw1b'], known)).toThrow('has no account admn')
    expect(() => accountsGiven(['admin=cw1a', 'admin=cw1b'], known)).toThrow('given twice')
    expect(() => accountsGiven(['admin'], known)).toThrow('expected NAME=ADDRESS')
  })

  test('check bindings before they are sent', () => {
    expect(ibanOf('be24 2900 3585 2938')).toBe('BE24290035852938')
    expect(() => ibanOf('BE25290035852938')).toThrow('iban')
    expect(bicOf('nnndsessxxx')).toBe('NNNDSESS')
    expect(() => bicOf('NOPE')).toThrow()
    expect(currencyOf('eur')).toBe('EUR')
    expect(() => currencyOf('ZZZ')).toThrow('ISO 4217')
    const owner = accountOf(alice)
    const [iban, account] = ['BE24290035852938', formatAddress(owner)]
    expect(bindIban(read, iban, account, true)).toEqual([
      instruction(iso.unbindIban, { iban }),
      instruction(iso.bindIban, { iban, account: owner }),
    ])
    expect(setSubmitter(read, account, [], { domain: 'bank' })).toEqual(
      instruction(iso.setSubmitter, {
        submitter: owner,
        bics: [],
        debtor: { kind: 'domain', value: 'bank' },
        limits: [],
      }),
    )
    expect(() => bindIban(read, iban, 'nobody', false)).toThrow('instructions[0].BindIban.account')
  })
})

describe('errors', () => {
  test('every kind of error has its exit code', () => {
    expect(failureOf(new LedgerError('unreachable', 'x'), 'status').exit).toBe(EXIT.unreachable)
    expect(failureOf(new Error('boom'), 'status')).toMatchObject({ exit: EXIT.internal, record: { code: 'internal' } })
    const usage = Object.assign(new Error('Nonexistent flag: --x\nSee more help with --help'), { oclif: { exit: 2 } })
    expect(failureOf(usage, 'key show')).toEqual({
      record: { code: 'usage', message: 'unknown flag --x', hint: 'causeway key show --help' },
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

  test('faults in details are listed one by one', () => {
    const faults = [
      { path: 'A/B', line: 3, code: 'missing', expected: 'a date', value: 'x' },
      { path: '', message: 'm' },
    ]
    const record = new LedgerError('iso_invalid', 'x: 2 faults', { details: { faults } }).toRecord()
    expect(faultLines(record)).toEqual(['line 3: A/B: missing: expected a date, got "x"', 'm'])
  })
})

test('the record of the bridge determines the exit code', () => {
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
  expect(shortId('ab'.repeat(32))).toBe('abababab…ababab')
})

describe('a receipt of an external settlement', () => {
  const [local, due] = [amountOfAsset('3 bond#depot', '--local'), amountOfAsset('270.50 eur#bank', '--due')]

  test('has a variance equal to the haircut, in exact decimals', () => {
    const figures = {
      local_definition: 'bond#depot',
      local_amount: '3',
      unit_definition: 'eur#bank',
      unit_due: '270.5',
    }
    expect(receiptJson(local, due, undefined)).toEqual({ ...figures, unit_after_haircut: '270.5', unit_variance: '0' })
    expect(receiptJson(local, due, '270.05')).toEqual({
      ...figures,
      unit_after_haircut: '270.05',
      unit_variance: '0.45',
    })
  })

  test.each(['270.51', '-1', 'all', ''])('rejects "%s", which is not an amount up to the amount due', (after) => {
    expect(() => receiptJson(local, due, after)).toThrow(expect.objectContaining({ code: 'usage' }))
  })
})

describe('a calendar date or time', () => {
  it.each([
    ['2027-01-31', Date.UTC(2027, 0, 31), true],
    ['2028-02-29', Date.UTC(2028, 1, 29), true],
    ['2027-01-31T09:00:00Z', Date.UTC(2027, 0, 31, 9), false],
    ['2027-01-31T09:00Z', Date.UTC(2027, 0, 31, 9), false],
    ['2027-01-31T09:00:00.250+02:00', Date.UTC(2027, 0, 31, 7, 0, 0, 250), false],
    ['2027-01-01T00:30:00+01:00', Date.UTC(2026, 11, 31, 23, 30), false],
  ])('reads %s', (text, ms, isDay) => {
    expect(timeFrom(text)).toEqual({ ms, isDay })
  })

  it.each([
    '2027-02-30',
    '2027-02-29',
    '2027-04-31T10:00:00Z',
    '2027-06-31T10:00:00+02:00',
    '2027-13-01',
    '2027-00-10',
    '2027-01-00',
    '2027-01-31T25:00:00Z',
    '2027-01-31T10:60:00Z',
    '2027-01-31T09:00:00',
    '2027-01-31 09:00:00Z',
    '31.1.2027',
    'tomorrow',
    '',
  ])('refuses "%s"', (text) => {
    expect(timeFrom(text)).toBeUndefined()
    expect(() => parseTime(text, '--at')).toThrow(/--at: ".*" is not a time/)
  })
})
