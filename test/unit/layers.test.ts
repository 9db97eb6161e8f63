/** The rules of imports bite: each folder has one, what stands above or beside is refused, what stands below is not. */
import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { describe, expect, it } from 'vitest'
import { folderCircles, roomOf } from '../../scripts/folder-circles.mjs'

interface Rule {
  readonly name: string
  readonly from: { readonly path?: string; readonly pathNot?: string }
  readonly to: { readonly path?: string; readonly pathNot?: string; readonly circular?: boolean }
}
const { forbidden } = createRequire(import.meta.url)('../../scripts/layers.config.cjs') as { forbidden: Rule[] }

/** Rules that refuse an import, as the checker reads them: groups of `from` stand for themselves in `to`. */
function refusing(rules: readonly Rule[], from: string, to: string): string[] {
  return rules
    .filter((rule) => {
      if (rule.to.circular !== undefined) return false
      const found = new RegExp(rule.from.path ?? '').exec(from)
      if (found === null || (rule.from.pathNot !== undefined && new RegExp(rule.from.pathNot).test(from))) return false
      const filled = (pattern: string): RegExp =>
        new RegExp(pattern.replace(/\$(\d)/g, (_match, group: string) => found[Number(group)] ?? ''))
      if (rule.to.path !== undefined && !filled(rule.to.path).test(to)) return false
      return rule.to.pathNot === undefined || !filled(rule.to.pathNot).test(to)
    })
    .map(({ name }) => name)
}

/** An import that each rule refuses and no other one does. */
const REFUSED: readonly (readonly [rule: string, from: string, to: string])[] = [
  ['base-imports-what-it-may', 'src/base/a.ts', 'src/crypto/b.ts'],
  ['crypto-imports-what-it-may', 'src/crypto/a.ts', 'src/codec/b.ts'],
  ['codec-imports-what-it-may', 'src/codec/a.ts', 'src/model/b.ts'],
  ['model-imports-what-it-may', 'src/model/a.ts', 'src/api/b.ts'],
  ['vm-imports-what-it-may', 'src/vm/a.ts', 'src/model/b.ts'],
  ['consensus-imports-what-it-may', 'src/consensus/a.ts', 'src/storage/b.ts'],
  ['state-imports-what-it-may', 'src/state/a.ts', 'src/executor/b.ts'],
  ['lanes-imports-what-it-may', 'src/lanes/a.ts', 'src/ledger/b.ts'],
  ['executor-imports-what-it-may', 'src/executor/a.ts', 'src/ledger/b.ts'],
  ['api-imports-what-it-may', 'src/api/a.ts', 'src/executor/b.ts'],
  ['config-imports-what-it-may', 'src/config/a.ts', 'src/node/b.ts'],
  ['files-imports-what-it-may', 'src/files/a.ts', 'src/storage/b.ts'],
  ['storage-imports-what-it-may', 'src/storage/a.ts', 'src/features/composed.ts'],
  ['queue-imports-what-it-may', 'src/queue/a.ts', 'src/storage/b.ts'],
  ['network-imports-what-it-may', 'src/network/a.ts', 'src/consensus/b.ts'],
  ['ledger-imports-what-it-may', 'src/ledger/a.ts', 'src/features/assets/schema/b.ts'],
  ['feature-schema-imports-what-it-may', 'src/features/x/schema/a.ts', 'src/executor/b.ts'],
  ['feature-ledger-imports-what-it-may', 'src/features/x/ledger/a.ts', 'src/features/x/node/b.ts'],
  ['feature-node-imports-what-it-may', 'src/features/x/node/a.ts', 'src/gateway/b.ts'],
  ['features-imports-what-it-may', 'src/features/service.ts', 'src/node/b.ts'],
  ['events-imports-what-it-may', 'src/events/a.ts', 'src/features/drafts.ts'],
  ['gateway-imports-what-it-may', 'src/gateway/a.ts', 'src/features/drafts.ts'],
  ['node-imports-what-it-may', 'src/node/a.ts', 'src/client/b.ts'],
  ['client-imports-what-it-may', 'src/client/a.ts', 'src/executor/b.ts'],
  ['signer-imports-what-it-may', 'src/signer/a.ts', 'src/node/b.ts'],
  ['sink-imports-what-it-may', 'src/sink/a.ts', 'src/storage/b.ts'],
  ['cli-imports-what-it-may', 'src/cli/a.ts', 'src/node/b.ts'],
  ['simulation-imports-what-it-may', 'src/simulation/a.ts', 'src/node/b.ts'],
  ['scenario-imports-what-it-may', 'src/scenario/a.ts', 'src/node/b.ts'],
  ['doctor-imports-what-it-may', 'src/doctor/a.ts', 'commands/b.ts'],
  ['web-imports-what-it-may', 'src/web/a.tsx', 'src/node/b.ts'],
  ['pages-take-types-alone', 'src/web/a.tsx', 'src/api/b.ts'],
  ['what-all-compute-alike-takes-no-clock-and-no-fractions', 'src/consensus/a.ts', 'src/base/sleep.ts'],
  ['a-feature-imports-another-by-its-schema', 'src/features/x/ledger/a.ts', 'src/features/y/ledger/b.ts'],
  ['clients-use-the-proofs-of-the-state-and-the-envelopes-of-lanes', 'src/client/a.ts', 'src/state/overlay.ts'],
  ['only-daemon-commands-use-the-node', 'commands/tx/send.ts', 'src/node/b.ts'],
  ['only-the-edges-use-unicode-mappings', 'src/model/a.ts', 'node_modules/tr46/index.js'],
  ['only-sim-uses-the-simulation', 'commands/tx/send.ts', 'src/simulation/b.ts'],
]

