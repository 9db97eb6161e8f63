/** Owns the handling of a payment whose UETR was used by the same submitter under another message id. */
import { formatAddress } from '../../../../model/index.js'
import type { IsoFault, Payment } from '../../message/index.js'
import type { BridgeContext } from '../context.js'
import { isoMetrics } from '../metrics.js'
import type { BridgeRecord } from '../record.js'
import type { MessageIdentity } from '../store.js'

/** Mutex identity shared by payments with one UETR; it is longer than any message id. */
export const uetrTurn = ({ submitter, family }: MessageIdentity, uetr: string): MessageIdentity => ({
  submitter,
  family,
  messageId: `uetr:${uetr}`,
})

/**
 * Find earlier payments with the UETR that this gateway accepted from the submitter and did not reject. Returns a fault
 * if the configuration refuses such payments; otherwise logs them.
 */
export async function duplicateUetr(
  { store, services, logger, duplicateUetr }: BridgeContext,
  identity: MessageIdentity & Pick<BridgeRecord, 'payments' | 'place'>,
  { uetr }: Payment,
): Promise<IsoFault | undefined> {
  if (uetr === undefined) return undefined
  const earlier = await store.ofUetr(identity, uetr)
  if (earlier.length === 0) return undefined
  isoMetrics(services.metrics).duplicateUetrs.inc()
  const names = earlier.map(({ family, messageId }) => `${family} ${messageId}`)
  if (duplicateUetr === 'warn') {
    const { messageId } = identity
    const submitter = formatAddress(identity.submitter, services.info.addressPrefix)
    logger.warn({ uetr, submitter, message_id: messageId, earlier: names }, 'a payment has the UETR of an earlier one')
    return undefined
  }
  return {
    code: 'uetr_duplicate',
    path: 'PmtId/UETR',
    line: 0,
    column: 0,
    value: uetr,
    expected: `a unique UETR; ${names.join(', ')} has the same`,
    reasonCode: 'DU03',
    hint: 'To repeat a payment, send the same message again; for another payment, make a new UETR.',
  }
}
