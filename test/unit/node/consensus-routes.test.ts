/** The consensus routes of specification 4.2 on a running network: every answer is the record that its row declares. */

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CONSENSUS, CONSENSUS_ROUTES } from '../../../src/api/index.js'
import type { Json, Schema } from '../../../src/codec/index.js'
import { createPop } from '../../../src/crypto/bls-pop.js'
import { generateKeyPair } from '../../../src/crypto/index.js'
import { instructions as peers } from '../../../src/features/peers/schema.js'
import { instructions as permissions } from '../../../src/features/permissions/schema.js'
import { Gateway } from '../../../src/gateway/index.js'
import { type Instruction, instruction, keyString } from '../../../src/model/index.js'
import { signedBy, type TestAccount, testAccount, transferOf } from '../../support/chain.js'
import { Cluster, type Member } from '../../support/cluster.js'
import { CORE } from '../../support/served-routes.js'

const JSON_TYPE = { accept: 'application/json' }
const grant = (name: string, to: string): Instruction =>
  instruction(permissions.grant, {
    subject: { kind: 'permission', value: { name, object: undefined } },
    to: { kind: 'account', value: to },
  })

let alice: TestAccount
let cluster: Cluster
let gateway: Gateway

beforeEach(async () => {
  alice = await testAccount('alice')
  const admin = await testAccount('genesis')
  cluster = await Cluster.start(4, [alice], [grant('CanManageConsensusKeys', admin.id)])
  gateway = new Gateway(
    { address: '127.0.0.1:0', rateLimit: undefined, telemetryProfile: 'full' },
    { services: first().core.services, ...CORE },
  )
})

afterEach(async () => {
  await gateway.close()
  await cluster.close()
})

const first = (): Member => cluster.list[0] as Member

/** Commits one transaction of an account. */
async function commit(account: TestAccount, instruction: Instruction): Promise<void> {
  const { height } = first().core
  const record = signedBy(account, [instruction], Date.now())
  expect((await first().core.services.submit(record.bytes)).ok).toBe(true)
  await cluster.until('the block', () => cluster.list.every((member) => member.core.height > height))
}

async function get<T = Record<string, Json>>(url: string, status = 200): Promise<T> {
  const answer = await gateway.inject({ url, headers: JSON_TYPE })
  expect(answer.statusCode, `${url}: ${answer.body}`).toBe(status)
  return JSON.parse(answer.body) as T
}

