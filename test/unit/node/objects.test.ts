/** The core instruction set on real ledgers: two of them agree, indexes and routes show what the blocks did. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sealMultisig, signAsMember } from '../../../src/client/transaction.js'
import type { Json } from '../../../src/codec/index.js'
import { signEd25519 } from '../../../src/crypto/index.js'
import { instructions as assets } from '../../../src/features/assets/schema/instructions.js'
import { queries as explorerQueries } from '../../../src/features/explorer/schema/queries.js'
import { instructions as parameters } from '../../../src/features/parameters/schema.js'
import { queries as permissionQueries } from '../../../src/features/permissions/schema.js'
import { Gateway } from '../../../src/gateway/index.js'
import {
  accountKeyOf,
  blockOutcome,
  formatAddress,
  hashOfHeader,
  type Instruction,
  instruction,
  multisigAccount,
  NO_METADATA,
  type QueryDef,
  sealTransaction,
  signedHash,
  type TransactionPayload,
  transactionId,
  transactionPayload,
  triggerRunId,
} from '../../../src/model/index.js'
import type { Ledger } from '../../../src/node/ledger/ledger.js'
import {
  CHAIN,
  codec,
  DEFINITION,
  GENESIS_TIME_MS,
  signedBy,
  type TestAccount,
  testAccount,
} from '../../support/chain.js'
import * as core from '../../support/core.js'
import { LedgerBench } from '../../support/ledger-bench.js'
import { CORE } from '../../support/served-routes.js'
import { FakeNode } from '../gateway/support.js'

/** A definition beside the one that is paid with. */
const OTHER = 'zzz#bank'

let bench: LedgerBench
let ledger: Ledger
let second: Ledger
let admin: TestAccount
let gateway: Gateway
/** Blocks are ten milliseconds apart. */
let timeMs = GENESIS_TIME_MS

/** Commits a block on the first ledger after the second one reproduced it. */
async function block(...records: readonly ReturnType<typeof signedBy>[]): Promise<void> {
  const built = await bench.build(ledger, records)
  timeMs = built.header.timeMs
  const request = { blockHash: hashOfHeader(built.header), ...built, certified: false }
  expect(await second.execute(request)).toMatchObject({ ok: true })
  await bench.commit(ledger, built)
  await bench.commit(second, built)
}
const by = (account: TestAccount, ...instructions: readonly Instruction[]) => signedBy(account, instructions, timeMs)
/** Response of a route; its fields are not typed. */
// biome-ignore lint/suspicious/noExplicitAny: the JSON of many routes
async function get(path: string): Promise<{ status: number; body: any }> {
  const answer = await gateway.inject({ url: path })
  return { status: answer.statusCode, body: JSON.parse(answer.body) }
}

beforeAll(async () => {
  admin = await testAccount('genesis')
  bench = await LedgerBench.create([
    ...['CanSetParameters', 'CanManageRoles'].map((name) => core.permission('grant', name, undefined, admin.id)),
    core.registerDomain('fund'),
    core.registerDefinition(OTHER),
  ])
  ledger = await bench.open('first')
  second = await bench.open('second')
  const services = {
    ...new FakeNode().services,
    async query<Q, R>(def: QueryDef<Q, R>, input: Q): Promise<R | undefined> {
      const { output } = await ledger.query({ kind: def.kind, input: def.input.encode(input, codec) })
      if (output === undefined) return undefined
      const decoded = def.output.decode(output, codec)
      if (!decoded.ok) throw new Error(decoded.fault.message)
      return decoded.value
    },
  }
  gateway = new Gateway({}, { services, ...CORE })
})
afterAll(async () => {
  await gateway.close()
  await bench.close()
})

