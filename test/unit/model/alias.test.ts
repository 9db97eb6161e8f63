/** Names of payees and assets: the grammar, texts, skeletons, standing at each edge of time. */
import { describe, expect, it } from 'vitest'
import {
  type AccountId,
  type NameId,
  nameStanding,
  nameText,
  parentOf,
  parseAccountText,
  parseAliasText,
  parseAssetText,
  parseName,
  type StandingRow,
  skeletonOf,
} from '../../../src/model/index.js'
import { accountNamed } from '../../support/executor.js'

describe('the grammar of names', () => {
  it.each(['bob@bank', 'a@b', '0@b', 'pay.desk@bank', 'a.b.c.d@bank', `${'a'.repeat(63)}@bank`, 'a-b-c@Bank_1'])(
    'accepts %s',
    (text) => {
      const name = parseName(text)
      expect(name && nameText(name)).toBe(text)
    },
  )

  const long = (count: number): string => 'a'.repeat(count)
  it.each([
    '',
    '@',
    'bob',
    '@bank',
    'bob@',
    'a@@b',
    '.a@b',
    'a.@b',
    'a..b@c',
    'a.b.c.d.e@b',
    `${long(64)}@b`,
    `${[long(63), long(63), 'a'].join('.')}@b`,
    'A@b',
    'a_b@c',
    '-a@b',
    'a-@b',
    'a--b@c',
    'xn--a@b',
    'a\u0000@b',
    'a\u202eb@c',
    'böb@c',
    ' a@b',
    'a@b#c',
  ])('rejects %j', (text) => {
    expect(parseName(text)).toBeUndefined()
  })

  it('finds the parent of a subname after its first dot', () => {
    expect(parentOf({ label: 'a.b.c', domain: 'bank' })).toEqual({ label: 'b.c', domain: 'bank' })
    expect(parentOf({ label: 'c', domain: 'bank' })).toBeUndefined()
  })

  it.each([
    ['treasury-desk', 'treasurydesk'],
    ['b0b', 'bob'],
    ['pay1', 'payl'],
    ['rnodern', 'modem'],
    ['vvest', 'west'],
  ])('maps %s and %s to the same skeleton', (a, b) => {
    expect(skeletonOf(a)).toBe(skeletonOf(b))
    expect(skeletonOf(`${a}x`)).not.toBe(skeletonOf(a))
  })
})

describe('alias texts of accounts and assets', () => {
  it('can be names, IBANs and currencies, and nothing else', () => {
    expect(parseAliasText('bob@bank')).toEqual({ kind: 'name', label: 'bob', domain: 'bank' })
    // A label of ABI 1.
    expect(parseAliasText('Bob_1@bank')).toEqual({ kind: 'name', label: 'Bob_1', domain: 'bank' })
    expect(parseAliasText('iban:DE89370400440532013000')).toEqual({ kind: 'iban', iban: 'DE89370400440532013000' })
    expect(parseAliasText('ccy:EUR')).toEqual({ kind: 'currency', currency: 'EUR' })
    for (const text of ['iban:de89', 'iban:', 'ccy:eur', 'ccy:EURO', 'eur#bank', 'bob', 'iban:DE89 3704'])
      expect(parseAliasText(text), text).toBeUndefined()
  })

  it('are distinguished by kind', () => {
    expect(parseAccountText('ccy:EUR', 'cw')).toBeUndefined()
    expect(parseAccountText('eur#bank', 'cw')).toBeUndefined()
    expect(parseAssetText('iban:DE89370400440532013000')).toBeUndefined()
    expect(parseAssetText('eur#bank')).toEqual({ kind: 'definition', definition: 'eur#bank' })
    expect(parseAssetText('eur@bank')).toEqual({ kind: 'name', label: 'eur', domain: 'bank' })
  })
})

describe('the status of a name', () => {
  const [first, second] = [
    { height: 1, index: 0 },
    { height: 2, index: 0 },
  ]
  const leased: StandingRow = {
    kind: 'leased',
    incarnation: first,
    expiresMs: 100,
    graceUntilMs: 200,
    quarantineUntilMs: 300,
    parent: undefined,
  }
  const sub: StandingRow = {
    ...leased,
    kind: 'sub',
    parent: first,
    expiresMs: undefined,
    graceUntilMs: undefined,
    quarantineUntilMs: undefined,
  }
  const standing = (rows: Readonly<Record<string, StandingRow>>, label: string, timeMs: number, account?: AccountId) =>
    nameStanding({ row: (name: NameId) => rows[name.label], account: () => account }, { label, domain: 'bank' }, timeMs)

  it('changes at each deadline of a lease', () => {
    const at = [0, 99, 100, 199, 200, 299, 300].map((timeMs) => standing({ desk: leased }, 'desk', timeMs))
    expect(at).toEqual(['active', 'active', 'grace', 'grace', 'quarantine', 'quarantine', 'open'])
  })

  it('of a subname equals the status of its parent until its own expiry', () => {
    const rows = { desk: leased, 'pay.desk': { ...sub, expiresMs: 150 }, 'in.pay.desk': { ...sub, parent: first } }
    for (const label of ['pay.desk', 'in.pay.desk'])
      expect([0, 100, 149, 150, 250].map((timeMs) => standing(rows, label, timeMs))).toEqual([
        'active',
        'grace',
        'grace',
        'open',
        'open',
      ])
    expect(standing({ desk: leased, 'pay.desk': sub }, 'pay.desk', 250)).toBe('quarantine')
  })

  it('of a subname is open if its parent was registered again or does not exist', () => {
    const again = { ...leased, incarnation: second }
    expect(standing({ desk: again, 'pay.desk': sub }, 'pay.desk', 0)).toBe('open')
    expect(standing({ 'pay.desk': sub }, 'pay.desk', 0)).toBe('open')
  })

  it('of a label without a row is live if an account has the label, and absent otherwise', () => {
    expect(standing({}, 'bob', 0, accountNamed('bob'))).toBe('live')
    expect(standing({}, 'bob', 0)).toBeUndefined()
  })
})
