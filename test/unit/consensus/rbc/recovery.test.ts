/** Payloads that did not come with their proposal: by hashes, after the certificate, over a restart. */
import { describe, expect, it } from 'vitest'
import { type DurableRecord, durableRecord, recoverState, step } from '../../../../src/consensus/index.js'
import { FETCH_RETRY_MS } from '../../../../src/consensus/limits.js'
import { REQUEST_LOST_MS } from '../../../../src/consensus/payload-limits.js'
import { keyString } from '../../../../src/model/index.js'
import { Bench, isPayload, SMALL } from './bench.js'

const COMPACT = { ...SMALL, compactBytes: 1_000_000 }
const record = (place: number) => ({ place, bytes: Buffer.from([place]) })

describe('a compact proposal', () => {
  it('keeps copies of its requested records instead of the whole response', () => {
    const bench = new Bench({ limits: COMPACT })
    const block = bench.block()
    bench.receive(bench.proposer, bench.proposal(block, { compact: Buffer.from('hashes') }))
    bench.rebuilt(block, undefined, [0])
    const [asked] = bench.sent('recordRequest')
    const answer = Buffer.alloc(1024 * 1024)
    bench.records(asked?.to ?? '', block, [{ place: 0, bytes: answer.subarray(7, 107) }])
    const [candidate] = bench.state.candidates.values()
    const kept = candidate?.compact?.records.get(0)
    expect(kept?.length).toBe(100)
    expect(kept?.buffer.byteLength).toBe(100)
  })

  const proposed = (limits = COMPACT) => {
    const bench = new Bench({ limits })
    const block = bench.block()
    bench.receive(bench.proposer, bench.proposal(block, { compact: Buffer.from('hashes') }))
    return { bench, block }
  }

  it('is rebuilt from the queue without a message', () => {
    const { bench, block } = proposed()
    const [effect] = bench.take('rebuild')
    expect(Buffer.from(effect?.compact ?? []).toString()).toBe('hashes')
    bench.rebuilt(block, block.body)
    expect(bench.executed(block)).toEqual(block.body)
    expect(bench.take('send')).toEqual([])
    expect(bench.state.rbc.counters.rebuilt).toBe(1)
  })

  it('requests missing records from its proposer, and rebuilds with them', () => {
    const { bench, block } = proposed()
    bench.rebuilt(block, undefined, [1, 4])
    const [asked] = bench.sent('recordRequest')
    expect([asked?.to, asked?.value.places]).toEqual([bench.proposer, [1, 4]])
    // Records that were not asked for are not taken.
    bench.take('rebuild')
    bench.records(bench.proposer, block, [record(1), record(4), record(9)])
    const [again] = bench.take('rebuild')
    expect(again?.records.map((one) => one.place)).toEqual([1, 4])
    bench.rebuilt(block, block.body)
    expect(bench.executed(block)).toEqual(block.body)
  })

  it('requests its records from one other member if the proposer lacks them or is silent, then the whole payload', () => {
    for (const answers of [true, false]) {
      const { bench, block } = proposed()
      bench.rebuilt(block, undefined, [0])
      expect(bench.sent('recordRequest').map((one) => one.to)).toEqual([bench.proposer])
      if (answers) bench.records(bench.proposer, block, [])
      else bench.fire('fetch', FETCH_RETRY_MS)
      const [second] = bench.sent('recordRequest')
      expect(bench.others).toContain(second?.to)
      expect(bench.sent('payloadRequest')).toEqual([])
      bench.fire('fetch', FETCH_RETRY_MS)
      expect(bench.sent('recordRequest')).toEqual([])
      expect(bench.sent('payloadRequest').length).toBe(1)
    }
  })

  it('continues to request its records if the whole payload of another block arrives meanwhile', () => {
    const { bench, block } = proposed()
    bench.rebuilt(block, undefined, [0])
    const other = bench.block(2)
    bench.receive(bench.proposer, { kind: 'certificate', value: bench.certified(other, 'prepare') })
    const [asked] = bench.sent('payloadRequest')
    bench.take('disarm')
    bench.payload(asked?.to ?? '', other, other.body)
    expect(bench.executed(other)).toEqual(other.body)
    expect(bench.take('disarm').filter(({ name }) => name === 'fetch')).toEqual([])
    bench.sent('recordRequest')
    bench.fire('fetch', FETCH_RETRY_MS)
    expect(bench.sent('recordRequest').length).toBe(1)
  })

  it('requests the whole payload if too many records are missing, or if the hashes do not match', () => {
    const few = proposed({ ...COMPACT, recordsPerRequest: 2 })
    few.bench.rebuilt(few.block, undefined, [0, 1, 2])
    expect(few.bench.sent('recordRequest')).toEqual([])
    expect(few.bench.sent('payloadRequest').map((one) => one.to)).toEqual([few.bench.proposer])
    const forged = proposed()
    forged.bench.rebuilt(forged.block, Buffer.from('another payload'))
    expect(forged.bench.executed(forged.block)).toBeUndefined()
    expect(forged.bench.sent('payloadRequest').length).toBe(1)
  })

  it('serves its records to another member from a stored payload', () => {
    const { bench, block } = proposed()
    bench.rebuilt(block, block.body)
    const from = bench.others[0] ?? ''
    const request = { height: 2, blockHash: block.hash, places: [0] }
    bench.receive(from, { kind: 'recordRequest', value: request })
    expect(bench.take('serveRecords').map((one) => [one.to, one.places])).toEqual([[from, [0]]])
    bench.receive(from, { kind: 'recordRequest', value: { ...request, blockHash: Buffer.alloc(32, 1) } })
    expect(bench.sent('recordResponse').map((one) => one.value.records)).toEqual([[]])
  })
})