describe('the recovery record of a block', () => {
  it('has its roots and the outcome of each transaction, page by page', async () => {
    const { alice, bob } = bench
    const records = [by(admin, core.log('begun')), by(alice, core.registerDomain('vault')), by(bob, core.log('done'))]
    await block(...records)
    const header = (await get('/v1/ledger/headers?limit=1')).body.items[0]
    const { height } = header.header
    const whole = (await get(`/v1/pipeline/recovery/${height}`)).body
    expect(whole).toMatchObject({
      block_height: height,
      block_hash: header.hash,
      state_root: header.header.state_root,
      results_root: header.header.results_root,
      transactions: 3,
      next_cursor: null,
    })
    expect(whole.items).toEqual(
      records.map(({ id, signedHash: record, bytes }, index) =>
        expect.objectContaining({
          index,
          hash: id.toString('hex'),
          signed_hash: record.toString('hex'),
          bytes: bytes.length,
          outcome: index === 1 ? 'Rejected' : 'Approved',
          rejection: index === 1 ? 'not_permitted' : null,
        }),
      ),
    )
    const seen: unknown[] = []
    for (let cursor = ''; ; ) {
      const page = (await get(`/v1/pipeline/recovery/${height}?limit=2${cursor}`)).body
      seen.push(...page.items)
      if (page.next_cursor === null) break
      cursor = `&cursor=${page.next_cursor}`
    }
    expect(seen).toEqual(whole.items)
  })

  it('has no transactions for genesis, and does not exist above the tip', async () => {
    expect((await get('/v1/pipeline/recovery/1')).body).toMatchObject({ block_height: 1, items: [], next_cursor: null })
    for (const height of [0, 900]) expect((await get(`/v1/pipeline/recovery/${height}`)).status).toBe(404)
    expect((await get('/v1/pipeline/recovery/x')).status).toBe(400)
  })
})

