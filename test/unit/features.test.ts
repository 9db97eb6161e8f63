import { describe, expect, it } from 'vitest'
import { ABI_1 } from '../../src/features/index.js'
import { clientCodec, FEATURE_SCHEMAS } from '../../src/features/schemas.js'
import { EVENT_REGISTRY, INSTRUCTION_REGISTRY } from '../../src/model/index.js'

const byId = <T extends { readonly id: number }>(items: readonly T[]): T[] => [...items].sort((a, b) => a.id - b.id)

describe('the two lists of features', () => {
  it('name the same features in the same order', () => {
    expect(FEATURE_SCHEMAS.map((feature) => feature.name)).toEqual(ABI_1.features.map((feature) => feature.name))
  })

  it('agree on every instruction and event: id, kind, label, schema', () => {
    for (const [at, feature] of ABI_1.features.entries()) {
      const schemas = FEATURE_SCHEMAS[at]
      const identity = (def: { id: number; kind: string; schema: { hash: Buffer } }) => [
        def.id,
        def.kind,
        def.schema.hash.toString('hex'),
      ]
      expect(byId(schemas?.instructions ?? []).map(identity)).toEqual(byId(feature.instructions).map(identity))
      expect(byId(schemas?.events ?? []).map(identity)).toEqual(byId(feature.events).map(identity))
      const labels = (defs: readonly { id: number; label: string }[]) => byId(defs).map((def) => def.label)
      expect(labels(schemas?.instructions ?? [])).toEqual(labels(feature.instructions))
    }
  })

  it('give clients and nodes the same registries', () => {
    const node = ABI_1.codec('cw').registries
    const client = clientCodec('cw').registries
    for (const name of [INSTRUCTION_REGISTRY, EVENT_REGISTRY]) {
      const ids = (entries: readonly { id: number; kind: string }[] = []) =>
        byId(entries).map((one) => [one.id, one.kind])
      expect(ids(client?.[name]?.entries)).toEqual(ids(node?.[name]?.entries))
    }
  })

  it('keep every id inside the range of its feature', () => {
    for (const [at, feature] of ABI_1.features.entries()) {
      const [low, high] = at === 0 ? [1, 199] : [200 + 100 * at, 299 + 100 * at]
      // The instructions of lanes stand in the table of the core (design/ledger-lanes.md 1).
      const own = feature.name === 'lanes' ? [] : feature.instructions
      const ids = [...own, ...feature.events, ...feature.tables].map((def) => def.id)
      for (const id of ids) expect(id >= low && id <= high, `${feature.name}: ${id}`).toBe(true)
    }
  })
})
