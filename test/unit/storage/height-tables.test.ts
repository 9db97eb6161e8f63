// Checks the heights of blocks by their hash: of a chain that is longer than a table, and what is done again while it grows.
import { expect, test } from 'vitest'
import { HeightTables } from '../../../src/storage/height-tables.js'
import { seeded } from './support.js'

/** Slots of a table, of which 12 are used. */
const SLOTS = 16
const HEIGHTS = 100

interface Chain {
  readonly hashes: readonly Buffer[]
  readonly tables: HeightTables
  /** Heights that were read again. */
  readonly again: Set<number>
}

function chainOf(hashes: readonly Buffer[], slots = SLOTS): Chain {
  const again = new Set<number>()
  const tables = new HeightTables((from, to, take) => {
    for (let height = from; height <= to; height += 1) {
      again.add(height)
      take(hashes[height - 1] as Buffer, height)
    }
  }, slots)
  for (const [at, hash] of hashes.entries()) tables.add(hash, at + 1)
  return { hashes, tables, again }
}

const found = ({ hashes, tables }: Chain, hash: Buffer): number | undefined =>
  tables.heightOf(hash, (height) => hashes[height - 1]?.equals(hash) === true)

const random = seeded(1)
const hash = (): Buffer => Buffer.from(Array.from({ length: 32 }, () => random(256)))

test('every block of a chain is found by its hash in several height tables, and unknown hashes are not found', () => {
  const chain = chainOf(Array.from({ length: HEIGHTS }, hash))
  for (const [at, one] of chain.hashes.entries()) expect(found(chain, one)).toBe(at + 1)
  expect(found(chain, hash())).toBeUndefined()
})

test('blocks with similar hashes are distinguished, in one height table and across two', () => {
  const first = hash()
  const alike = Array.from({ length: 30 }, (_, at) => Buffer.concat([first.subarray(0, 31), Buffer.of(at)]))
  const chain = chainOf(alike)
  for (const [at, one] of alike.entries()) expect(found(chain, one)).toBe(at + 1)
})

test('a full height table is never rebuilt, even if the chain becomes long', () => {
  // The first one grows from 1,024 slots to 4,096: blocks of the others are never read again.
  const chain = chainOf(Array.from({ length: 10_000 }, hash), 4_096)
  expect(chain.again.size).toBeGreaterThan(0)
  expect(Math.max(...chain.again)).toBeLessThanOrEqual((3 / 4) * 4_096)
  expect(found(chain, chain.hashes[9_999] as Buffer)).toBe(10_000)
  expect(found(chain, chain.hashes[0] as Buffer)).toBe(1)
})