describe('routes of ledger objects', () => {
  it('return objects by id, by owner and page by page', async () => {
    const { alice, bob } = bench
    const names = ['a', 'b', 'c', 'd']
    await block(
      by(admin, ...names.map((name) => core.registerNft(`${name}$bank`, new Map([['name', name]])))),
      by(admin, core.passOn('nft', 'b$bank', alice.id), core.passOn('nft', 'c$bank', alice.id)),
      by(admin, core.registerNft('e$fund')),
    )
    await block(by(alice, core.passOn('nft', 'c$bank', bob.id)), by(admin, core.unregister('Nft', 'd$bank')))
    const ids = async (query: string) => (await get(`/v1/nfts${query}`)).body.items.map((one: { id: string }) => one.id)
    expect(await ids('')).toEqual(['a$bank', 'b$bank', 'c$bank', 'e$fund'])
    expect(await ids('?domain=bank')).toEqual(['a$bank', 'b$bank', 'c$bank'])
    expect(await ids('?domain=fund')).toEqual(['e$fund'])
    expect(await ids(`?owner=${formatAddress(alice.id)}`)).toEqual(['b$bank'])
    expect(await ids('?owner=user1@bank')).toEqual(['c$bank'])
    expect(await ids('?owner=admin@bank&domain=bank')).toEqual(['a$bank'])
    // Objects of another domain take no place on a page: a client does not follow empty pages without end.
    expect(await ids('?owner=admin@bank&domain=fund&limit=1')).toEqual(['e$fund'])
    expect((await get('/v1/nfts?domain=shop')).status).toBe(404)
    const page = (await get('/v1/nfts?limit=2')).body
    expect(page.items).toHaveLength(2)
    expect(await ids(`?limit=2&cursor=${page.next_cursor}`)).toEqual(['c$bank', 'e$fund'])
    expect((await get(`/v1/nfts/${encodeURIComponent('b$bank')}`)).body).toEqual({
      id: 'b$bank',
      owned_by: formatAddress(alice.id),
      content: { name: 'b' },
    })
    expect((await get('/v1/nfts/x$bank')).status).toBe(404)
    expect((await get('/v1/nfts?owner=nobody@bank')).status).toBe(404)
  })

  it('return roles and triggers to any client', async () => {
    const { alice } = bench
    const tick = core.registerTrigger('tick', alice.id, core.BY_CALL, [core.log('x')])
    await block(
      by(alice, tick),
      by(admin, ...['r1', 'r2'].map((id) => core.registerRole(id, [['CanSetParameters', undefined]], [alice.id]))),
    )
    const page = (await get('/v1/roles?limit=1')).body
    expect(page.items).toMatchObject([{ id: 'r1', managers: [formatAddress(alice.id)], members: 0 }])
    expect((await get(`/v1/roles?cursor=${page.next_cursor}`)).body.items).toMatchObject([{ id: 'r2' }])
    expect((await get('/v1/roles/r2')).body).toMatchObject({ id: 'r2', permissions: [{ name: 'CanSetParameters' }] })
    expect((await get('/v1/roles/nosuch')).status).toBe(404)
    expect((await get('/v1/triggers')).body.items).toMatchObject([{ id: 'tick', authority: formatAddress(alice.id) }])
    expect((await get('/v1/triggers/tick')).body).toMatchObject({ id: 'tick', enabled: true, filter: 'ByCall' })
    expect((await get('/v1/triggers/nosuch')).status).toBe(404)
  })

  it('return the controls of a balance and the amount that can be spent', async () => {
    const { alice, bob } = bench
    const asset = { definition: DEFINITION, account: alice.id }
    await block(
      by(admin, instruction(assets.setLimits, { asset, limits: [{ window: 'day', cap: core.units(10n) }] })),
      by(alice, core.transfer(alice.id, bob.id, 4n, DEFINITION)),
      by(
        admin,
        instruction(assets.setFreeze, {
          asset: { definition: OTHER, account: bob.id },
          frozen: true,
          reason: undefined,
        }),
      ),
    )
    const path = `/v1/controls/${encodeURIComponent(DEFINITION)}`
    expect((await get(`${path}/user0@bank`)).body).toMatchObject({
      frozen: false,
      usage: [{ window: 'Day', spent: '4', left: '6' }],
    })
    const listed = (await get(path)).body
    expect(listed.items).toMatchObject([{ account: formatAddress(alice.id), frozen: false }])
    expect(listed.next_cursor).toBeNull()
    const check = async (amount: string) => (await get(`${path}/user0@bank/check?to=user1@bank&amount=${amount}`)).body
    expect(await check('6')).toMatchObject({ allowed: true, code: null })
    expect(await check('6.01')).toMatchObject({ allowed: false, code: 'transfer_limit' })
    expect((await get(`${path}/nobody@bank`)).status).toBe(404)
  })

  it('return the permissions granted to an account', async () => {
    await block(by(admin, core.permission('grant', 'CanMint', DEFINITION, bench.bob.id)))
    expect((await get('/v1/accounts/user1@bank/permissions')).body).toMatchObject({
      permissions: [{ name: 'CanMint', object: DEFINITION }],
      roles: [],
    })
  })
})

