/** Every table of the state says what bounds it, and its declaration keeps its rows small. */
import { describe, expect, it } from 'vitest'
import { pascalCase } from '../../../src/codec/index.js'
import { metadataValues, SYSTEM_TABLES, triggerLists } from '../../../src/executor/index.js'
import { ABI_1, ABI_2, NEWEST_ABI } from '../../../src/features/abi.js'
import { METADATA_VALUE_MAX_BYTES } from '../../../src/model/index.js'
import { ROW_MAX_BYTES, type TableDef } from '../../../src/state/index.js'
import { TRAP } from '../../../src/vm/traps.js'
import * as core from '../../support/core.js'

/** Codes of errors and traps, and names of parameters. */
const CODES: ReadonlySet<string | undefined> = new Set([
  ...NEWEST_ABI.errorNames.values(),
  ...Object.keys(TRAP),
  ...NEWEST_ABI.parameters.map(({ name }) => name),
])
const TABLES: readonly TableDef<unknown, unknown>[] = [
  ...SYSTEM_TABLES,
  ...ABI_2.features.flatMap((feature) => feature.tables),
]
/** Longest key of a row, in bytes: the name of a trigger list. */
const KEY_MAX_BYTES = 512
/** Tables with a larger maximum, in bytes, and the reason. */
const EXCEPTIONS: Readonly<Record<string, { readonly key?: number; readonly row?: number; readonly reason: string }>> =
  {
    repo_price: {
      key: 559,
      reason: 'an account of 41 bytes and two asset definitions of 259 bytes, which are validated ids',
    },
    staking_elections: {
      row: 35_307,
      reason: 'written once in an epoch by the ledger; above 32 KiB only if 128 stakes have more than 470 bits each',
    },
  }
/** Largest encoding of a parameter: it is one row with the heights that wait. */
const PARAMETER_MAX_BYTES = 16 * 1024

describe.each(TABLES.map((table) => [table.name, table] as const))('the table %s', (name, { key, value, bound }) => {
  it('has no row above 32 KiB, for any content, or a documented maximum', () => {
    const { key: keyMax = KEY_MAX_BYTES, row = ROW_MAX_BYTES } = EXCEPTIONS[name] ?? {}
    expect(value.maxSize).toBeLessThanOrEqual(row)
    expect(key.maxSize).toBeLessThanOrEqual(keyMax)
  })

  it('names only existing instructions, permissions, codes and parameters in its description', () => {
    const instructions = new Set([
      ...[...NEWEST_ABI.instructions.keys()].map(pascalCase),
      ...NEWEST_ABI.permissions.keys(),
    ])
    for (const [word] of bound.filledBy.matchAll(/\b[A-Z][a-z]+(?:[A-Z][a-z]*)+\b/g)) {
      expect(instructions, word).toContain(word)
    }
    for (const [, code] of bound.atBound.matchAll(/`([a-z_]+)`/g)) {
      expect(CODES, code).toContain(code)
    }
    expect(bound.holds.length).toBeGreaterThan(0)
  })
})

it('every exception is a table that exceeds a bound', () => {
  for (const [name, { key = 0, row = 0 }] of Object.entries(EXCEPTIONS)) {
    const table = TABLES.find((one) => one.name === name)
    expect(Math.max(key - KEY_MAX_BYTES, row - ROW_MAX_BYTES), name).toBeGreaterThan(0)
    expect([table?.key.maxSize, table?.value.maxSize], name).toContain(key || row)
  }
})

it('a metadata value has at most 16 KiB plus its length prefix', () => {
  expect(metadataValues.value.maxSize).toBe(METADATA_VALUE_MAX_BYTES + 3)
})

it('every parameter fits its row, both current and staged', () => {
  for (const { name, schema } of ABI_2.parameters) {
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
