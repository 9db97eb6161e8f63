/** Evidence that waits for a block: a few of one offender, and of what waits only what voters let pass together. */
import { describe, expect, it, vi } from 'vitest'
import type { CryptoService } from '../../../src/crypto/index.js'
import { FAULTS_PER_PEER_MAX } from '../../../src/executor/index.js'
import {
  BLS_KEY_BYTES,
  BLS_SIGNATURE_BYTES,
  EVIDENCE_PER_BLOCK_MAX,
  type Evidence,
  keyString,
} from '../../../src/model/index.js'
import { EvidencePool, type EvidencePoolModules } from '../../../src/node/consensus/evidence-pool.js'

/** A record of an offender by its place. */
const recordOf = (offender: number, height: number): Evidence => {
  const vote = (block: number) => ({
    phase: 'commit' as const,
    view: 0,
    blockHash: Buffer.alloc(32, block),
    signature: Buffer.alloc(BLS_SIGNATURE_BYTES),
  })
  return { height, index: offender, proof: { kind: 'doubleVote', value: { first: vote(1), second: vote(2) } } }
}

/** A pool over a ledger that admits everything but what `refuses` says of a record among those asked about; `before` it answers. */
function poolOver(
  refuses: (record: Evidence, index: number) => boolean = () => false,
  before: () => Promise<void> = async () => {},
  refusal: { readonly detail: string; readonly known?: true; readonly early?: true } = {
    detail: 'enough',
    known: true,
  },
) {
  const broadcast = vi.fn()
  const modules = {
    ledger: {
      evidence: async ({ records }: { readonly records: readonly Evidence[] }) => {
        const results = records.map((record, index) =>
          refuses(record, index)
            ? { kind: 'refused', value: refusal }
            : {
                kind: 'admissible',
                value: {
                  key: Buffer.from(`${record.index} ${record.height}`),
                  kind: 'double_commit',
                  offender: keyString(Buffer.alloc(BLS_KEY_BYTES, record.index)),
                  height: record.height,
                  view: 0,
                  checks: [],
                },
              },
        )
        await before()
        return { results }
      },
    },
    crypto: {} as CryptoService,
    logger: { warn: () => undefined },
    monotonicMs: () => 0,
    broadcast,
    onChange: () => undefined,
  } as unknown as EvidencePoolModules
  return { pool: new EvidencePool(modules), broadcast }
}

describe('the evidence pool', () => {
  it('keeps at most the maximum number of records per offender and window, independent of other offenders', async () => {
    const { pool, broadcast } = poolOver()
    for (let height = 2; height < 2 + 3 * FAULTS_PER_PEER_MAX; height++) {
      const answer = await pool.offer(recordOf(1, height))
      expect(answer.kind).toBe(height < 2 + FAULTS_PER_PEER_MAX ? 'accepted' : 'known')
    }
    expect(pool.size).toBe(FAULTS_PER_PEER_MAX)
    expect(broadcast).toHaveBeenCalledTimes(FAULTS_PER_PEER_MAX)
    expect(await pool.offer(recordOf(2, 5))).toMatchObject({ kind: 'accepted' })
  })

  it('returns only evidence that is admissible together, and drops the rest', async () => {
    let isFull = false
    // The ledger judges what waits as one list: all but the first of an offender are too many.
    const { pool } = poolOver((_, index) => isFull && index > 0)
    for (const height of [2, 3, 4]) await pool.offer(recordOf(1, height))
    expect(await pool.forBlock()).toHaveLength(3)
    isFull = true
    expect(await pool.forBlock()).toEqual([recordOf(1, 2)])
    expect(pool.size).toBe(1)
  })

  it('does not return records that arrived during the check by the ledger', async () => {
    let arrive = async (): Promise<void> => {}
    const { pool } = poolOver(
      () => false,
      () => arrive(),
    )
    await pool.offer(recordOf(1, 2))
    arrive = async () => {
      arrive = async () => {}
      expect(await pool.offer(recordOf(1, 3))).toMatchObject({ kind: 'accepted' })
    }
    expect(await pool.forBlock()).toEqual([recordOf(1, 2)])
    expect(await pool.forBlock()).toEqual([recordOf(1, 2), recordOf(1, 3)])
  })

  it('accepts early evidence once its height is reached, but no evidence that is invalid at every height', async () => {
    for (const early of [true, undefined]) {
      let isRefused = true
      const refusal = { detail: 'not now', ...(early && { early }) }
      const { pool } = poolOver(() => isRefused, undefined, refusal)
      expect(await pool.offer(recordOf(1, 9))).toEqual({ kind: 'refused', detail: 'not now' })
      isRefused = false
      expect((await pool.offer(recordOf(1, 9))).kind).toBe(early ? 'accepted' : 'refused')
    }
  })

  it('returns evidence up to the limit of a block', async () => {
    const { pool } = poolOver()
    for (let offender = 0; offender < 3; offender++) {
      for (let height = 2; height < 12; height++) await pool.offer(recordOf(offender, height))
    }
    expect(await pool.forBlock()).toHaveLength(EVIDENCE_PER_BLOCK_MAX)
  })
})
