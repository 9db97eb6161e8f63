/** Owns the claim of a message with its only payment, and the checks of every claim (docs/design/iso20022.md 2). */
import { sameBytes } from '../../../base/bytes.js'
import { type ExecContext, type Execution, type Rejection, reject } from '../../../executor/contract.js'
import { parameterOf } from '../../../executor/parameters.js'
import { hasRule } from '../../../executor/rules.js'
import { accountObject } from '../../../ledger/permission-kinds.js'
import { requirePermission } from '../../../ledger/permissions.js'
import type { AccountId } from '../../../model/index.js'
import type { StateReader } from '../../../state/index.js'
import { instructions as assets, type Transfer } from '../../assets/schema/instructions.js'
import { events } from '../schema/events.js'
import { type ClaimMessage, claimKey, type PaymentPart } from '../schema/instructions.js'
import { ISO_UETR_UNIQUE } from '../schema/parameters.js'
import { applyLimits } from './limits.js'
import { ISO_PERMISSIONS } from './permissions.js'
import { ISO_RULES } from './rules.js'
import { isNamed, mayDebit, submitterOf } from './submitters.js'
import { claims, heads, payments, type Submitter, submitters, uetrs } from './tables.js'

/** Rejection of an unknown submitter. */
export const unknownSubmitter = (): Rejection =>
  reject('iso_submitter', 'the submitter is not registered, or was removed')

/** Rejection of a submitter that may not debit an account. */
const debtorRefused = (): Rejection => reject('iso_submitter', 'the submitter is not permitted to debit this account')

/**
 * Rejection if the authority may not claim messages of a submitter. Without this check, any manager of a debtor could
 * use up the message ids of the submitter.
 */
export const claimantFault = (ctx: ExecContext, submitter: AccountId): Rejection | undefined =>
  requirePermission(ctx, 'claiming a message', submitter, [ISO_PERMISSIONS.CanClaimMessages, accountObject(submitter)])

/** Rejection if a different payment of the submitter already has the UETR of the payment with this key. */
function uetrFault(
  state: StateReader,
  submitter: AccountId,
  uetr: string | undefined,
  key: Uint8Array,
): Rejection | undefined {
  if (uetr === undefined || !parameterOf(state, ISO_UETR_UNIQUE)) return undefined
  const used = state.get(uetrs, { submitter, uetr })
  return used === undefined || sameBytes(used, key)
    ? undefined
    : reject('iso_uetr', `another payment of the submitter has the UETR ${uetr}`)
}

/**
 * Rejection of a payment during its claim: by its submitter, its debtor, its UETR or a limit. Otherwise marks its UETR
 * as used.
 */
export function claimFault(
  ctx: ExecContext,
  submitter: AccountId,
  known: Submitter,
  key: Uint8Array,
  { source, definition, amount, details: { uetr } }: Pick<PaymentPart, 'source' | 'definition' | 'amount' | 'details'>,
): Rejection | undefined {
  if (!mayDebit(ctx, submitter, known, source)) return debtorRefused()
  const refused =
    uetrFault(ctx, submitter, uetr, key) ?? applyLimits(ctx, submitter, known, { definition, amount }, ctx.env.timeMs)
  if (refused) return refused
  if (uetr !== undefined) ctx.set(uetrs, { submitter, uetr }, key)
  return undefined
}

/** Time and transaction of the block entry that decides a claim. */
export function decidedBy({ transaction, env }: Pick<ExecContext, 'transaction' | 'env'>) {
  return {
    transactionHash: transaction.id,
    receivedAtMs: transaction.payload?.createdAtMs ?? env.timeMs,
    height: env.height,
    timeMs: env.timeMs,
  }
}

export const alreadyPaid = (messageId: string): Rejection =>
  reject('iso_duplicate_message', `message ${messageId} of this submitter was paid`)

/** True if the message was paid or has several payments. */
export const isTaken = (ctx: ExecContext, key: Uint8Array): boolean =>
  ctx.get(claims, key) !== undefined || (hasRule(ctx, ISO_RULES.oneClaim) && ctx.has(heads, key))

export const claimMessage: Execution<ClaimMessage> = {
  cost: { base: 128 },
  execute(ctx, value) {
    const { submitter, family, messageId, bodyHash, details } = value
    const key = claimKey(submitter, family, messageId)
    if (!sameBytes(key, value.idHash)) return reject('iso_claim', 'id_hash does not belong to this message')
    // Release 0.1.0 does not check the time of registration and counts no rows for it.
    const isDated = hasRule(ctx, ISO_RULES.datedSubmitters)
    const known = isDated ? submitterOf(ctx, submitter) : ctx.get(submitters, submitter)
    if (known === undefined) return unknownSubmitter()
    const denied = claimantFault(ctx, submitter)
    if (denied) return denied
    const [next, ...more] = ctx.instructions.slice(ctx.position + 1)
    if (next === undefined || next.def.kind !== assets.transfer.kind || more.length > 0) {
      return reject('iso_claim', 'a claim is followed by exactly one transfer')
    }
    const { asset, to: target, amount } = next.value as Transfer
    const { account: source, definition } = asset
    const paid = { source, target, definition, amount }
    if (isDated) {
      if (isTaken(ctx, key)) return alreadyPaid(messageId)
      const refused = claimFault(ctx, submitter, known, key, { ...paid, details })
      if (refused) return refused
      ctx.delete(payments, key)
    } else {
      if (!isNamed(ctx, known, source)) return debtorRefused()
      if (isTaken(ctx, key)) return alreadyPaid(messageId)
      const above = applyLimits(ctx, submitter, known, { definition, amount }, ctx.env.timeMs)
      if (above) return above
    }
    // Atomic with the transfer, because the transaction is.
    ctx.set(claims, key, { submitter, family, messageId, bodyHash, details, ...paid, ...decidedBy(ctx) })
    ctx.emit(events.messageClaimed, { submitter, family, messageId })
    return undefined
  },
  supersededBy(state, { idHash, bodyHash }) {
    const paid = state.get(claims, idHash)
    return paid !== undefined && sameBytes(paid.bodyHash, bodyHash) ? paid.transactionHash : undefined
  },
}
