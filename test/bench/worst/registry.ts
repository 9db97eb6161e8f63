/** Owns the inputs about packages: the longest manifests, full rows, and the checks of attestations. */
import { ABI_2 } from '../../../src/features/abi.js'
import type { ReleaseManifest } from '../../../src/features/registry/schema/records.js'
import * as core from '../../support/core.js'
import type { Bench } from '../../support/executor.js'
import * as kit from '../../support/registry.js'
import { alice, owner, people, repeat, text, type WorstCase } from './inputs.js'

const abi = ABI_2
const COUNT = 20
const KIT = 'bank/kit'
const VERSION = '1.0.0'
/** Source of an attestation with the longest fields. */
const SOURCE = `git+${text(252)}`
const BUILDERS = repeat(8, (index) => `builder-${index}`)
const MEMBERS = people(16)

/** Manifest of nearly 8 KiB with the maximum number of parts. */
const FAT: ReleaseManifest = kit.manifestOf({
  dependencies: repeat(64, () => ({
    package: KIT,
    kind: 'runtime' as const,
    alternatives: [repeat(4, () => ({ op: 'ge' as const, version: VERSION }))],
  })),
  exports: repeat(20, (index) => `${index}`.padEnd(100, 'e')),
  description: text(1_000),
})

function prepare(bench: Bench): void {
  bench.genesis(
    owner,
    ...MEMBERS.map((id) => core.registerAccount(id)),
    kit.create(KIT, 'none', [alice, ...MEMBERS.slice(0, 15)]),
    kit.set(KIT, { add: BUILDERS.map((name) => ({ key: kit.keyOf(name), sourcePrefix: 'git+' })) }),
  )
}
const version = (index: number): string => `1.${index}.0`
const attested = (index: number) => ({
  manifest: FAT,
  attestation: kit.attestationOf('builder-0', KIT, version(index), { source: SOURCE }),
})

/** Releases with every attestation except the last. */
function released(bench: Bench): void {
  prepare(bench)
  for (const index of repeat(COUNT, (at) => at)) {
    bench.run(alice, kit.publish(KIT, version(index), attested(index)))
    for (const name of BUILDERS.slice(1, 7)) bench.run(alice, attest(name, index))
  }
}
const attest = (name: string, index: number) =>
  kit.attest(KIT, version(index), kit.attestationOf(name, KIT, version(index), { source: SOURCE }))

export const REGISTRY_CASES: Readonly<Record<string, WorstCase>> = {
  'registry: packages with 16 maintainers, created and removed': {
    abi,
    by: owner,
    prepare,
    transactions: () =>
      repeat(COUNT, (index) => [
        kit.create(`bank/p${index}`.padEnd(69, 'x'), 'builder', MEMBERS),
        kit.remove(`bank/p${index}`.padEnd(69, 'x')),
      ]),
  },
  'registry: the longest manifests with an attestation': {
    abi,
    by: alice,
    prepare,
    transactions: () => repeat(COUNT, (index) => [kit.publish(KIT, version(index), attested(index))]),
  },
  'registry: releases without an attestation': {
    abi,
    by: alice,
    isCommon: true,
    prepare,
    transactions: () => repeat(COUNT, (index) => [kit.publish(KIT, version(index))]),
  },
  'registry: the last attestation of a full release': {
    abi,
    by: alice,
    prepare: released,
    transactions: () => repeat(COUNT, (index) => [attest('builder-7', index)]),
  },
  'registry: full releases, yanked and tagged': {
    abi,
    by: alice,
    prepare: released,
    transactions: () =>
      repeat(COUNT, (index) => [
        kit.yank(KIT, version(index), 1),
        ...(index < 16 ? [kit.tag(KIT, `t${index}`, version(index), 0)] : []),
      ]),
  },
  'registry: builders replaced in a full package': {
    abi,
    by: alice,
    prepare,
    transactions: () =>
      repeat(COUNT, (index) => [
        kit.set(KIT, {
          add: [{ key: kit.keyOf(`next-${index}`), sourcePrefix: SOURCE }],
          revoke: [kit.keyOf(index < 8 ? `builder-${index}` : `next-${index - 8}`)],
        }),
      ]),
  },
  'registry: assertions of full releases': {
    abi,
    by: alice,
    prepare: released,
    fails: true,
    transactions: () => repeat(COUNT, (index) => [kit.assertion(KIT, version(index), Buffer.alloc(32))]),
  },
}