describe('a certificate without its payload', () => {
  /** This node sees nothing but the commit certificate of three members; itself it is none of the signers. */
  const decided = () => {
    const bench = new Bench({ place: 3 })
    const block = bench.block()
    const { committee } = bench.state.context
    const signers = [0, 1, 2, 3].filter((at) => committee.keys[at] !== bench.self)
    bench.receive(bench.proposer, { kind: 'certificate', value: bench.certified(block, 'commit', signers) })
    return { bench, block }
  }

  it('requests the payload from each signer once, and tries the next at once if one does not have it', () => {
    const { bench, block } = decided()
    const asked = bench.sent('payloadRequest').map((one) => one.to)
    bench.payload(asked[0] ?? '', block, undefined)
    asked.push(...bench.sent('payloadRequest').map((one) => one.to))
    bench.fire('fetch', FETCH_RETRY_MS)
    asked.push(...bench.sent('payloadRequest').map((one) => one.to))
    expect(asked.length).toBe(3)
    expect(new Set(asked).size).toBe(3)
  })

  it('has at most one request in flight per peer until the request counts as lost', () => {
    const { bench } = decided()
    for (let tries = 0; tries < 6; tries++) bench.fire('fetch', 10)
    expect(bench.sent('payloadRequest').length).toBe(3)
    bench.fire('fetch', REQUEST_LOST_MS)
    expect(bench.sent('payloadRequest').length).toBe(1)
  })

  it('accepts only the payload that matches the header, then executes and commits it', () => {
    const { bench, block } = decided()
    const [first] = bench.sent('payloadRequest')
    bench.payload(first?.to ?? '', block, Buffer.alloc(block.body.length, 9))
    expect(bench.executed(block)).toBeUndefined()
    const [second] = bench.sent('payloadRequest')
    expect(second?.to).not.toBe(first?.to)
    bench.payload(second?.to ?? '', block, block.body)
    const body = bench.executed(block)
    expect(body !== undefined && isPayload(body, block)).toBe(true)
    bench.approve(block)
    expect(bench.take('commit').length).toBe(1)
  })
})

describe('a large payload on disk', () => {
  it('is staged during its execution, and no vote is signed before it is synced to disk', () => {
    const bench = new Bench({ limits: COMPACT })
    const block = bench.block()
    bench.receive(bench.proposer, bench.proposal(block, { compact: Buffer.from('hashes') }))
    bench.rebuilt(block, block.body)
    expect(bench.take('stage').length).toBe(1)
    bench.approve(block)
    expect(bench.take('sign')).toEqual([])
    bench.staged(block)
    expect(bench.take('sign').length).toBe(1)
    const [persist] = bench.take('persist')
    const [prepared] = persist?.records ?? []
    expect(prepared?.kind === 'prepared' && prepared.value.body).toBeUndefined()
  })

  it('is restored from the staging segment with its vote, and served again', () => {
    const bench = new Bench()
    const block = bench.block()
    bench.receive(bench.proposer, bench.init(block))
    bench.receive(bench.proposer, bench.proposal(block))
    bench.payload(bench.proposer, block, block.body)
    bench.approve(block)
    bench.staged(block)
    const records: DurableRecord[] = bench.take('persist').flatMap((one) =>
      one.records.map((kept) => {
        const decoded = durableRecord.decode(durableRecord.encode(kept))
        if (!decoded.ok) throw new Error('a record of ours does not decode')
        return decoded.value
      }),
    )
    const restart = (staged: ReadonlyMap<string, Uint8Array>) => {
      const state = recoverState(bench.self, bench.chain.nextContext(), records, 0, undefined, {
        limits: SMALL,
        staged,
      })
      return { state, effects: step(state, { type: 'started', nowMs: 1 }) }
    }
    const { state, effects } = restart(new Map([[keyString(block.header.payloadHash), block.body]]))
    expect(state.prepared?.view).toBe(0)
    const executed = effects.find((effect) => effect.type === 'execute')
    expect(executed?.type === 'execute' && Buffer.from(executed.body).equals(block.body)).toBe(true)
    const [session] = state.rbc.sessions.values()
    expect([session?.isRecovered, session?.body?.length]).toEqual([true, block.body.length])
    // Without it the vote stands all the same, and the payload is asked of peers.
    const lost = restart(new Map())
    expect(lost.state.prepared?.view).toBe(0)
    expect(lost.effects.some((effect) => effect.type === 'send' && effect.message.kind === 'payloadRequest')).toBe(true)
  })
})
