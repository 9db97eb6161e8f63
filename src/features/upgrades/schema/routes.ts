/** Owns the runtime routes: the active ABI and its upgrades (specification 4.2). */

import { defineRoute, publicRead } from '../../../api/route.js'
import { draftRow } from '../../../api/schema/draft.js'
import { hash32, struct } from '../../../codec/index.js'
import { upgradeManifest } from './instructions.js'
import { queries } from './queries.js'
import { runtimeAbi, runtimeAbiHash, runtimeMetrics, supportedAbis, upgradeDraft, upgradeList } from './views.js'

/** Largest manifest as JSON, in bytes. */
const MANIFEST_BODY_MAX_BYTES = 16 * 1024

const draft = { ...draftRow, method: 'POST', access: 'operator', audited: true } as const
const path_ = struct('UpgradePath', { id: hash32 })

export const RUNTIME = {
  abi: defineRoute({
    ...publicRead,
    id: 'runtime.abi.active',
    path: '/v1/runtime/abi/active',
    summary: 'The active ABI: number, hash, features; and the ABIs that this node can run',
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
    summary: 'The ABIs that this node can run, with the hashes that proposals to upgrade to them name',
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
    summary: 'Drafts the instruction that proposes an upgrade; the caller signs and submits it',
    body: { as: 'record', schema: upgradeManifest, maxBytes: MANIFEST_BODY_MAX_BYTES },
    response: upgradeDraft,
  }),
  activate: defineRoute({
    ...draft,
    id: 'runtime.upgrades.activate',
    path: '/v1/runtime/upgrades/activate/{id}',
    summary: 'Drafts the instruction that activates a proposed upgrade',
    params: path_,
    errors: [...draft.errors, 'bad_value'],
    response: upgradeDraft,
  }),
  cancel: defineRoute({
    ...draft,
    id: 'runtime.upgrades.cancel',
    path: '/v1/runtime/upgrades/cancel/{id}',
    summary: 'Drafts the instruction that cancels a proposed upgrade',
    params: path_,
    response: upgradeDraft,
  }),
} as const
