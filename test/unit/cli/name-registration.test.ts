/** Registrations of names on the command line: assertion of the account's alias, and terms kept for a continuation. */
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { keepPending, readPending } from '../../../src/cli/names/pending.js'
import { type Registration, revealOf, termsOf } from '../../../src/cli/names/registration.js'
import { Names } from '../../../src/cli/transaction/resolve.js'
import type { ReadInstruction } from '../../../src/cli/transaction/submit.js'
import { Aliases } from '../../../src/client/aliases.js'
import type { GatewayCalls } from '../../../src/client/calls.js'
import type { CausewayClient } from '../../../src/client/index.js'
import { pascalCase } from '../../../src/codec/index.js'
import { clientCodec } from '../../../src/features/composed.js'
import { type AccountId, anyInstruction, formatAddress } from '../../../src/model/index.js'
import { alice, bob, carol } from '../../support/names.js'

const codec = clientCodec('cw')
const addressOf = (id: AccountId): string => formatAddress(id, 'cw')
const name = { domain: 'bank', label: 'desk' }
const salt = 'ab'.repeat(32)
const key = { chain: 'test', name: 'desk@bank', authority: addressOf(alice) }
const ASKED: Registration = { name, years: 1, account: undefined, maxPrice: undefined, resume: false, asking: {} }

/** Signing with a gateway that resolves `bob@bank` to an account, and reports the price of a lease. */
function signing(account: AccountId, amount = '5') {
  const calls = {
    chain: async () => ({ abiVersion: 2 }),
    route: async (_row: unknown, { body }: { body: { aliases: string[] } }) => ({
      items: body.aliases.map((alias) => {
        const state = { kind: 'leased', standing: 'active', sinceMs: Date.now(), expiresMs: undefined }
        const ids = { accountId: account, assetDefinitionId: undefined, homeDomain: 'bank' }
        return { alias, answer: { alias, canonical: alias, height: 7, ...state, ...ids }, error: undefined }
      }),
    }),
  } as unknown as Pick<GatewayCalls, 'route' | 'chain'>
  const client = {
    aliases: () => new Aliases(calls),
    chain: async () => ({ addressPrefix: 'cw', abiVersion: 2 }),
    json: async () => ({ price: { definition: 'eur#bank', amount } }),
  } as unknown as CausewayClient
  const names = new Names(client, { pin: undefined, isLocal: false })
  const read: ReadInstruction = (def, jsonForm) =>
    names.instruction({ [pascalCase(def.kind)]: jsonForm }, 0, names.codec(codec)) as never
  return { client, names, read, address: addressOf(alice) }
}
/** Reveal of a registration in JSON. */
async function revealed(account: AccountId, asked: Registration, kept?: Parameters<typeof termsOf>[2]) {
  const one = signing(account)
  const terms = await termsOf(one, asked, kept)
  const list = revealOf(one, name, { ...key, salt, years: 1, ...terms })
  return { terms, cautions: one.names.cautions, list: list.map((each) => anyInstruction.toJson(each, codec)) }
}
const price = { definition: 'eur#bank', amount: '5' }
const registering = (account: AccountId | undefined, most = price) => ({
  RegisterName: {
    domain: 'bank',
    label: 'desk',
    owner: addressOf(alice),
    account: account === undefined ? null : addressOf(account),
    years: 1,
    salt,
    max_price: most,
  },
})
const assertingBob = (account: AccountId) => ({
  AssertAliases: { items: [{ text: 'bob@bank', target: { Account: addressOf(account) } }] },
})

describe('the transaction that registers a name', () => {
  it('begins with the assertion of the alias that its account was given as, with a caution for a new name', async () => {
    const { list, cautions } = await revealed(bob, { ...ASKED, account: 'bob@bank' })
    expect(list).toEqual([assertingBob(bob), registering(bob)])
    expect(cautions).toEqual(['bob@bank has had its owner for less than 30 days'])
  })

  it('has no assertion for an address and for the account of the key', async () => {
    expect((await revealed(bob, { ...ASKED, account: addressOf(bob) })).list).toEqual([registering(bob)])
    expect((await revealed(bob, ASKED)).list).toEqual([registering(undefined)])
  })
})

describe('a registration that continues', () => {
  const resumed = { ...ASKED, resume: true }
  it('keeps the account with its alias, and the maximum price', async () => {
    const { terms } = await revealed(bob, { ...ASKED, account: 'bob@bank', maxPrice: '4' })
    expect(terms).toEqual({ account: addressOf(bob), alias: 'bob@bank', maxPrice: { ...price, amount: '4' } })
    const { list } = await revealed(bob, resumed, terms)
    expect(list).toEqual([assertingBob(bob), registering(bob, { ...price, amount: '4' })])
  })

  it('is refused if the alias now resolves to another account, unless the account is given again', async () => {
    const { terms } = await revealed(bob, { ...ASKED, account: 'bob@bank' })
    await expect(revealed(carol, resumed, terms)).rejects.toMatchObject({ code: 'alias_moved' })
    const { list } = await revealed(carol, { ...resumed, account: 'bob@bank', maxPrice: '9' }, terms)
    expect(list).toEqual([assertingBob(carol), registering(carol, { ...price, amount: '9' })])
  })
})

describe('the file of a pending registration', () => {
  let folder = ''
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pending-'))
    vi.stubEnv('XDG_CONFIG_HOME', folder)
  })
  afterEach(async () => {
    vi.unstubAllEnvs()
    await rm(folder, { recursive: true, force: true })
  })
  const kept = { ...key, salt, years: 1, account: addressOf(bob), alias: 'bob@bank', maxPrice: price }

  it('keeps the account, its alias and the maximum price', async () => {
    await keepPending(kept)
    expect(await readPending(key)).toEqual({ format: 1, ...kept })
  })

  it('of an earlier release is read without them', async () => {
    await keepPending(kept)
    const [file = ''] = await readdir(join(folder, 'causeway', 'names'))
    await writeFile(join(folder, 'causeway', 'names', file), JSON.stringify({ format: 1, ...key, salt, years: 2 }))
    const nothing = { account: undefined, alias: undefined, maxPrice: undefined }
    expect(await readPending(key)).toEqual({ format: 1, ...key, salt, years: 2, ...nothing })
  })
})
