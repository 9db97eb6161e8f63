/**
 * Owns verifying keys on the ledger, and the first check of every instruction with a proof: its key must exist and be
 * active.
 */
import { sameBytes } from '../base/bytes.js'
import { type ProofContext, type Rejection, reject } from '../executor/contract.js'
import { parameterOf } from '../executor/parameters.js'
import {
  isActiveAt,
  type ParameterDef,
  type VerifyingKeyId,
  type VerifyingKeyRow,
  verifyingKeyId,
  verifyingKeyRow,
} from '../model/index.js'
import type { TableDef } from '../state/index.js'

/** Keys by id; never removed, so that keys of old proofs stay available. */
export const verifyingKeys: TableDef<VerifyingKeyId, VerifyingKeyRow> = {
  id: 800,
  name: 'verifying_keys',
  bound: {
    holds: 'one key of 8 KiB',
    filledBy: 'RegisterVerifyingKey, by holders of CanManageVerifyingKeys',
    atBound: 'an update replaces it; keys stay',
  },
  key: verifyingKeyId,
  value: verifyingKeyRow,
}

/** Expected key of an instruction with a proof, given by a parameter. */
export interface ExpectedKey {
  readonly parameter: ParameterDef<VerifyingKeyId | undefined>
  readonly backend: string
  /** Key compiled into the ABI, the only key that can verify this instruction. */
  readonly blob: Uint8Array
  /** Key commitment in the proof. */
  readonly named: Uint8Array
}

/** Reason why no proof can be verified here; depends only on the state, so it is the same on every node. */
export function verifyingKeyFault(
  ctx: Pick<ProofContext, 'env' | 'get' | 'has'>,
  { parameter, backend, blob, named }: ExpectedKey,
): Rejection | undefined {
  const id = parameterOf(ctx, parameter)
  if (id === undefined)
    return reject('vk_not_configured', `the parameter ${parameter.name} does not name a verifying key`)
  const key = ctx.get(verifyingKeys, id)
  const words = `verifying key ${id.name} of ${id.backend}`
  if (key === undefined) return reject('vk_not_registered', `${words} is not registered`)
  if (!isActiveAt(key, ctx.env.height)) return reject('vk_inactive', `${words} is not active at this height`)
  if (id.backend !== backend || !sameBytes(key.blob, blob)) {
    return reject('vk_mismatch', `${words} differs from the key that this ABI uses`)
  }
  return sameBytes(named, key.commitment) ? undefined : reject('vk_mismatch', `the proof was not created for ${words}`)
}
