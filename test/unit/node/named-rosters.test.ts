/** Which rosters and epochs a snapshot names: what its reader takes, and of more the newest. */
import { beforeAll, describe, expect, it } from 'vitest'
import { rosterStarts, rosters } from '../../../src/executor/index.js'
import { entriesOfStart, type RosterStart } from '../../../src/ledger/roster-index.js'
import { keyString, type SignedGenesis, type ValidatorKey } from '../../../src/model/index.js'
import { CHUNK_ITEMS_MAX } from '../../../src/node/snapshot/format.js'
import { type NamedBounds, namedRosters } from '../../../src/node/snapshot/rosters.js'
import { testGenesis, testPeer } from '../../support/chain.js'

const EPOCH_BLOCKS = 10
/** A roster that no other epoch has, of keys of 48 bytes. */
function rosterOf(epoch: number): ValidatorKey[] {
  const key = Buffer.alloc(48)
  key.writeUInt32BE(epoch, 0)
  return [keyString(key)]
}
const startOf = (number: number): RosterStart => ({
  height: 2 + number * EPOCH_BLOCKS,
  roster: rosterOf(number),
  epoch: { number, seed: Buffer.alloc(32, 1) },
})

let genesis: SignedGenesis
beforeAll(async () => {
  const made = await testGenesis({ peers: [await testPeer(0)], accounts: [] })
  genesis = made.genesis
})

/** A state whose index notes these epochs, and which itself has the rosters of the last `known`. */
function stateOf(starts: readonly RosterStart[], known = 1) {
  const entries = starts.flatMap(entriesOfStart).map(([key, value]) => [Buffer.from(key), Buffer.from(value)] as const)
  const index = new Map(entries.map(([key, value]) => [key.toString('latin1'), value]))
  const sorted = entries.toSorted(([a], [b]) => Buffer.compare(a, b))
  const kept = starts.slice(starts.length - known)
  return {
    height: (starts.length + 1) * EPOCH_BLOCKS,
    get(table: unknown, key: unknown) {
      if (table === rosterStarts) return kept.map(({ height }) => height)
      if (table !== rosters) return undefined
      const start = kept.find(({ height }) => height === key)
      return start && { epoch: start.epoch.number, seed: start.epoch.seed, roster: start.roster, rotated: new Map() }
    },
    indexGet: (key: Uint8Array) => index.get(Buffer.from(key).toString('latin1')),
    async *indexRange({
      gte,
      lt,
      reverse,
      limit,
    }: {
      gte: Uint8Array
      lt?: Uint8Array
      reverse?: boolean
      limit: number
    }) {
      const within = sorted.filter(([key]) => Buffer.compare(key, gte) >= 0 && (!lt || Buffer.compare(key, lt) < 0))
      yield* (reverse === true ? within.toReversed() : within).slice(0, limit)
    },
  } as unknown as Parameters<typeof namedRosters>[1]
}
const named = (starts: readonly RosterStart[], bounds?: NamedBounds) =>
  namedRosters(genesis, stateOf(starts), async () => undefined, bounds)
const epochsUpTo = (count: number) => Array.from({ length: count }, (_, at) => startOf(at + 1))

describe('the roster list of a snapshot', () => {
  it('contains every epoch with its roster, and the genesis roster, within the frame limit', async () => {
    const { epochs, rosters: lists } = await named(epochsUpTo(5))
    expect(epochs.map(({ epoch }) => epoch.number)).toEqual([1, 2, 3, 4, 5])
    expect(lists).toHaveLength(6)
  })

  it('is limited to one frame and keeps the newest epochs if every epoch has a different roster', async () => {
    const count = CHUNK_ITEMS_MAX + 3
    const { epochs, rosters: lists } = await named(epochsUpTo(count))
    expect(lists).toHaveLength(CHUNK_ITEMS_MAX)
    expect(epochs.at(-1)?.epoch.number).toBe(count)
    // One place is that of the validators of genesis.
    expect(epochs).toHaveLength(CHUNK_ITEMS_MAX - 1)
    expect(epochs[0]?.epoch.number).toBe(count - CHUNK_ITEMS_MAX + 2)
  })

  it('contains only epochs with their roster, even if the rosters alone fill their frame', async () => {
    const { epochs, rosters: lists } = await named(epochsUpTo(9), { items: 100, rosterBytes: 4 * 49 })
    expect(lists).toHaveLength(4)
    expect(epochs.map(({ epoch }) => epoch.number)).toEqual([7, 8, 9])
    expect(lists).toEqual(expect.arrayContaining([7, 8, 9].map(rosterOf)))
  })

  it('contains each roster once, however many epochs elected it', async () => {
    const again = epochsUpTo(8).map((start) => ({ ...start, roster: rosterOf(1) }))
    const { epochs, rosters: lists } = await named(again, { items: 100, rosterBytes: 2 * 49 })
    expect(lists).toHaveLength(2)
    expect(epochs).toHaveLength(8)
  })
})
