/** Owns the inputs about guests of dataspaces: the longest manifests, and decisions that depend on them. */
import { ABI_2 } from '../../../src/features/abi.js'
import { instructions as domains } from '../../../src/features/domains/schema.js'
import { instructions as spaces } from '../../../src/features/spaces/schema/instructions.js'
import { ENTRIES_MAX, type SpaceEntry } from '../../../src/features/spaces/schema/records.js'
import { type Instruction, instruction, NO_METADATA } from '../../../src/model/index.js'
import * as core from '../../support/core.js'
import type { Bench } from '../../support/executor.js'
import { laneSpecOf, updateLanes } from '../../support/lanes.js'
import { BOTH, DEPOT, expire, publish, revoke } from '../../support/spaces.js'
import { alice, bob, LONG, owner, repeat, text, type WorstCase } from './inputs.js'

const SAFE = 'safe#depot'
const ENTRY = { instruction: 'asset::transfer', definition: SAFE }
/** An entry with the longest texts. */
const FAT: SpaceEntry = {
  scope: { instruction: `${'a'.repeat(30)}::${'b'.repeat(32)}`, definition: LONG, counterparty: bob },
  effect: { kind: 'deny', value: { reason: text(128) } },
  notes: text(128),
}

/** Restricted dataspace with assets of all accounts, and no accounts at home. */
function prepare(...more: readonly Instruction[]) {
  return (bench: Bench): void =>
    bench.genesis(
      owner,
      BOTH,
      updateLanes({ add: [laneSpecOf(1, { dataspace: DEPOT }), laneSpecOf(2, { dataspace: 9n })] }),
      instruction(domains.registerDomain, { id: 'depot', dataspace: DEPOT, metadata: NO_METADATA }),
      core.registerDefinition(SAFE),
      core.mint(alice, 1_000_000n, SAFE),
      core.permission('grant', 'CanPublishManifests', '7', owner),
      ...more,
    )
}

const fat = (version: number): Instruction =>
  instruction(spaces.publishManifest, {
    dataspace: DEPOT,
    account: alice,
    version,
    activeFromMs: undefined,
    expiresMs: undefined,
    entries: repeat(ENTRIES_MAX, () => FAT),
  })
/** Every entry is evaluated, and has a row of usage; the last one has capacity. */
const limited = publish({
  space: 7,
  account: alice,
  version: 1,
  until: 20,
  entries: repeat(ENTRIES_MAX, (index) => ({
    ...ENTRY,
    counterparty: '*@bank',
    window: 'minute' as const,
    max: index === ENTRIES_MAX - 1 ? 1_000_000n : 1n,
  })),
})
const used = repeat(ENTRIES_MAX, () => core.transfer(alice, bob, 1n, SAFE))

export const SPACE_CASES: Readonly<Record<string, WorstCase>> = {
  'spaces: the longest manifests, published and revoked': {
    abi: ABI_2,
    by: owner,
    prepare: prepare(),
    transactions: () => repeat(8, (index) => [fat(index + 1), revoke(7, alice, text(256))]),
  },
  'spaces: short manifests': {
    abi: ABI_2,
    by: owner,
    isCommon: true,
    prepare: prepare(),
    transactions: () =>
      repeat(40, (index) => [publish({ space: 7, account: alice, version: index + 1, entries: [ENTRY] })]),
  },
  'spaces: a guest with a full manifest': {
    abi: ABI_2,
    prepare: (bench) => {
      prepare(limited)(bench)
      bench.timeMs = 10
      bench.run(alice, ...used)
    },
    transactions: () => repeat(20, () => repeat(5, () => core.transfer(alice, bob, 2n, SAFE))),
  },
  'spaces: a guest behind long denials': {
    abi: ABI_2,
    prepare: (bench) => {
      prepare()(bench)
      bench.genesis(
        owner,
        instruction(spaces.publishManifest, {
          dataspace: DEPOT,
          account: alice,
          version: 1,
          activeFromMs: undefined,
          expiresMs: undefined,
          entries: [
            ...repeat(ENTRIES_MAX - 1, () => FAT),
            {
              ...FAT,
              scope: { ...FAT.scope, ...ENTRY, counterparty: undefined },
              effect: { kind: 'allow', value: { maxAmount: undefined, window: undefined } },
            },
          ],
        }),
      )
    },
    transactions: () => repeat(20, () => repeat(5, () => core.transfer(alice, bob, 2n, SAFE))),
  },
  'spaces: an expired manifest with its usage': {
    abi: ABI_2,
    timeMs: 30,
    by: bob,
    prepare: (bench) => {
      prepare(limited)(bench)
      bench.timeMs = 10
      bench.run(alice, ...used)
    },
    transactions: () => [[expire(7, alice)]],
  },
}
