/** Owns registration and change of verifying keys. */

import { type ExecContext, type Rejection, reject } from '../../../executor/contract.js'
import type { Executions } from '../../../executor/feature.js'
import { pathNameFault } from '../../../ledger/path-names.js'
import { newGlobal } from '../../../ledger/permission-kinds.js'
import { requirePermission } from '../../../ledger/permissions.js'
import { verifyingKeys } from '../../../ledger/verifying-keys.js'
import { keyCommitment, type VerifyingKeyId, type VerifyingKeyRow } from '../../../model/index.js'
import { events } from '../schema/events.js'
import type { instructions } from '../schema/instructions.js'

export const CAN_MANAGE_VERIFYING_KEYS = newGlobal('CanManageVerifyingKeys')

/** Backends whose proofs some instruction verifies. */
const BACKENDS: readonly string[] = ['sigma-ristretto255']

const cost = {
  base: 2_000,
  per: [{ teu: 2, item: 'byte of the blob', count: ({ blob }: { readonly blob: Uint8Array }) => blob.length }],
}

const denied = (ctx: ExecContext): Rejection | undefined =>
  requirePermission(ctx, 'managing verifying keys', undefined, [CAN_MANAGE_VERIFYING_KEYS, undefined])

type Content = Omit<VerifyingKeyRow, 'version' | 'commitment'>

/** Writes a key and tells of it. */
function write(
  ctx: ExecContext,
  id: VerifyingKeyId,
  version: number,
  { circuitId, blob, status, activationHeight, withdrawHeight }: Content,
): void {
  const commitment = keyCommitment(blob)
  ctx.set(verifyingKeys, id, { version, circuitId, blob, commitment, status, activationHeight, withdrawHeight })
  const written = version === 1 ? events.verifyingKeyRegistered : events.verifyingKeyUpdated
  ctx.emit(written, { ...id, version, commitment, status })
}

export const execute = {
  registerVerifyingKey: {
    cost,
    execute(ctx, { backend, name, ...content }) {
      const refused = denied(ctx) ?? pathNameFault(ctx, name)
      if (refused) return refused
      if (!BACKENDS.includes(backend)) return reject('unsupported_backend', `no proof of ${backend} can be verified`)
      const id = { backend, name }
      if (ctx.has(verifyingKeys, id)) return reject('exists', `verifying key ${name} of ${backend} exists`)
      write(ctx, id, 1, content)
      return undefined
    },
  },

  updateVerifyingKey: {
    cost,
    execute(ctx, { backend, name, version, ...content }) {
      const refused = denied(ctx)
      if (refused) return refused
      const id = { backend, name }
      const key = ctx.get(verifyingKeys, id)
      if (key === undefined) return reject('vk_not_registered', `verifying key ${name} of ${backend} is not registered`)
      if (version !== key.version + 1)
        return reject('bad_version', `the next version is ${key.version + 1}, not ${version}`)
      write(ctx, id, version, content)
      return undefined
    },
  },
} satisfies Partial<Executions<typeof instructions>>
