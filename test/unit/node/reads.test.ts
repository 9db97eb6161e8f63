/** The reads of specification 4.3 on a running network: lists, filters, pages, and proofs that hold against the genesis hash. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routesOf } from '../../../src/api/feature.js'
import { finalityProof, stateRecordProof, transactionProof } from '../../../src/api/index.js'
import { checkProof } from '../../../src/cli/chain/proof.js'
import { verifyFinality, verifyStateRecord, verifyTransaction } from '../../../src/client/index.js'
import type { Json, Schema } from '../../../src/codec/index.js'
import { InlineCrypto } from '../../../src/crypto/index.js'
import { ABI_1 } from '../../../src/features/abi.js'
import * as schemas from '../../../src/features/schemas.js'
import { Gateway } from '../../../src/gateway/index.js'
import { formatAddress, type Instruction } from '../../../src/model/index.js'
import { verifyBlocks } from '../../../src/node/offline/verify-blocks.js'
import { HeaderChain } from '../../../src/node/snapshot/chain.js'
import { CHAIN, signedBy, type TestAccount, testAccount, transferOf } from '../../support/chain.js'
import { Cluster, type Member } from '../../support/cluster.js'
import { CORE } from '../../support/served-routes.js'

let alice: TestAccount
let bob: TestAccount
let cluster: Cluster
let gateway: Gateway
let crypto: InlineCrypto
/** Hashes of alice's transfers, oldest first. */
const sent: string[] = []
let refused = ''

const first = (): Member => cluster.list[0] as Member

async function commit(account: TestAccount, instructions: readonly Instruction[]): Promise<string> {
  const { height } = first().core
  const record = signedBy(account, instructions, Date.now())
  expect((await first().core.services.submit(record.bytes)).ok).toBe(true)
  await cluster.until('the block', () => cluster.list.every((member) => member.core.height > height))
  return Buffer.from(record.id).toString('hex')
}

type Answer = Record<string, Json>
type ListAnswer = { items: Answer[]; next_cursor: string | null; height: number }

async function get<T = Answer>(url: string, status = 200): Promise<T> {
  const answer = await gateway.inject({ url })
  expect(answer.statusCode, `${url}: ${answer.body}`).toBe(status)
  return JSON.parse(answer.body) as T
}

beforeAll(async () => {
  ;[alice, bob] = [await testAccount('alice'), await testAccount('bob')]
  cluster = await Cluster.start(4, [alice, bob])
  gateway = new Gateway({ address: '127.0.0.1:0', rateLimit: undefined }, { services: first().core.services, ...CORE })
  crypto = await InlineCrypto.create()
  for (const amount of [1n, 2n, 3n]) sent.push(await commit(alice, [transferOf(alice.id, bob.id, amount)]))
  refused = await commit(bob, [transferOf(bob.id, alice.id, 10n ** 30n)])
})

afterAll(async () => {
  await gateway.close()
  await crypto.close()
  await cluster.close()
})

const address = (account: TestAccount): string => formatAddress(account.id, 'cw')
const eur = encodeURIComponent((transferOf('', '', 1n).value as { asset: { definition: string } }).asset.definition)

