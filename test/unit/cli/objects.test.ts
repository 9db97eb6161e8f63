/** Objects of commands: each form of text, and aliases of accounts and asset definitions. */
import { describe, expect, it } from 'vitest'
import { objectOf } from '../../../src/cli/ledger/forms.js'
import { formatAddress, LedgerError } from '../../../src/model/index.js'
import { bob } from '../../support/names.js'

const ADDRESS = formatAddress(bob, 'cw')
const ACCOUNTS: Readonly<Record<string, string>> = { 'bob@bank': ADDRESS, 'both@bank': ADDRESS }
const ASSETS: Readonly<Record<string, string>> = {
  'eur@bank': 'eur#bank',
  'ccy:EUR': 'eur#bank',
  'both@bank': 'eur#bank',
}
const known = (ids: Readonly<Record<string, string>>) => async (text: string | undefined) => {
  const id = ids[text ?? '']
  if (id === undefined) throw new LedgerError('alias_unknown', `${text} does not resolve`)
  return id
}
const texts = { account: known(ACCOUNTS), asset: known(ASSETS) }

describe('the object of a command', () => {
  it.each([
    ['bank', { Domain: 'bank' }],
    ['eur#bank', { Definition: 'eur#bank' }],
    ['art$bank', { Nft: 'art$bank' }],
    ['trigger:rent', { Trigger: 'rent' }],
    [ADDRESS, { Account: ADDRESS }],
    ['bob@bank', { Account: ADDRESS }],
    ['eur@bank', { Definition: 'eur#bank' }],
    ['ccy:EUR', { Definition: 'eur#bank' }],
  ])('is read from %s', async (text, object) => {
    expect(await objectOf(text, texts)).toEqual(object)
  })

  it('is refused if an alias resolves to nothing, or to an account and an asset definition', async () => {
    await expect(objectOf('none@bank', texts)).rejects.toMatchObject({ code: 'alias_unknown' })
    await expect(objectOf('both@bank', texts)).rejects.toMatchObject({ code: 'usage' })
  })
})
