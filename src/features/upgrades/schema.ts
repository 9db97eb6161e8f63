/** Owns runtime upgrades as clients see them: manifest, instructions, events, views, queries and routes (docs/design/ledger.md 9). */

import { defineSchema } from '../../api/feature.js'
import { defineRoute, publicRead } from '../../api/route.js'
import { draftFields, draftRow } from '../../api/schema/draft.js'
import { bool, hash32, type Infer, list, option, string, struct, unitEnum, varint } from '../../codec/index.js'
import { hash } from '../../crypto/index.js'
import {
  accountId,
  CORE_IDS,
  defineEvents,
  defineInstructions,
  defineQueries,
  type EventSubject,
  name,
} from '../../model/index.js'

/** Maximum length of a description, in bytes. */
const DESCRIPTION_MAX_BYTES = 1024
/** Maximum upgrades on the ledger, in one row; when it is full, the oldest finished upgrades are removed. */
export const UPGRADES_MAX = 24

/** Upgrade proposal. Its window consists of the heights at which it can be activated; the end is exclusive. */
export interface UpgradeManifest extends Infer<typeof upgradeManifest> {}
export const upgradeManifest = struct('UpgradeManifest', {
  name,
  description: string(DESCRIPTION_MAX_BYTES),
  abiVersion: varint,
  abiHash: hash32,
  startHeight: varint,
  endHeight: varint,
})

/** Id of an upgrade: hash of the canonical bytes of its manifest. */
export const upgradeId = (manifest: UpgradeManifest): Buffer => hash('upgrade', upgradeManifest.encode(manifest))

export const instructions = defineInstructions({
  proposeUpgrade: { id: 48, label: 'upgrade::propose', record: { manifest: upgradeManifest } },
  activateUpgrade: { id: 49, label: 'upgrade::activate', record: { id: hash32 } },
  cancelUpgrade: { id: 50, label: 'upgrade::cancel', record: { id: hash32 } },
})

const upgrade: EventSubject<unknown> = { subject: 'upgrade' }

export const events = defineEvents({
  upgradeProposed: { id: 48, record: { upgrade: hash32, abi: varint }, ...upgrade },
  upgradeActivated: { id: 49, record: { upgrade: hash32, abi: varint, fromHeight: varint }, ...upgrade },
  upgradeCancelled: { id: 50, record: { upgrade: hash32, abi: varint }, ...upgrade },
})

/** Maximum features of an ABI. */
const FEATURES_MAX = 256

/** `expired` is derived: not activated within its window. */
export type UpgradeStatus = 'proposed' | 'activated' | 'cancelled' | 'expired'
const status_ = unitEnum('UpgradeStatus', { proposed: 0, activated: 1, cancelled: 2, expired: 3 })

/** Upgrade with its status. */
export interface UpgradeView extends Infer<typeof upgradeView_> {}
const upgradeView_ = struct('UpgradeView', {
  id: hash32,
  manifest: upgradeManifest,
  status: status_,
  proposer: accountId,
  createdHeight: varint,
  /** First height of the new ABI, once activated. */
  activationHeight: option(varint),
})

/** Upgrades in order of proposal. */
export interface UpgradeList extends Infer<typeof upgradeList> {}
const upgradeList = struct('UpgradeList', { items: list(upgradeView_, UPGRADES_MAX), height: varint })

const feature_ = struct('AbiFeature', { name: string(64), version: varint, hash: hash32 })
const runtimeAbi = struct('RuntimeAbi', {
  abiVersion: varint,
  abiHash: hash32,
  features: list(feature_, FEATURES_MAX),
  /** Numbers of the ABIs that this node's release can run. */
  supportedAbis: list(varint, FEATURES_MAX),
})

/** ABIs of a node's release, as named by upgrade proposals. */
const supportedAbi_ = struct('SupportedAbi', { abiVersion: varint, abiHash: hash32 })
const supportedAbis = struct('SupportedAbis', { items: list(supportedAbi_, FEATURES_MAX) })

const runtimeAbiHash = struct('RuntimeAbiHash', { policy: string(16), abiHashHex: hash32 })

const counts_ = struct('UpgradeEvents', { proposed: varint, activated: varint, canceled: varint })
const runtimeMetrics = struct('RuntimeMetrics', {
  abiVersion: varint,
  /** Counts of the stored upgrades. */
  upgradeEventsTotal: counts_,
})

/** Draft of an instruction about an upgrade. */
const upgradeDraft = struct('UpgradeDraft', { ...draftFields, ok: bool, upgradeId: hash32 })

const upgradesInput_ = struct('UpgradesQuery', {})

export const queries = defineQueries({
  upgrades: { id: 80, input: upgradesInput_, output: upgradeList },
})

/** Maximum size of a manifest, in bytes of JSON. */
const MANIFEST_BODY_MAX_BYTES = 16 * 1024

const draft = { ...draftRow, method: 'POST', access: 'operator', audited: true } as const
const path_ = struct('UpgradePath', { id: hash32 })

export const RUNTIME = {
  abi: defineRoute({
    ...publicRead,
    id: 'runtime.abi.active',
    path: '/v1/runtime/abi/active',
    summary: 'The active ABI: number, hash, features; and the ABIs that this node supports',
    response: runtimeAbi,
  }),
  abiHash: defineRoute({
    ...publicRead,
    id: 'runtime.abi.hash',
    path: '/v1/runtime/abi/hash',
    summary: 'Hash of the active ABI',
    response: runtimeAbiHash,
  }),
  abis: defineRoute({
    ...publicRead,
    id: 'runtime.abis',
    path: '/v1/runtime/abis',
    summary: 'The ABIs that this node supports, with the hashes for upgrade proposals',
    response: supportedAbis,
  }),
  metrics: defineRoute({
    ...publicRead,
    id: 'runtime.metrics',
    path: '/v1/runtime/metrics',
    summary: 'Number of the active ABI and counts of upgrades',
    response: runtimeMetrics,
  }),
  upgrades: defineRoute({
    ...publicRead,
    id: 'runtime.upgrades',
    path: '/v1/runtime/upgrades',
    summary: 'Upgrades with their windows and status',
    response: upgradeList,
  }).byQuery(queries.upgrades, () => ({})),
  propose: defineRoute({
    ...draft,
    id: 'runtime.upgrades.propose',
    path: '/v1/runtime/upgrades/propose',
    summary: 'Draft the instruction that proposes an upgrade; the caller signs and submits it',
    body: { as: 'record', schema: upgradeManifest, maxBytes: MANIFEST_BODY_MAX_BYTES },
    response: upgradeDraft,
  }),
  activate: defineRoute({
    ...draft,
    id: 'runtime.upgrades.activate',
    path: '/v1/runtime/upgrades/activate/{id}',
    summary: 'Draft the instruction that activates a proposed upgrade',
    params: path_,
    errors: [...draft.errors, 'bad_value'],
    response: upgradeDraft,
  }),
  cancel: defineRoute({
    ...draft,
    id: 'runtime.upgrades.cancel',
    path: '/v1/runtime/upgrades/cancel/{id}',
    summary: 'Draft the instruction that cancels a proposed upgrade',
    params: path_,
    response: upgradeDraft,
  }),
} as const

export const upgradeSchema = defineSchema({
  name: 'upgrades',
  abi: 'core',
  version: 1,
  ids: [CORE_IDS],
  errors: {},
  instructions,
  events,
  queries,
  parameters: [],
  routes: RUNTIME,
  topics: { runtime: 'The active ABI of the network', 'runtime upgrade': 'Upgrades to another ABI' },
})