describe('import rules', () => {
  it.each(REFUSED)('%s: %s may not import %s', (rule, from, to) => {
    expect(refusing(forbidden, from, to)).toEqual([rule])
    // Without that rule the import passes: it is the rule that bites.
    expect(
      refusing(
        forbidden.filter(({ name }) => name !== rule),
        from,
        to,
      ),
    ).toEqual([])
  })

  it.each([
    ['src/crypto/a.ts', 'src/base/b.ts'],
    ['src/network/a.ts', 'src/base/sleep.ts'],
    ['src/web/a.tsx', 'src/base/sleep.ts'],
    ['src/executor/a.ts', 'src/consensus/b.ts'],
    ['src/features/x/ledger/a.ts', 'src/features/y/schema/b.ts'],
    ['src/features/x/ledger/a.ts', 'src/ledger/b.ts'],
    ['src/features/x/node/a.ts', 'src/features/x/schema/b.ts'],
    ['src/node/a.ts', 'src/gateway/b.ts'],
    ['src/gateway/a.ts', 'src/features/composed.ts'],
    ['src/events/a.ts', 'src/features/composed.ts'],
    ['src/client/a.ts', 'src/state/proof.ts'],
    ['commands/node/start.ts', 'src/node/b.ts'],
    ['commands/sim/run.ts', 'src/simulation/b.ts'],
  ])('%s may import %s', (from, to) => {
    expect(refusing(forbidden, from, to)).toEqual([])
  })

  it('exist for each folder, and only for existing folders', () => {
    const folders = readdirSync(new URL('../../src', import.meta.url)).filter((name) => !name.includes('.'))
    const ruled = forbidden.flatMap(({ name }) => /^(.*)-imports-what-it-may$/.exec(name)?.[1] ?? [])
    expect(ruled.filter((name) => !name.startsWith('feature-')).sort()).toEqual(folders.sort())
    expect(REFUSED.map(([rule]) => rule).sort()).toEqual(
      forbidden.flatMap(({ name, to }) => (to.circular === undefined ? [name] : [])).sort(),
    )
  })
})

describe('import cycles of folders', () => {
  it('are detected between folders of one layer, even through other folders', () => {
    const imports = [
      ['src/node/a/1.ts', 'src/node/b/1.ts'],
      ['src/node/b/2.ts', 'src/node/c/1.ts'],
      ['src/node/c/2.ts', 'src/node/a/2.ts'],
    ] as const
    expect(folderCircles(imports)).toEqual([['src/node/a', 'src/node/b', 'src/node/c']])
    expect(folderCircles(imports.slice(1))).toEqual([])
  })

  it('ignore files directly in a layer, and imports from other layers', () => {
    expect(
      folderCircles([
        ['src/node/a/1.ts', 'src/node/core.ts'],
        ['src/node/core.ts', 'src/node/a/2.ts'],
        ['src/cli/a/1.ts', 'src/node/a/1.ts'],
      ]),
    ).toEqual([])
  })

  it.each([
    ['src/node/peers/gossip.ts', 'src/node/peers'],
    ['src/features/iso20022/message/xml/tree.ts', 'src/features/iso20022/message'],
    ['src/features/iso20022/index.ts', undefined],
    ['src/features/service.ts', undefined],
    ['src/node/core.ts', undefined],
  ])('are detected by the folder of each file, %s: %s', (file, room) => {
    expect(roomOf(file)).toBe(room)
  })
})
