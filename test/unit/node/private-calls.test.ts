/** A network with private calls: what admission says of proofs, what all members come to, what is counted. */
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { clearOutcomes } from '../../../src/crypto/circuits/proof-outcomes.js'
import { ABI_2 } from '../../../src/features/abi.js'
import { keepFigures } from '../../../src/features/conference/node/figures.js'
import { retryAfterSeconds } from '../../../src/gateway/answer.js'
import type { Instruction } from '../../../src/model/index.js'
import { Ledger } from '../../../src/node/ledger/ledger.js'
import type { LedgerRequest } from '../../../src/node/ledger/protocol.js'
import { signedBy, type TestAccount, testAccount, transferOf } from '../../support/chain.js'
import { Cluster, type Member } from '../../support/cluster.js'
import {
  codec2,
  commitmentOf,
  createCall,
  falseJoin,
  joinOf,
  KEY_PARAMETERS,
  leaveOf,
  usageOf,
  VERIFYING_KEYS,
} from '../../support/private-call.js'

let alice: TestAccount
let cluster: Cluster
/** Requests to ledgers about transactions. */
let admits: LedgerRequest<'admit'>[]

beforeEach(async () => {
  clearOutcomes()
  admits = []
  const { admit } = Ledger.prototype
  vi.spyOn(Ledger.prototype, 'admit').mockImplementation(function (this: Ledger, request) {
    admits.push(request)
    return admit.call(this, request)
  })
  alice = await testAccount('alice')
  cluster = await Cluster.start(4, [alice], VERIFYING_KEYS, undefined, KEY_PARAMETERS, ABI_2)
})
afterEach(async () => {
  vi.restoreAllMocks()
  await cluster.close()
})

const members = (): Member[] => [...cluster.members.values()]
const first = (): Member => members()[0] as Member

async function submit(account: TestAccount, ...instructions: Instruction[]): Promise<string | undefined> {
  const { bytes } = signedBy(account, instructions, Date.now(), 100_000, codec2)
  const answer = await first().core.services.submit(bytes)
  return answer.ok ? undefined : answer.error.code
}

/** Submits, and waits until every queue is empty. */
async function commit(account: TestAccount, ...instructions: Instruction[]): Promise<void> {
  expect(await submit(account, ...instructions)).toBeUndefined()
  await settled()
}
const settled = () =>
  cluster.until('all that was submitted', () =>
    members().every(({ core }) => core.services.status(true).queueSize === 0),
  )

async function sameState(): Promise<void> {
  await cluster.until('one height', () => new Set(members().map(({ core }) => core.height)).size === 1)
  const roots = members().map(({ core }) => Buffer.from(core.tip.stateRoot).toString('hex'))
  expect(new Set(roots).size).toBe(1)
  expect(cluster.failures).toEqual([])
}

describe('a private call on a network of four nodes', () => {
  it('checks proofs on the ledger only if the signature of the transaction is valid', async () => {
    const asked = (): number => admits.flatMap(({ items }) => items.flatMap(({ proving }) => proving ?? [])).length
    await commit(cluster.admin, createCall())
    const { bytes } = signedBy(alice, [joinOf('ann', alice.id)], Date.now(), 100_000, codec2)
    const forged = Buffer.from(bytes)
    forged[forged.length - 5] = (forged[forged.length - 5] ?? 0) ^ 1
    expect(await first().core.services.submit(forged)).toMatchObject({
      ok: false,
      error: { code: 'signature_invalid' },
    })
    expect(asked()).toBe(0)
    expect(await first().core.services.submit(bytes)).toMatchObject({ ok: true })
    expect(asked()).toBeGreaterThan(0)
  })

  it('accepts joins, leaves and usage, and refuses an invalid proof on submission', async () => {
    const { admin } = cluster
    await commit(admin, createCall())
    await commit(alice, joinOf('ann', alice.id))
    expect(await submit(alice, falseJoin('ben', alice.id, [commitmentOf('ann')]))).toBe('proof_refused')
    // Segments one after the other: the second is not proven about the ledger of now.
    expect(await submit(admin, usageOf(admin.id, 0))).toBeUndefined()
    expect(await submit(admin, usageOf(admin.id, 1))).toBeUndefined()
    await commit(alice, leaveOf('ann', alice.id, [commitmentOf('ann')]))
    await commit(alice, transferOf(alice.id, admin.id, 1n))
    await sameState()
    expect(cluster.bans).toEqual([])
  })

  it('queues at most four proofs of an account that cannot be decided yet', async () => {
    // There is no call: each is refused in its block, for less than its proof.
    const joins = ['a', 'b', 'c', 'd', 'e'].map((name) => joinOf(name, alice.id))
    const answers = await Promise.all(joins.map((join) => submit(alice, join)))
    expect(answers.filter((code) => code === 'per_user_queue_limit')).toHaveLength(1)
    await settled()
    await sameState()
  })

  it('refuses further proofs of an account after five invalid proofs, but accepts its payments', async () => {
    await commit(cluster.admin, createCall())
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      expect(await submit(alice, falseJoin(name, alice.id))).toBe('proof_refused')
    }
    const { bytes } = signedBy(alice, [joinOf('ann', alice.id)], Date.now(), 100_000, codec2)
    const refused = await first().core.services.submit(bytes)
    if (refused.ok) throw new Error('it is refused')
    expect([refused.error.code, refused.error.http]).toEqual(['too_many_bad_proofs', 429])
    expect(retryAfterSeconds(refused.error)).toBeGreaterThan(50)
    await commit(alice, transferOf(alice.id, cluster.admin.id, 1n))
    await sameState()
  })

  it('is counted in the metrics without its name', async () => {
    const { services } = first().core
    const stop = keepFigures(services, pino({ level: 'silent' }))
    const { admin } = cluster
    await commit(admin, createCall())
    await commit(alice, joinOf('ann', alice.id))
    expect(await submit(admin, usageOf(admin.id, 5))).toBeUndefined()
    await settled()
    const text = async (): Promise<string> => services.metrics.metrics()
    await cluster.until('the figures', async () => (await text()).includes('conference_calls_active 1'))
    const lines = (await text()).split('\n').filter((line) => line.startsWith('conference_'))
    for (const line of [
      'conference_instructions_total{instruction="createConference",result="approved"} 1',
      'conference_instructions_total{instruction="joinConference",result="approved"} 1',
      'conference_instructions_total{instruction="recordConferenceUsage",result="proof_refused"} 1',
      'conference_proofs_total{relation="openJoin",verdict="proven"} 1',
      'conference_proofs_total{relation="usage",verdict="refused"} 1',
      'conference_proof_verify_seconds_count{relation="openJoin"} 1',
    ]) {
      expect(lines).toContain(line)
    }
    expect(lines.join('\n')).not.toContain('daily')
    stop()
  })
})