describe('read routes', () => {
  it('return responses that match the schemas of the route table', async () => {
    const tip = first().core.height
    const key = encodeURIComponent(address(alice))
    const read = [schemas.domains, schemas.accounts, schemas.assets, schemas.explorer, schemas.peers].flatMap(routesOf)
    const asked: Readonly<Record<string, string>> = {
      'ledger.state.proof': `table=accounts&key=${key}`,
      'pipeline.transaction.status': `hash=${sent[0]}`,
      'explorer.series': 'metric=blocks',
    }
    for (const row of read.filter(
      ({ id, method, format, profile }) =>
        method === 'GET' && format === 'json' && profile === undefined && !id.startsWith('controls.'),
    )) {
      const path = row.path
        .replace('{height}', String(tip))
        .replace('{hash}', row.path.includes('block/') ? refused : (sent[0] ?? ''))
        .replace('{position}', '0')
        .replace('{definition}', eur)
        .replace('domains/{id}', 'domains/bank')
        .replace(/(definitions)\/\{id\}/, `$1/${eur}`)
        .replace('blocks/{id}', 'blocks/1')
        .replace('{id}', address(alice))
      const parameters = asked[row.id]
      const url = parameters === undefined ? path : `${path}?${parameters}`
      const json = await get<Json>(url)
      const parsed = (row.response as unknown as Schema<unknown>).fromJson(json, first().core.services.info.codec)
      expect(parsed.ok, `${url}: ${JSON.stringify(json).slice(0, 300)}`).toBe(true)
    }
  })

  it('list transactions newest first, by authority, kind, asset, outcome and block, page by page', async () => {
    const hashes = async (query: string): Promise<unknown[]> =>
      (await get<ListAnswer>(`/v1/transactions${query}`)).items.map((one) => one['hash'])
    const newest = [...sent].reverse()
    expect(await hashes('')).toEqual([refused, ...newest])
    expect(await hashes(`?authority=${address(alice)}`)).toEqual(newest)
    expect(await hashes(`?authority=${address(alice)}&definition=${eur}`)).toEqual(newest)
    expect(await hashes('?outcome=rejected')).toEqual([refused])
    expect(await hashes('?outcome=approved&kind=Transfer')).toEqual(newest)
    expect(await hashes(`?definition=${eur}`)).toEqual(newest)
    expect(await hashes('?kind=mint')).toEqual([])
    expect(await hashes(`?block=2`)).toEqual([sent[0]])
    const paged: unknown[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: ListAnswer = await get(`/v1/explorer/transactions?limit=1${cursor === '' ? '' : `&cursor=${cursor}`}`)
      paged.push(...page.items.map((one) => one['hash']))
      cursor = page.next_cursor
    }
    expect(paged).toEqual([refused, ...newest])
  })

  it('show a transaction, its instructions, and the reason of its rejection', async () => {
    const detail = await get(`/v1/transactions/${refused}`)
    expect(detail).toMatchObject({ hash: refused, authority: address(bob), rejection: 'not_enough' })
    expect(detail['instructions']).toHaveLength(1)
    const { items } = await get<ListAnswer>(`/v1/explorer/instructions?authority=${address(alice)}&limit=2`)
    expect(items.map((one) => one['transaction_hash'])).toEqual([sent[2], sent[1]])
    expect(await get(`/v1/explorer/instructions/${refused}/0`)).toMatchObject({ outcome: 'Rejected', position: 0 })
    await get(`/v1/explorer/instructions/${refused}/1`, 404)
    const { content } = await get(`/v1/pipeline/transactions/status?hash=${refused}`)
    expect(content).toMatchObject({
      rejection: { message: expect.stringMatching(/^instruction 0: the balance is \d+, but the amount is 1(0{30})$/) },
    })
    await get(`/v1/transactions/${'0'.repeat(64)}`, 404)
  })

  it('list accounts of a domain, balances of an account and holders of an asset, page by page', async () => {
    const all = await get<ListAnswer>('/v1/accounts')
    const domain = String((await get(`/v1/accounts/${address(alice)}`))['domain'])
    const own = await get<ListAnswer>(`/v1/accounts?domain=${domain}`)
    expect(own.items.map((one) => one['id'])).toEqual(
      all.items.filter((one) => one['domain'] === domain).map((one) => one['id']),
    )
    expect(own.items.map((one) => one['id'])).toContain(address(bob))
    const held = await get<ListAnswer>(`/v1/accounts/${address(bob)}/assets`)
    const holders = await get<ListAnswer>(`/v1/assets/definitions/${eur}/holders`)
    expect(holders.items.find((one) => one['account'] === address(bob))).toEqual(held.items[0])
    expect((await get<ListAnswer>(`/v1/assets?account=${address(bob)}&definition=${eur}`)).items).toEqual(held.items)
    const paged: Answer[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: ListAnswer = await get(`/v1/assets?limit=1${cursor === '' ? '' : `&cursor=${cursor}`}`)
      paged.push(...page.items)
      cursor = page.next_cursor
    }
    expect(paged).toEqual((await get<ListAnswer>('/v1/assets')).items)
    await get('/v1/accounts?domain=nowhere', 404)
    await get('/v1/assets/definitions/none%23bank/holders', 404)
    await get('/v1/assets?limit=0', 400)
  })

  it('find blocks by height and by hash, and headers from a height down', async () => {
    const { items } = await get<ListAnswer>('/v1/explorer/blocks?limit=2')
    expect(items.map((one) => one['height'])).toEqual([first().core.height, first().core.height - 1])
    expect(await get(`/v1/explorer/blocks/${String(items[0]?.['hash'])}`)).toEqual(items[0])
    expect(items[0]).toMatchObject({ transactions: 1, rejected: 1 })
    const headers = await get<ListAnswer>('/v1/ledger/headers?from=2')
    expect(headers.items.map((one) => (one['header'] as Answer)['height'])).toEqual([2, 1])
    await get('/v1/explorer/blocks/nonsense', 400)
    await get('/v1/explorer/blocks/4000', 404)
  })
})

