/** Bindings of a file: nothing that somebody wrote is passed over, least of all what limits a submitter. */
import { describe, expect, test } from 'vitest'
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

describe('a submitter gets no more than was written', () => {
  test('a field that is misspelt is no missing limit', () => {
    expect(() => submitter({ domain: 'bank', bic: ['BBBABEBB'] })).toThrow('"bic" is no field of submitter')
    expect(() => submitter({ domain: 'bank', limit: [] })).toThrow('"limit" is no field of submitter')
    expect(() => read('submitter,domain,bic\ndesk@bank,bank,BBBABEBB')).toThrow('"bic" is no field')
  })

  test('a domain beside single accounts is not taken for all of its accounts', () => {
    expect(() => submitter({ domain: 'bank', debtors: ['alice@bank'] })).toThrow('either domain or debtors')
    expect(() => submitter({})).toThrow('either domain or debtors')
  })
})

describe('an IBAN has one account', () => {
  test('in a record of JSON', () => {
    const text = '[{"iban": "BE24290035852938", "account": "alice@bank", "account": "bob@bank"}]'
    expect(() => read(text)).toThrow('duplicate field "account"')
  })

  test('in a table', () => {
    expect(() => read('iban,account,account\nBE24290035852938,alice@bank,bob@bank')).toThrow('two columns')
  })

  test('and is bound in a row of its own', () => {
    const text = 'iban,account,currency,definition\nBE24290035852938,alice@bank,EUR,eur#bank'
    expect(() => read(text)).toThrow('"currency" is no field of iban')
  })
})