describe('a multisig account', () => {
  it('can propose, approve and sign transactions jointly, and lists its proposals', async () => {
    const { alice, bob } = bench
    const policy = core.policyOf(
      [
        [alice.id, 1],
        [bob.id, 1],
      ],
      2,
      60_000,
    )
    const account = multisigAccount(policy)
    const address = await gateway.inject({
      method: 'POST',
      url: '/v1/multisig/address',
      headers: { 'content-type': 'application/json' },
      payload: JSON.stringify({
        members: [...policy.members].reverse().map((one) => ({ account: formatAddress(one.account), weight: 1 })),
        quorum: 2,
        ttl_ms: 60_000,
      }),
    })
    expect(JSON.parse(address.body).account).toBe(formatAddress(account))

    await block(by(admin, core.registerMultisig(policy, 'bank', 'pair'), core.mint(account, 50n, DEFINITION)))
    const pay = core.transfer(account, bob.id, 10n, DEFINITION)
    await block(by(alice, core.propose(account, pay)))
    const view = (await get('/v1/multisig/pair@bank')).body
    expect(view).toMatchObject({ open: [{ status: 'Open', weight: 1, quorum: 2 }], closed: [] })
    const proposal = Buffer.from(view.open[0].proposal, 'hex')
    await block(by(bob, core.approve(account, proposal)))
    expect((await get(`/v1/multisig/pair@bank/proposals/${view.open[0].proposal}`)).body.status).toBe('Executed')

    const payload: TransactionPayload = {
      chain: CHAIN,
      authority: account,
      createdAtMs: timeMs,
      ttlMs: 100_000,
      nonce: 1,
      executable: { kind: 'instructions', value: [pay] },
      metadata: NO_METADATA,
      dataspace: undefined,
    }
    const payloadBytes = transactionPayload.encode(payload, codec)
    const draft = { payload, payloadBytes, id: transactionId(payloadBytes), codec }
    const signatures = await Promise.all([alice, bob].map((one) => signAsMember(draft, one.pair)))
    const { id, bytes } = sealMultisig(draft, signatures, policy)
    await block({ id, bytes, signedHash: signedHash(bytes) })
    const { body } = await get('/v1/accounts/pair@bank')
    expect(body.balances).toEqual([{ definition: DEFINITION, amount: '30' }])

    // Rules of another account for this one: no block may contain it.
    const forged = core.policyOf([[bob.id, 1]], 1)
    const alone = sealMultisig(draft, signatures.slice(1), forged)
    const record = { ...alone, signedHash: signedHash(alone.bytes) }
    await expect(bench.build(ledger, [record])).rejects.toThrow('already_committed')
    const other = { ...payload, nonce: 2 }
    const otherBytes = transactionPayload.encode(other, codec)
    const draft2 = { payload: other, payloadBytes: otherBytes, id: transactionId(otherBytes), codec }
    const fake = sealMultisig(draft2, [await signAsMember(draft2, bob.pair)], forged)
    const faked = { ...fake, signedHash: signedHash(fake.bytes) }
    await expect(bench.build(ledger, [faked])).rejects.toThrow('bad_policy')
    const asked = {
      id: fake.id,
      facts: undefined,
      duty: undefined,
      teu: 240,
      teuLimit: undefined,
      sponsor: undefined,
      proving: undefined,
    }
    const items = [forged, policy].map((one) => ({ ...asked, authority: Buffer.from(account, 'latin1'), policy: one }))
    const { results } = await ledger.admit({ timeMs, items })
    expect(results.map((one) => one.code)).toEqual(['bad_policy', ''])
  })
})

describe('a time trigger', () => {
  it('makes a block due, and runs in a block without transactions with the same result on both ledgers', async () => {
    const { alice, bob } = bench
    const startMs = timeMs + 15
    await block(
      by(
        bob,
        core.registerTrigger('rent', bob.id, core.every(startMs, 100), [
          core.transfer(bob.id, alice.id, 1n, DEFINITION),
        ]),
      ),
    )
    expect((await ledger.tip()).nextDueMs).toBe(startMs)
    await block()
    const tip = await ledger.tip()
    expect(tip.nextDueMs).toBe(startMs + 100)
    const { blocks } = await ledger.history({ from: tip.height, count: 1 })
    const outcome = blockOutcome.decode(blocks[0]?.outcome ?? Buffer.alloc(0), codec)
    if (!outcome.ok) throw new Error(outcome.fault.message)
    expect(outcome.value.results.map((one) => Buffer.from(one.transactionId))).toEqual([
      triggerRunId(tip.height, 'rent', 'time'),
    ])
    const statement = (await get('/v1/accounts/user1@bank/statement?limit=500')).body
    expect(statement.items.at(-1)).toMatchObject({ side: 'Debit', amount: '1', transaction_hash: null })
  })
})