describe('consensus routes', () => {
  it('return responses that match the schemas of the route table', async () => {
    for (let block = 0; block < 3; block++) await commit(alice, transferOf(alice.id, cluster.admin.id, 1n))
    const hash = (await get<{ block_hash: string }>('/v1/consensus/status')).block_hash
    for (const row of CONSENSUS_ROUTES) {
      if (row.method !== 'GET') continue
      const url = row.path.replace('{height}', '3').replace('{hash}', hash)
      const json = await get<Json>(url)
      const parsed = (row.response as unknown as Schema<unknown>).fromJson(json)
      expect(parsed.ok, `${url}: ${JSON.stringify(json).slice(0, 300)}`).toBe(true)
    }
  })

  it('return history from a given height, newest first, within their limits', async () => {
    for (let block = 0; block < 4; block++) await commit(alice, transferOf(alice.id, cluster.admin.id, 1n))
    const { items } = await get<{ items: { height: number; signers: number[] }[] }>(
      '/v1/consensus/commit-certificates?from=4&limit=2',
    )
    expect(items.map((one) => one.height)).toEqual([4, 3])
    expect(items.every((one) => one.signers.length >= 3)).toBe(true)
    const sets = await get<{ items: { height: number; block_hash: string | null; roster: string[] }[] }>(
      '/v1/consensus/validator-sets?limit=3',
    )
    // The two heights to come are fixed already.
    expect(sets.items.map((one) => one.height)).toEqual([7, 6, 5])
    expect(sets.items.map((one) => one.block_hash === null)).toEqual([true, true, false])
    expect(sets.items[0]?.roster).toHaveLength(4)
    await get('/v1/consensus/commit-certificates?limit=0', 400)
    await get('/v1/consensus/commit-certificates?limit=129', 400)
    await get('/v1/consensus/validator-sets/900', 404)
  })

  it('return the certificate of a block hash, and an error if it does not exist', async () => {
    await commit(alice, transferOf(alice.id, cluster.admin.id, 1n))
    const { block_hash: hash } = await get<{ block_hash: string }>('/v1/consensus/status')
    expect(await get(`/v1/consensus/commit_qc/${hash}`)).toMatchObject({
      subject_block_hash: hash,
      commit_qc: { height: 2, block_hash: hash },
    })
    expect(await get(`/v1/consensus/commit_qc/${'0'.repeat(64)}`)).toMatchObject({ commit_qc: null })
    await get('/v1/consensus/commit_qc/zz', 400)
  })

  it('return the prepare certificate of the last block and the effective vote collectors while idle', async () => {
    await commit(alice, transferOf(alice.id, cluster.admin.id, 1n))
    const { block_hash: hash } = await get<{ block_hash: string }>('/v1/consensus/status')
    const { highest_qc: highest, commit_qc: commitQc } = await get('/v1/consensus/qc')
    expect(highest).toMatchObject({ height: 2, subject_block_hash: hash })
    expect(highest).toEqual(commitQc)
    // Each height has its committee in another order: the status names the one that its certificate is of.
    const { committee } = await get('/v1/consensus/validator-sets/2')
    expect((await get('/v1/consensus/status'))['commit_committee']).toEqual(committee)
    // The chain leaves it to the nodes, and up to seven members collect together.
    expect(await get('/v1/consensus/params')).toMatchObject({ collectors_k: 0 })
    const plan = await get<{ collectors_k: number; collectors: unknown[] }>('/v1/consensus/collectors')
    expect([plan.collectors_k, plan.collectors.length]).toEqual([4, 4])
  })

  it('report that genesis has no votes', async () => {
    const of = (path: string) => get<{ message: string }>(path, 404)
    expect((await of('/v1/consensus/validator-sets/1')).message).toContain('which has no votes')
    expect((await of('/v1/bridge/finality/1')).message).toContain('final by its hash')
    expect((await of('/v1/bridge/finality/900')).message).toContain('no block of that height')
  })

  it('show active consensus keys, and list a pending key with its activation height', async () => {
    const peer = cluster.peers[1]?.peer.key ?? ''
    const pair = await generateKeyPair('bls', Buffer.from('next'))
    await commit(
      cluster.admin,
      instruction(peers.rotateConsensusKey, {
        peer,
        newKey: keyString(pair.publicKey.bytes),
        pop: createPop(pair.secret),
        activeFrom: 100,
      }),
    )
    const active = await get<{ items: { status: string }[] }>('/v1/consensus/consensus-keys')
    expect(active.items.map((one) => one.status)).toEqual(['Active', 'Active', 'Active', 'Active'])
    const all = await get<{ items: { status: string; active_from: number }[] }>('/v1/consensus/key-lifecycle')
    expect(all.items).toHaveLength(5)
    expect(all.items[0]).toMatchObject({ status: 'Pending', active_from: 100 })
  })

  it('reject invalid evidence with the reason', async () => {
    const { path } = CONSENSUS.evidenceSubmit
    const anonymous = await gateway.inject({ method: 'POST', url: path, payload: { evidence_hex: '00' } })
    expect(anonymous.statusCode).toBe(401)
    expect(await get('/v1/consensus/evidence/count')).toEqual({ count: 0 })
    expect(await get('/v1/consensus/evidence?kind=double_prepare&limit=5')).toMatchObject({
      total: 0,
      items: [],
      next_cursor: null,
    })
    await get('/v1/consensus/evidence?kind=nonsense', 400)
    await get('/v1/consensus/evidence?limit=1001', 400)
  })
})
