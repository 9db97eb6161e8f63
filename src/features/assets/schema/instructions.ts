/** Owns the records of the instructions about assets (docs/design/lanes.md 1). */

import { bool, type Infer, list, numeric, option, string, struct, u8 } from '../../../codec/index.js'
import {
  accountId,
  assetDefinitionId,
  assetId,
  BATCH_MAX,
  controlLimits,
  defineInstructions,
  metadata,
  mintable,
} from '../../../model/index.js'

export interface Transfer extends Infer<typeof transferRecord> {}
export const transferRecord = struct('Transfer', {
  /** Source balance. */
  asset: assetId,
  to: accountId,
  amount: numeric,
})

/** Maximum length of the reason of a freeze, in bytes. */
const REASON_MAX_BYTES = 256
/** Reason of a freeze or its end. */
export const controlReason = string(REASON_MAX_BYTES)

export const instructions = defineInstructions({
  registerAssetDefinition: {
    id: 10,
    label: 'asset_definition::register',
    record: {
      id: assetDefinitionId,
      scale: option(u8),
      mintable,
      metadata,
    },
  },
  mint: { id: 12, label: 'asset::mint', record: { asset: assetId, amount: numeric } },
  burn: { id: 13, label: 'asset::burn', record: { asset: assetId, amount: numeric } },
  transfer: { id: 14, label: 'asset::transfer', record: transferRecord },
  unregisterAssetDefinition: { id: 11, label: 'asset_definition::unregister', record: { id: assetDefinitionId } },
  transferBatch: {
    id: 15,
    label: 'asset::transfer_batch',
    record: {
      /** Executed together or not at all. */
      transfers: list(transferRecord, BATCH_MAX),
    },
  },
  setFreeze: {
    id: 38,
    label: 'control::freeze',
    record: {
      asset: assetId,
      frozen: bool,
      /** Reason for people; stored in the event. */
      reason: option(controlReason),
    },
  },
  setBlacklist: { id: 39, label: 'control::blacklist', record: { asset: assetId, blacklisted: bool } },
  setLimits: {
    id: 40,
    label: 'control::limits',
    record: {
      asset: assetId,
      /** New caps, which replace the earlier ones; empty: no cap. */
      limits: controlLimits,
    },
  },
})