function read<T>(schema: Schema<T>, json: Json): T {
  const parsed = schema.fromJson(json, first().core.services.info.codec)
  if (!parsed.ok) throw new Error(parsed.fault.message)
  return parsed.value
}

describe('proof routes', () => {
  it('return a finality proof that is valid only with the genesis hash of the chain', async () => {
    const { hash } = cluster.pinned
    const proof = read(finalityProof, await get<Json>('/v1/bridge/finality/4'))
    expect(await verifyFinality(proof, hash, crypto)).toMatchObject({ ok: true })
    expect(await verifyFinality(proof, Buffer.alloc(32, 1), crypto)).toMatchObject({ ok: false })
    const { header, certificate } = proof.block
    const forged = [
      { ...proof, block: { certificate, header: { ...header, stateRoot: Buffer.alloc(32) } } },
      {
        ...proof,
        block: {
          header,
          certificate: {
            ...certificate,
            aggregate: proof.rosters[0]?.first.certificate.aggregate ?? certificate.aggregate,
          },
        },
      },
      { ...proof, rosters: [] },
      { ...proof, rosters: proof.rosters.map((step) => ({ ...step, roster: step.roster.slice(1) })) },
      { ...proof, genesisPayload: Buffer.concat([proof.genesisPayload, Buffer.of(0)]) },
    ]
    for (const one of forged) expect((await verifyFinality(one, hash, crypto)).ok).toBe(false)
    // A proof that begins at a proven block needs that block, and none before it.
    const earlier = read(finalityProof, await get<Json>('/v1/bridge/finality/3'))
    const known = await verifyFinality(earlier, hash, crypto)
    const later = read(finalityProof, await get<Json>('/v1/bridge/finality/4?from=3'))
    expect(later.rosters).toEqual([])
    expect((await verifyFinality(later, hash, crypto)).ok).toBe(false)
    if (!known.ok) throw new Error(known.fault)
    expect(known.checkpoint.height).toBe(3)
    expect(await verifyFinality(later, hash, crypto, known.checkpoint)).toMatchObject({ ok: true })
    const others = { ...known.checkpoint, roster: known.checkpoint.roster.slice(1) }
    expect((await verifyFinality(later, hash, crypto, others)).ok).toBe(false)
    const above = { ...known.checkpoint, height: 5 }
    expect((await verifyFinality(later, hash, crypto, above)).ok).toBe(false)
    await get('/v1/bridge/finality/4?from=5', 404)
    await get('/v1/bridge/finality/4?from=1', 404)
    await get('/v1/bridge/finality/1', 404)
    await get('/v1/bridge/finality/4000', 404)
  })

  it('return a proof of a state record, or of its absence', async () => {
    const { hash } = cluster.pinned
    const key = encodeURIComponent(address(alice))
    const proof = read(stateRecordProof, await get<Json>(`/v1/ledger/state-proof?table=accounts&key=${key}`))
    expect(await verifyStateRecord(proof, hash, crypto)).toMatchObject({ ok: true })
    expect((await verifyStateRecord({ ...proof, value: Buffer.of(1) }, hash, crypto)).ok).toBe(false)
    expect((await verifyStateRecord({ ...proof, value: undefined }, hash, crypto)).ok).toBe(false)
    const outsider = encodeURIComponent(address(await testAccount('stranger')))
    const none = read(stateRecordProof, await get<Json>(`/v1/ledger/state-proof?table=accounts&key=${outsider}`))
    expect(none.value).toBeUndefined()
    expect((await verifyStateRecord(none, hash, crypto)).ok).toBe(true)
    await get('/v1/ledger/state-proof?table=nothing&key=a', 404)
    await get('/v1/ledger/state-proof?table=accounts&key=a', 400)
  })

  it('return a proof of a transaction with its result', async () => {
    const { hash } = cluster.pinned
    const proof = read(transactionProof, await get<Json>(`/v1/ledger/block/2/proof/${sent[0]}`))
    expect(await verifyTransaction(proof, hash, crypto)).toMatchObject({ ok: true })
    const result = { ...proof.result, teu: proof.result.teu + 1 }
    expect((await verifyTransaction({ ...proof, result }, hash, crypto)).ok).toBe(false)
    expect((await verifyTransaction({ ...proof, transactionHash: Buffer.alloc(32) }, hash, crypto)).ok).toBe(false)
    await get(`/v1/ledger/block/3/proof/${sent[0]}`, 404)
  })
})

