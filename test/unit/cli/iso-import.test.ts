/** Bindings in a file: no field is ignored, in particular no limit of a submitter. */
import { describe, expect, test } from 'vitest'
import { readCsv } from '../../../src/cli/input/csv.js'
import { readBindings } from '../../../src/cli/iso/import.js'

const read = (text: string) => readBindings('bindings', Buffer.from(text))
const submitter = (more: object) => read(JSON.stringify([{ submitter: 'desk@bank', ...more }]))

test('IBANs, currencies and submitters are read', () => {
  expect(read('\ufeffiban,account\r\n# ours\r\nBE24 2900 3585 2938, alice@bank\r\n')).toEqual([
    { kind: 'iban', iban: 'BE24290035852938', account: 'alice@bank' },
  ])
  expect(read('definition,currency\neur#bank,eur\n')).toEqual([
    { kind: 'currency', currency: 'EUR', definition: 'eur#bank' },
  ])
  const limits = [{ definition: 'eur#bank', per_payment: '50', per_day: null }]
  expect(submitter({ domain: 'bank', bics: ['BBBABEBB'], limits })).toEqual([
    { kind: 'submitter', account: 'desk@bank', bics: ['BBBABEBB'], domain: 'bank', debtors: [], limits },
  ])
})

describe('a submitter receives no more rights than its record grants', () => {
  test('a misspelt field is refused, and not treated as a missing limit', () => {
    expect(() => submitter({ domain: 'bank', bic: ['BBBABEBB'] })).toThrow('unknown field "bic" of submitter')
    expect(() => submitter({ domain: 'bank', limit: [] })).toThrow('unknown field "limit" of submitter')
    expect(() => read('submitter,domain,bic\ndesk@bank,bank,BBBABEBB')).toThrow('unknown field "bic"')
  })

  test('a domain with a list of single accounts does not cover all of its accounts', () => {
    expect(() => submitter({ domain: 'bank', debtors: ['alice@bank'] })).toThrow('either domain or debtors')
    expect(() => submitter({})).toThrow('either domain or debtors')
  })
})

describe('an IBAN', () => {
  test('cannot have two accounts in a JSON record', () => {
    const text = '[{"iban": "BE24290035852938", "account": "alice@bank", "account": "bob@bank"}]'
    expect(() => read(text)).toThrow('duplicate field "account"')
  })

  test('cannot have two accounts in a table', () => {
    expect(() => read('iban,account,account\nBE24290035852938,alice@bank,bob@bank')).toThrow('two columns')
  })

  test('cannot be bound in the same row as a currency', () => {
    const text = 'iban,account,currency,definition\nBE24290035852938,alice@bank,EUR,eur#bank'
    expect(() => read(text)).toThrow('unknown field "currency" of iban')
  })
})

describe('a table (RFC 4180)', () => {
  const alice = { kind: 'iban', iban: 'BE24290035852938', account: 'alice@bank' }

  test('can have quoted fields, and a header line in any case', () => {
    for (const text of [
      '"iban","account"\n"BE24290035852938","alice@bank"\n',
      'IBAN,Account\r\nBE24290035852938,alice@bank\r\n',
      '"IBAN" , "ACCOUNT"\n "BE24 2900 3585 2938" , alice@bank',
      '\ufeff"iban","account"\r"BE24290035852938","alice@bank"\r',
    ]) {
      expect(read(text), text).toEqual([alice])
    }
  })

  test('keeps commas, quotes and line breaks within quotes, and counts these lines', () => {
    expect(() => read('iban,account\n"BE24290035852938","a ""b"",\nc"\nX,y')).toThrow('line 4: X: iban_')
    expect(readCsv('a,"b ""c"", d\r\ne"\n\n# f\n"",g')).toEqual([
      { line: 1, cells: ['a', 'b "c", d\r\ne'] },
      { line: 5, cells: ['', 'g'] },
    ])
  })

  test('is refused with the line if a quote is in the middle of a field or is not closed', () => {
    for (const bad of ['a"b,c', '"a"b,c', '"a', 'a,"b']) {
      expect(readCsv(`x,y\n${bad}`), bad).toMatchObject({ line: 2, fault: expect.stringContaining('quote') })
      expect(() => read(`iban,account\n${bad}`)).toThrow('line 2: a quote begins or ends inside a field')
    }
  })

  test('is refused with a reason if it has semicolons, and a full-width comma does not separate values', () => {
    expect(() => read('iban;account\nBE24290035852938;alice@bank')).toThrow('separated by commas, not by semicolons')
    expect(() => read('iban,account\nBE24290035852938\uff0calice@bank')).toThrow('line 2: expected 2 values, got 1')
    expect(() => read('iban,account\nBE24290035852938,alice@bank\nBE24290035852938;bob@bank')).toThrow(
      'line 3: expected 2 values, got 1',
    )
  })
})
