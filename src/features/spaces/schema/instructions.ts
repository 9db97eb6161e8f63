/** Owns the instructions of manifests. */
import { option, u32, varint, varintBig } from '../../../codec/index.js'
import { accountId, defineInstructions, type InstructionOf } from '../../../model/index.js'
import { revocationReason, spaceEntries } from './records.js'

/** Manifest of an account in a dataspace. */
const place = { dataspace: varintBig, account: accountId }

export const instructions = defineInstructions({
  publishManifest: {
    id: 1600,
    label: 'space::publish',
    record: {
      ...place,
      /** Version of the previous manifest plus one. */
      version: u32,
      /** Absent: the time of the block that contains the instruction. */
      activeFromMs: option(varint),
      /** Expiry, exclusive; absent: none. */
      expiresMs: option(varint),
      entries: spaceEntries,
    },
  },
  revokeManifest: { id: 1601, label: 'space::revoke', record: { ...place, reason: revocationReason } },
  expireManifest: { id: 1602, label: 'space::expire', record: place },
})

export interface PublishManifest extends InstructionOf<typeof instructions.publishManifest> {}
