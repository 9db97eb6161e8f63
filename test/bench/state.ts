// Measures the state path on disk: microseconds per changed key at 100,000 keys, in blocks of 1,000 random keys.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { type Schema, string, struct, varint } from '../../src/codec/index.js'
import { LevelBackend, type TableDef, WorldState } from '../../src/state/index.js'

interface Account {
  readonly owner: string
  readonly balance: number
}
const account_ = struct('BenchAccount', { owner: string(64), balance: varint })
const account: Schema<Account> = account_
const accounts: TableDef<number, Account> = {
  id: 1,
  name: 'accounts',
  bound: { holds: 'one account', filledBy: 'the bench', atBound: 'nothing' },
  key: varint,
  value: account,
}

/** Medians over the measured blocks, in microseconds per changed key. */
export interface StateBenchResult {
  readonly keys: number
  readonly blockKeys: number
  /** Read of the record and write to the overlay. */
  readonly executeMicros: number
  /** Encoding, hashing and the new root. */
  readonly prepareMicros: number
  /** Atomic batch. */
  readonly commitMicros: number
  /** Time to reopen the state, in ms. */
  readonly reopenMs: number
}

const median = (values: number[]): number => values.sort((left, right) => left - right)[values.length >>> 1]!

/** Run the benchmark in a temporary folder. */
export async function benchState(keys = 100_000, blocks = 40): Promise<StateBenchResult> {
  const blockKeys = 1000
  const folder = await mkdtemp(join(tmpdir(), 'causeway-bench-state-'))
  try {
    let world = await WorldState.open({ backend: await LevelBackend.open(folder) })
    let height = 0
    for (let from = 0; from < keys; from += 10 * blockKeys) {
      const overlay = world.overlay()
      for (let at = from; at < Math.min(keys, from + 10 * blockKeys); at += 1) {
        overlay.set(accounts, at, { owner: `owner ${at}`, balance: at })
      }
      height += 1
      await world.commit(world.prepare(overlay), { height })
    }
    const samples = { execute: [] as number[], prepare: [] as number[], commit: [] as number[] }
    let pick = 1
    for (let block = 0; block < blocks; block += 1) {
      const overlay = world.overlay()
      const start = performance.now()
      for (let at = 0; at < blockKeys; at += 1) {
        pick = (Math.imul(pick, 1_103_515_245) + 12_345) >>> 0
        const key = pick % keys
        const record = overlay.get(accounts, key)
        if (record === undefined) throw new Error(`record ${key} is missing`)
        overlay.set(accounts, key, { owner: record.owner, balance: record.balance + 1 })
      }
      const executed = performance.now()
      const candidate = world.prepare(overlay)
      const prepared = performance.now()
      height += 1
      await world.commit(candidate, { height })
      const committed = performance.now()
      samples.execute.push(((executed - start) * 1000) / blockKeys)
      samples.prepare.push(((prepared - executed) * 1000) / blockKeys)
      samples.commit.push(((committed - prepared) * 1000) / blockKeys)
    }
    await world.close()
    const reopening = performance.now()
    world = await WorldState.open({ backend: await LevelBackend.open(folder) })
    const reopenMs = performance.now() - reopening
    await world.close()
    return {
      keys,
      blockKeys,
      executeMicros: median(samples.execute),
      prepareMicros: median(samples.prepare),
      commitMicros: median(samples.commit),
      reopenMs,
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
