/** Owns the XML form of a status: pacs.002.001.10, the response to `Accept: application/xml`. */
import { toHex } from '../../../codec/bytes.js'
import { formatNumeric, type Numeric } from '../../../codec/numeric.js'
import { hash } from '../../../crypto/hash.js'
import { add, keyBytes } from '../../../model/index.js'
import type { IsoFamily } from './instructions.js'
import type { IsoMessageView, IsoPaymentView, IsoRecordView } from './views.js'
import { escapeXml } from './xml-text.js'

/** Namespace of the message. */
export const PACS_002_NAMESPACE = 'urn:iso:std:iso:20022:tech:xsd:pacs.002.001.10'
/** Message definition of the original message, by family. */
const ORIGINAL: Readonly<Record<IsoFamily, string>> = { pacs008: 'pacs.008.001.08', pacs009: 'pacs.009.001.10' }
const ZERO: Numeric = { mantissa: 0n, scale: 0 }
/** Maximum characters of one line of additional information (Max105Text). */
const INFO_MAX_CHARS = 105
/** Form of the reasons of ISO's external code set; error codes of the ledger are written to Prtry. */
const ISO_REASON = /^[A-Z]{2}[A-Z0-9]{2}$/

const element = (name: string, text: string | undefined): string =>
  text === undefined ? '' : `<${name}>${escapeXml(text)}</${name}>`

/** Reason element: an ISO code or an error code of the ledger. */
const reasonOf = (code: string): string => `<Rsn>${element(ISO_REASON.test(code) ? 'Cd' : 'Prtry', code)}</Rsn>`

/** Lines of additional information of at most 105 characters. */
function infoOf(lines: readonly (string | undefined)[]): string {
  return lines
    .filter((line): line is string => line !== undefined && line !== '')
    .map((line) => element('AddtlInf', Array.from(line).slice(0, INFO_MAX_CHARS).join('')))
    .join('')
}

/** Fields of the transaction element. */
type Reported = Pick<
  IsoPaymentView,
  | 'instructionId'
  | 'endToEndId'
  | 'senderTransactionId'
  | 'uetr'
  | 'pacs002Code'
  | 'rejectionReasonCode'
  | 'detail'
  | 'holdReasonCode'
  | 'changeReasonCodes'
  | 'transactionHash'
>

/**
 * Reasons of a status: for the rejection, the hold and each change. They include the transaction hash, for which there
 * is no other element.
 */
function reasonsOf(view: Reported, isHeld: boolean): string {
  const hash = view.transactionHash === undefined ? undefined : `transaction ${toHex(view.transactionHash)}`
  const reasons: string[] = []
  if (view.pacs002Code === 'RJCT') {
    const detail = infoOf([view.detail, hash])
    reasons.push(`<StsRsnInf>${reasonOf(view.rejectionReasonCode ?? 'NARR')}${detail}</StsRsnInf>`)
  } else {
    if (view.holdReasonCode !== undefined && isHeld) {
      reasons.push(`<StsRsnInf>${reasonOf(view.holdReasonCode)}</StsRsnInf>`)
    }
    for (const code of view.changeReasonCodes) reasons.push(`<StsRsnInf>${reasonOf(code)}</StsRsnInf>`)
    if (hash !== undefined) reasons.push(`<StsRsnInf>${infoOf([hash])}</StsRsnInf>`)
  }
  return reasons.join('')
}

/** Transaction element of one payment. */
const transactionOf = (view: Reported, isHeld: boolean): string =>
  `<TxInfAndSts>${element('OrgnlInstrId', short(view.instructionId))}` +
  `${element('OrgnlEndToEndId', short(view.endToEndId))}${element('OrgnlTxId', short(view.senderTransactionId))}` +
  `${element('OrgnlUETR', view.uetr)}${element('TxSts', view.pacs002Code)}${reasonsOf(view, isHeld)}</TxInfAndSts>`

/** Control figures of a group, written before its status: the number of payments and, if known, their sum. */
function groupFigures({ every }: IsoMessageView): string {
  const amounts = every.map(({ amount }) => amount)
  const sum = amounts.reduce((total, amount) => total && amount && add(total, amount), ZERO as Numeric | undefined)
  return element('OrgnlNbOfTxs', String(every.length)) + element('OrgnlCtrlSum', sum && formatNumeric(sum))
}

/** Numbers of payments by status, written after the status of the group. */
const groupCounts = ({ statusCounts = [] }: IsoMessageView): string =>
  statusCounts
    .map(({ pacs002Code, numberOfTransactions, sums }) => {
      const sum = sums.length === 1 ? sums[0]?.amount : undefined
      const figures = `${element('DtldNbOfTxs', String(numberOfTransactions))}${element('DtldSts', pacs002Code)}`
      return `<NbOfTxsPerSts>${figures}${element('DtldCtrlSum', sum && formatNumeric(sum))}</NbOfTxsPerSts>`
    })
    .join('')

/**
 * Status as a pacs.002.001.10 document, with one transaction element per payment for a message with several. Its id is
 * derived from the time of the status and the position of the message, so that the same status always gives the same
 * document.
 */
export function pacs002Xml(view: IsoRecordView): string {
  const at = new Date(view.updatedAtMs).toISOString()
  const tag = hash('iso-status', keyBytes(view.submitter), Buffer.from(`${view.family}:${view.messageId}`))
    .toString('hex')
    .slice(0, 12)
  const id = `STS-${view.updatedAtMs.toString(36)}-${view.pacs002Code}-${tag}`
  const group = isMessageView(view) ? view : undefined
  const transactions =
    group === undefined
      ? transactionOf(view, view.status === 'pending' && view.transactionHash === undefined)
      : group.every.map((one) => transactionOf(one, one.status === 'held')).join('')
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="${PACS_002_NAMESPACE}"><FIToFIPmtStsRpt>` +
    `<GrpHdr>${element('MsgId', id)}${element('CreDtTm', at)}</GrpHdr>` +
    `<OrgnlGrpInfAndSts>${element('OrgnlMsgId', view.messageId)}${element('OrgnlMsgNmId', ORIGINAL[view.family])}` +
    `${group === undefined ? '' : groupFigures(group)}${element('GrpSts', view.pacs002Code)}` +
    `${group === undefined ? '' : groupCounts(group)}</OrgnlGrpInfAndSts>${transactions}` +
    '</FIToFIPmtStsRpt></Document>\n'
  )
}

const isMessageView = (view: IsoRecordView): view is IsoMessageView => 'every' in view

/** Text shortened to 35 characters (Max35Text), because the reader refuses longer texts. */
const short = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : Array.from(text).slice(0, 35).join('')
