/** Proofs in blocks: one outcome whether a node knew their verdicts, was told them, or verified them as they ran. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { embeddedCertificateHash } from '../../../src/consensus/index.js'
import { clearOutcomes } from '../../../src/crypto/circuits/proof-outcomes.js'
import { inlineProofs } from '../../../src/crypto/circuits/service.js'
import { ABI_2 } from '../../../src/features/abi.js'
import {
  type BlockHeader,
  blockOutcome,
  composeBody,
  hashOfHeader,
  type Instruction,
  rejectionOf,
} from '../../../src/model/index.js'
import type { Ledger } from '../../../src/node/ledger/ledger.js'
import { flatHashes } from '../../../src/node/ledger/slices.js'
import { GENESIS_TIME_MS, signedBy, type TestAccount, transferOf } from '../../support/chain.js'
import { end } from '../../support/conference.js'
import { templateAfter } from '../../support/headers.js'
import { type BenchBlock, LedgerBench } from '../../support/ledger-bench.js'
import {
  CALL,
  codec2,
  commitmentOf,
  createCall,
  falseJoin,
  joinOf,
  KEY_PARAMETERS,
  keysOf,
  leaveOf,
  usageOf,
  VERIFYING_KEYS,
} from '../../support/private-call.js'

let bench: LedgerBench
let ledger: Ledger
/** Ledgers that see each block for the first time. */
let others: readonly [asking: Ledger, alone: Ledger]

beforeAll(async () => {
  bench = await LedgerBench.create(VERIFYING_KEYS, { abi: ABI_2, parameters: KEY_PARAMETERS })
})
afterAll(() => bench.close())

let chains = 0
/** Three ledgers of a chain whose first block has the call. */
async function start(call: Instruction = createCall()): Promise<void> {
  chains += 1
  ledger = await bench.open(`proposer ${chains}`)
  others = [await bench.open(`asking ${chains}`), await bench.open(`alone ${chains}`)]
  const block = await bench.build(ledger, [by(bench.admin, call)])
  for (const one of [ledger, ...others]) await bench.commit(one, block)
}
afterEach(async () => {
  for (const name of ['proposer', 'asking', 'alone']) await bench.stop(`${name} ${chains}`)
})

const by = (account: TestAccount, ...instructions: Instruction[]) =>
  signedBy(account, instructions, GENESIS_TIME_MS, 100_000, codec2)

const requestOf = ({ header, body, hashes }: BenchBlock) => ({
  blockHash: hashOfHeader(header),
  header,
  body,
  hashes,
  certified: false,
})

/** Outcomes of the block that the proposer makes, after every ledger came to the same roots by a way of its own. */
async function outcomes(...records: ReturnType<typeof signedBy>[]): Promise<(string | undefined)[]> {
  clearOutcomes()
  const block = await bench.build(ledger, records)
  const [asking, alone] = others
  clearOutcomes()
  const request = requestOf(block)
  const asked = await asking.execute({ ...request, proofs: { kind: 'ask', value: undefined } })
  if (asked.claims.length > 0) {
    expect(asked.ok).toBe(false)
    const value = await inlineProofs.check(asked.claims)
    expect(await asking.execute({ ...request, proofs: { kind: 'known', value } })).toMatchObject({
      ok: true,
      claims: [],
    })
  } else expect(asked.ok).toBe(true)
  clearOutcomes()
  expect(await alone.execute(request)).toMatchObject({ ok: true, claims: [] })
  for (const one of [ledger, ...others]) await bench.commit(one, block)
  const [last] = (await ledger.history({ from: block.header.height, count: 1 })).blocks
  const outcome = blockOutcome.decode(last?.outcome ?? Buffer.alloc(0), codec2)
  if (!outcome.ok) throw new Error(outcome.fault.message)
  return outcome.value.results.map((result) => {
    const refused = rejectionOf(result.outcome)
    return refused && ABI_2.errorNames.get(refused.code)
  })
}

