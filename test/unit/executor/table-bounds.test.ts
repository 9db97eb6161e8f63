/** Every table of the state says what bounds it, and its declaration keeps its rows small. */
import { describe, expect, it } from 'vitest'
import { pascalCase } from '../../../src/codec/index.js'
import { metadataValues, SYSTEM_TABLES, triggerLists } from '../../../src/executor/index.js'
import { ABI_1, NEWEST_ABI } from '../../../src/features/abi.js'
import { type ErrorCode, METADATA_VALUE_MAX_BYTES } from '../../../src/model/index.js'
import { ROW_MAX_BYTES, type TableDef } from '../../../src/state/index.js'
import * as core from '../../support/core.js'

const TABLES: readonly TableDef<unknown, unknown>[] = [
  ...SYSTEM_TABLES,
  ...ABI_1.features.flatMap((feature) => feature.tables),
]
/** Longest key of a row, in bytes: the name of a trigger list. */
const KEY_MAX_BYTES = 512
/** Largest encoding of a parameter: it is one row with the heights that wait. */
const PARAMETER_MAX_BYTES = 16 * 1024

describe.each(TABLES.map((table) => [table.name, table] as const))('the table %s', (_name, { key, value, bound }) => {
  it('has no row above 32 KiB, for any content', () => {
    expect(value.maxSize).toBeLessThanOrEqual(ROW_MAX_BYTES)
    expect(key.maxSize).toBeLessThanOrEqual(KEY_MAX_BYTES)
  })

  it('names only existing instructions and error codes in its description', () => {
    const instructions = new Set([...NEWEST_ABI.instructions.keys()].map(pascalCase))
    for (const [word] of bound.filledBy.matchAll(/\b[A-Z][a-z]+(?:[A-Z][a-z]*)+\b/g)) {
      expect(instructions, word).toContain(word)
    }
    for (const [, code] of bound.atBound.matchAll(/`([a-z_]+)`/g)) {
      expect([...NEWEST_ABI.errorNames.values()]).toContain(code as ErrorCode)
    }
    expect(bound.holds.length).toBeGreaterThan(0)
  })
})

it('a metadata value has at most 16 KiB plus its length prefix', () => {
  expect(metadataValues.value.maxSize).toBe(METADATA_VALUE_MAX_BYTES + 3)
})

it('every parameter fits its row, both current and staged', () => {
  for (const { name, schema } of ABI_1.parameters) {
    expect(schema.maxSize, name).toBeLessThanOrEqual(PARAMETER_MAX_BYTES)
  }
})

const { alice } = core
it('a trigger that is enabled again stores the numbers of its events again', () => {
  const bench = core.smallWorld()
  bench.genesis(
    alice,
    core.registerTrigger('watch', alice, core.onData('asset', undefined, ['minted']), [core.log('x')]),
  )
  const wanted = () => bench.state.get(triggerLists, 'asset *')?.get('watch')
  const number = ABI_1.events.get('minted')?.id
  expect(wanted()).toEqual([number])
  expect(bench.run(alice, core.changeRepeats('watch', undefined, false))).toBeUndefined()
  expect(wanted()).toBeUndefined()
  expect(bench.run(alice, core.changeRepeats('watch', undefined, true))).toBeUndefined()
  expect(wanted()).toEqual([number])
})
