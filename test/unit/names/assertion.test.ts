/** Asserted aliases: a transaction runs only while each stands for what it was made with. */
import { beforeEach, describe, expect, it } from 'vitest'
import { ABI_2 } from '../../../src/features/abi.js'
import { instructions as iso } from '../../../src/features/iso20022/schema/instructions.js'
import { instructions as names } from '../../../src/features/names/schema/instructions.js'
import { type Instruction, instruction } from '../../../src/model/index.js'
import { alice, bob, owner, registerAccount, registerDefinition, registerDomain, USD } from '../../support/core.js'
import { Bench } from '../../support/executor.js'

const IBAN = 'DE89370400440532013000'
const account = (text: string, value: string): Instruction =>
  instruction(names.assertAliases, { items: [{ text, target: { kind: 'account', value } }] })
const asset = (text: string, value: string): Instruction =>
  instruction(names.assertAliases, { items: [{ text, target: { kind: 'definition', value } }] })

let bench: Bench
beforeEach(() => {
  bench = new Bench(undefined, ABI_2)
  bench.genesis(owner, registerDomain('bank'), registerAccount(owner, 'owner'), registerDefinition(USD))
  bench.genesis(owner, registerAccount(alice, 'alice'), registerAccount(bob, 'bob'))
  bench.genesis(owner, instruction(iso.bindIban, { iban: IBAN, account: bob }))
  bench.genesis(owner, instruction(iso.bindCurrency, { currency: 'USD', definition: USD }))
})

describe('asserted aliases', () => {
  it('are accepted for names, IBANs and currencies that resolve to the asserted value', () => {
    const run = [account('bob@bank', bob), account(`iban:${IBAN}`, bob), asset('ccy:USD', USD)]
    expect(bench.run(alice, ...run)).toBeUndefined()
  })

  it.each([
    ['a name of another account', account('bob@bank', alice)],
    ['a name that does not exist', account('carol@bank', bob)],
    ['another IBAN', account('iban:GB82WEST12345698765432', bob)],
    ['another currency', asset('ccy:EUR', USD)],
    ['a name without the record of an asset', asset('bob@bank', USD)],
    ['a currency in place of an account', account('ccy:USD', bob)],
  ])('reject the transaction with alias_moved for %s', (_what, assertion) => {
    expect(bench.run(alice, assertion)).toBe('alias_moved')
  })

  it('reject the transaction if any of them resolves to another value', () => {
    const items = [
      { text: 'bob@bank', target: { kind: 'account', value: bob } as const },
      { text: 'alice@bank', target: { kind: 'account', value: bob } as const },
    ]
    expect(bench.run(alice, instruction(names.assertAliases, { items }))).toBe('alias_moved')
    expect(bench.last?.rejection?.message).toContain('alice@bank')
  })

  it.each(['bob', 'bob@@bank', '', 'iban:de89', 'b\u00f6b@bank'])('reject %j with bad_name', (text) => {
    expect(bench.run(alice, account(text, bob))).toBe('bad_name')
  })
})