describe('a block with proofs', () => {
  it('has the same outcomes whether proofs are verified in batches or individually, with invalid ones too', async () => {
    await start()
    const { alice, bob } = bench
    expect(
      await outcomes(
        by(alice, joinOf('ann', alice.id)),
        by(bob, falseJoin('ben', bob.id)),
        by(bob, joinOf('cid', alice.id)),
        by(alice, transferOf(alice.id, bob.id, 1n)),
        by(bob, joinOf('dan', bob.id)),
      ),
    ).toEqual([undefined, 'proof_refused', 'proof_refused', undefined, undefined])
  })

  it('has the same outcomes for joins with a key list: a valid one, a stale list and a copied proof', async () => {
    const keys = keysOf(64)
    await start(createCall(keys))
    const { alice } = bench
    const cut = keys.slice(0, 63)
    expect(
      await outcomes(
        by(alice, joinOf('member 5', alice.id, { keys })),
        by(alice, joinOf('member 6', alice.id, { keys: cut })),
        by(alice, joinOf('member 7', bench.bob.id, { keys })),
      ),
    ).toEqual([undefined, 'conference_stale_admission', 'proof_refused'])
  })

  it('verifies proofs during execution if earlier transactions of the block make them valid', async () => {
    await start()
    const { alice, admin } = bench
    const seated = [commitmentOf('ann')]
    expect(
      await outcomes(
        by(alice, joinOf('ann', alice.id)),
        by(alice, leaveOf('ann', alice.id, seated)),
        by(alice, joinOf('ann', alice.id, { roster: seated })),
        by(admin, usageOf(admin.id, 0)),
        by(admin, usageOf(admin.id, 1), usageOf(admin.id, 2)),
        by(admin, usageOf(admin.id, 2)),
      ),
    ).toEqual([undefined, undefined, 'conference_nullifier_used', undefined, undefined, 'proof_refused'])
  })

  it('decides between a join, its copy and the end of the call by the order of the block', async () => {
    await start()
    const { alice, bob, admin } = bench
    const over = { ...end(), value: { call: CALL, endedAtMs: undefined } }
    const join = joinOf('ann', alice.id)
    expect(
      await outcomes(
        by(alice, join),
        by(bob, join),
        by(alice, join),
        by(admin, over),
        by(bob, joinOf('ben', bob.id)),
        by(admin, usageOf(admin.id, 0)),
      ),
    ).toEqual([
      undefined,
      'conference_commitment_used',
      'conference_commitment_used',
      undefined,
      'conference_ended',
      'conference_ended',
    ])
  })
})

describe('the limit on the proof work of a block', () => {
  /** A block that no builder makes. */
  async function forged(records: readonly ReturnType<typeof signedBy>[]): Promise<BenchBlock> {
    const tip = await ledger.tip()
    const entries = records.map((record) => ({ lane: 0, dataspace: 0n, bytes: record.bytes }))
    const parentCertificateHash = embeddedCertificateHash(tip.certificate)
    const header: BlockHeader = { ...templateAfter(tip, bench.genesis), parentCertificateHash }
    return { header, body: composeBody(tip.certificate, [], entries), hashes: flatHashes(records) }
  }

  it('is checked first, so that a block above it is rejected without verification', async () => {
    await start()
    const { alice } = bench
    // 12 units each: 42 fit.
    const joins = Array.from({ length: 43 }, () => by(alice, falseJoin('ann', alice.id)))
    const block = await forged(joins)
    const answer = await others[0].execute({ ...requestOf(block), proofs: { kind: 'ask', value: undefined } })
    expect(answer.claims).toEqual([])
    expect(answer.detail).toContain('516 units of proof work, at most 512 are allowed')
  })

  it('counts usage once if another segment changes its statement, and verifies it during execution', async () => {
    await start()
    const { admin } = bench
    const block = await bench.build(ledger, [by(admin, usageOf(admin.id, 0)), by(admin, usageOf(admin.id, 1))])
    clearOutcomes()
    const answer = await others[0].execute({ ...requestOf(block), proofs: { kind: 'ask', value: undefined } })
    expect(answer).toMatchObject({ ok: true, claims: [] })
  })

  it('also applies to a single transaction, whose proofs are then not verified', async () => {
    await start()
    const { alice } = bench
    const block = await forged([by(alice, ...Array<Instruction>(43).fill(falseJoin('ann', alice.id)))])
    const answer = await others[0].execute({ ...requestOf(block), proofs: { kind: 'ask', value: undefined } })
    expect(answer.claims).toEqual([])
    expect(answer.detail).toContain('proof_work_exceeded')
  })
})