describe('the reference of a movement', () => {
  const REFERENCES: readonly [title: string, written: Json, shown: string | null][] = [
    ['is shown as the account set it', 'INV-2026/17', 'INV-2026/17'],
    ['of more than 35 characters is omitted', 'x'.repeat(36), null],
    ['as long as metadata may be is omitted, and its block is committed', 'x'.repeat(10_000), null],
    ['with terminal control characters is omitted', 'pay\u001b[2K', null],
    ['with directional controls is omitted', 'pay\u202e', null],
    ['that is not a text is omitted', 17, null],
  ]
  it.each(REFERENCES)('%s', async (_title, written, shown) => {
    const { alice, bob } = bench
    const metadata = new Map([['reference', written]])
    const pay = [core.transfer(alice.id, bob.id, 1n, DEFINITION)]
    await block(signedBy(alice, pay, timeMs, 100_000, codec, metadata))
    const { items } = (await get('/v1/accounts/user1@bank/statement?limit=500')).body
    expect(items.at(-1)).toMatchObject({
      side: 'Credit',
      reference: shown,
      reference_by: shown === null ? null : formatAddress(alice.id),
    })
  })
})

it('the object totals are updated with every block, on both ledgers', async () => {
  const totals = async (of: Ledger) => {
    const { output } = await of.query({
      kind: explorerQueries.totals.kind,
      input: explorerQueries.totals.input.encode({}, codec),
    })
    const decoded = explorerQueries.totals.output.decode(output ?? Buffer.alloc(0), codec)
    if (!decoded.ok) throw new Error(decoded.fault.message)
    return decoded.value
  }
  const before = await totals(ledger)
  await block(
    by(admin, core.registerDefinition('a#bank'), core.registerDefinition('b#bank'), core.registerNft('n$bank')),
  )
  const { height } = await totals(ledger)
  expect(await totals(ledger)).toEqual({
    ...before,
    assetDefinitions: before.assetDefinitions + 2,
    nfts: before.nfts + 1,
    height,
  })
  // Objects that are created and removed, or only changed, do not affect the number.
  await block(
    by(admin, core.unregister('AssetDefinition', 'a#bank'), core.unregister('Nft', 'n$bank')),
    by(admin, core.registerNft('m$bank'), core.unregister('Nft', 'm$bank')),
    by(admin, core.setKey({ kind: 'definition', value: 'b#bank' }, 'k', 1)),
  )
  expect(await totals(ledger)).toEqual({ ...before, assetDefinitions: before.assetDefinitions + 1, height: height + 1 })
  expect(await totals(second)).toEqual(await totals(ledger))
})