describe('offline verification', () => {
  it('accepts a proof file with the genesis hash alone', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'causeway-proof-'))
    try {
      const file = join(folder, 'proof.json')
      const key = encodeURIComponent(address(alice))
      const paths = [
        ['block', '/v1/bridge/finality/3'],
        ['transaction', `/v1/ledger/block/2/proof/${sent[0]}`],
        ['record', `/v1/ledger/state-proof?table=accounts&key=${key}`],
      ] as const
      for (const [shows, path] of paths) {
        await writeFile(file, JSON.stringify(await get(path)))
        expect(await checkProof(file, cluster.pinned.hash)).toMatchObject({ shows, chain: CHAIN })
        await expect(checkProof(file, Buffer.alloc(32))).rejects.toMatchObject({ code: 'proof_invalid' })
      }
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it('accepts the stored blocks of a stopped node, and rejects them with another genesis', async () => {
    const member = cluster.list[3] as Member
    await member.stop()
    const place = { folder: member.dataDir, abi: ABI_1, pinned: cluster.pinned }
    const { height } = first().core
    expect(await verifyBlocks(place, crypto)).toEqual({
      height,
      bodies: height - 1,
      provenTo: height,
      fault: undefined,
    })
    // A body that embeds another certificate than its header names.
    const chain = new HeaderChain(cluster.pinned, crypto, 'every')
    for (const at of [2, 3]) {
      const { certified } = await first().ledger.certificate({ height: at })
      if (certified !== undefined) await chain.take(certified)
    }
    const { certified: parent } = await first().ledger.certificate({ height: 2 })
    expect(await chain.embeddedFault(undefined)).toContain('embeds another parent certificate')
    const forged = parent && { ...parent.certificate, aggregate: Buffer.alloc(96) }
    expect(await chain.embeddedFault(forged)).toContain('embeds another parent certificate')
    const other = { ...cluster.pinned, chainHash: Buffer.alloc(32, 1) }
    expect(await verifyBlocks({ ...place, pinned: other }, crypto)).toMatchObject({ provenTo: 1, fault: undefined })
  })
})