describe('the holders of a permission', () => {
  const holders = async (name: string, object?: string, after?: string, limit = 500) => {
    const input = { name, object, after, limit }
    const { output } = await ledger.query({
      kind: permissionQueries.permissionHolders.kind,
      input: permissionQueries.permissionHolders.input.encode(input, codec),
    })
    if (output === undefined) return undefined
    const decoded = permissionQueries.permissionHolders.output.decode(output, codec)
    if (!decoded.ok) throw new Error(decoded.fault.message)
    return decoded.value
  }
  const holdersOf = async (name: string, object?: string) =>
    (await holders(name, object))?.items.map(({ holder }) => holder)

  it('are shown as accounts and roles, until it is revoked or its object is removed', async () => {
    const { alice, bob } = bench
    const mint = (verb: 'grant' | 'revoke', to: string) => core.permission(verb, 'CanMint', 'coin#bank', to)
    await block(
      by(admin, core.registerDefinition('coin#bank')),
      by(
        admin,
        mint('grant', alice.id),
        mint('grant', bob.id),
        core.registerRole('minters', [['CanMint', 'coin#bank']]),
      ),
    )
    const accounts = [alice.id, bob.id].toSorted().map((value) => ({ kind: 'account', value }))
    expect(await holdersOf('CanMint', 'coin#bank')).toEqual([...accounts, { kind: 'role', value: 'minters' }])
    const first = await holders('CanMint', 'coin#bank', undefined, 1)
    const next = await holders('CanMint', 'coin#bank', first?.nextCursor, 1)
    expect([first, next].map((page) => page?.items[0]?.holder)).toEqual(accounts)

    await block(by(admin, mint('revoke', bob.id)), by(admin, mint('revoke', alice.id), mint('grant', alice.id)))
    expect(await holdersOf('CanMint', 'coin#bank')).toEqual([
      { kind: 'account', value: alice.id },
      { kind: 'role', value: 'minters' },
    ])
    expect(await holdersOf('CanBurn', 'coin#bank')).toEqual([])
    expect(await holdersOf('CanManageRoles')).toContainEqual({ kind: 'account', value: admin.id })

    // Registered again it is another object: grants on the old one are void.
    await block(by(admin, core.unregister('AssetDefinition', 'coin#bank'), core.registerDefinition('coin#bank')))
    expect(await holdersOf('CanMint', 'coin#bank')).toEqual([])

    // A node that executed all of it knows who they were, one that began by a snapshot does not: both tell the same page.
    await block(by(admin, core.rolePermission('grant', 'CanMint', 'coin#bank', 'minters')))
    expect((await holders('CanMint', 'coin#bank', undefined, 1))?.items.map(({ holder }) => holder)).toEqual([
      { kind: 'role', value: 'minters' },
    ])
  })

  it('are not found if the permission or the object does not exist', async () => {
    expect(await holders('CanFly')).toBeUndefined()
    expect(await holders('CanMint', 'nope')).toBeUndefined()
    expect(await holders('CanMint', 'none#bank')).toBeUndefined()
  })
})

describe('fees', () => {
  const setParameter = (name: string, value: Json): Instruction => instruction(parameters.setParameter, { name, value })
  const sender = (account: TestAccount, id: number) => ({
    id: Buffer.alloc(32, id),
    authority: Buffer.from(account.id, 'latin1'),
    facts: undefined,
    duty: undefined,
    policy: undefined,
    teu: 68,
    teuLimit: 1_000,
    proving: undefined,
    sponsor: undefined,
  })

  it('keep an account that cannot pay out of the queue and of blocks, and appear in statements', async () => {
    const { alice, bob } = bench
    await block(
      by(admin, core.registerDefinition('gas#bank'), core.mint(alice.id, 100n, 'gas#bank')),
      by(admin, setParameter('fee_asset', 'gas#bank'), setParameter('fee_per_teu', '0.01')),
    )
    // The price acts from the next block on.
    await block()
    const { results } = await ledger.admit({ timeMs, items: [sender(alice, 1), sender(bob, 2)] })
    expect(results.map((one) => one.code)).toEqual(['', 'fee_unpayable'])
    await expect(bench.build(ledger, [by(bob, core.log('x'))])).rejects.toThrow('fee_unpayable')
    const payload: TransactionPayload = {
      chain: CHAIN,
      authority: alice.id,
      createdAtMs: timeMs,
      ttlMs: 100_000,
      nonce: 7,
      executable: { kind: 'instructions', value: [core.transfer(alice.id, bob.id, 5n, 'gas#bank')] },
      metadata: new Map([['teu_limit', 1_000]]),
      dataspace: undefined,
    }
    const key = accountKeyOf('ed25519', alice.pair.publicKey.bytes)
    const sealed = sealTransaction(payload, codec, key, (message) => signEd25519(alice.pair.secret, message))
    await block({ ...sealed, signedHash: signedHash(sealed.bytes) })
    const { items } = (await get('/v1/accounts/user0@bank/statement?asset=gas%23bank')).body as {
      items: readonly Record<string, unknown>[]
    }
    expect(items.map(({ kind, side, amount, balance }) => [kind, side, amount, balance])).toEqual([
      ['Mint', 'Credit', '100', '100'],
      ['Transfer', 'Debit', '5', '95'],
      ['Fee', 'Debit', '2.39', '92.61'],
    ])
  })
})
