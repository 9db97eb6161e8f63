/** Owns the XML form of a status: pacs.002.001.10, as `Accept: application/xml` gets it. */
import { toHex } from '../../../codec/bytes.js'
import { hash } from '../../../crypto/hash.js'
import { keyBytes } from '../../../model/index.js'
import { escapeXml } from '../message/xml/escape.js'
import type { IsoFamily } from './instructions.js'
import type { IsoRecordView } from './views.js'

/** Namespace of the message. */
export const PACS_002_NAMESPACE = 'urn:iso:std:iso:20022:tech:xsd:pacs.002.001.10'
/** Definition of the message that a status is about. */
const ORIGINAL: Readonly<Record<IsoFamily, string>> = { pacs008: 'pacs.008.001.08', pacs009: 'pacs.009.001.10' }
/** Characters of one line of additional information (Max105Text). */
const INFO_MAX_CHARS = 105
/** Reasons of ISO's external code set have four characters; the ledger's own words go to Prtry. */
const ISO_REASON = /^[A-Z]{2}[A-Z0-9]{2}$/

const element = (name: string, text: string | undefined): string =>
  text === undefined ? '' : `<${name}>${escapeXml(text)}</${name}>`

/** One reason: an ISO code or a word of the ledger. */
const reasonOf = (code: string): string => `<Rsn>${element(ISO_REASON.test(code) ? 'Cd' : 'Prtry', code)}</Rsn>`

/** Lines of additional information of at most 105 characters. */
function infoOf(lines: readonly (string | undefined)[]): string {
  return lines
    .filter((line): line is string => line !== undefined && line !== '')
    .map((line) => element('AddtlInf', Array.from(line).slice(0, INFO_MAX_CHARS).join('')))
    .join('')
}

/** Reasons of a status: of the rejection, of the hold, of each change; the transaction hash fits no other element. */
function reasonsOf(view: IsoRecordView): string {
  const hash = view.transactionHash === undefined ? undefined : `transaction ${toHex(view.transactionHash)}`
  const reasons: string[] = []
  if (view.pacs002Code === 'RJCT') {
    const detail = infoOf([view.detail, hash])
    reasons.push(`<StsRsnInf>${reasonOf(view.rejectionReasonCode ?? 'NARR')}${detail}</StsRsnInf>`)
  } else {
    if (view.holdReasonCode !== undefined && view.status === 'pending' && view.transactionHash === undefined) {
      reasons.push(`<StsRsnInf>${reasonOf(view.holdReasonCode)}</StsRsnInf>`)
    }
    for (const code of view.changeReasonCodes) reasons.push(`<StsRsnInf>${reasonOf(code)}</StsRsnInf>`)
    if (hash !== undefined) reasons.push(`<StsRsnInf>${infoOf([hash])}</StsRsnInf>`)
  }
  return reasons.join('')
}

/**
 * The status as a pacs.002.001.10 document. Its own id is made of the time of the status and the position of the
 * message, so that the same status always is the same document.
 */
export function pacs002Xml(view: IsoRecordView): string {
  const at = new Date(view.updatedAtMs).toISOString()
  const tag = hash('iso-status', keyBytes(view.submitter), Buffer.from(`${view.family}:${view.messageId}`))
    .toString('hex')
    .slice(0, 12)
  const id = `STS-${view.updatedAtMs.toString(36)}-${view.pacs002Code}-${tag}`
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="${PACS_002_NAMESPACE}"><FIToFIPmtStsRpt>` +
    `<GrpHdr>${element('MsgId', id)}${element('CreDtTm', at)}</GrpHdr>` +
    `<OrgnlGrpInfAndSts>${element('OrgnlMsgId', view.messageId)}${element('OrgnlMsgNmId', ORIGINAL[view.family])}` +
    `${element('GrpSts', view.pacs002Code)}</OrgnlGrpInfAndSts>` +
    `<TxInfAndSts>${element('OrgnlInstrId', short(view.instructionId))}` +
    `${element('OrgnlEndToEndId', short(view.endToEndId))}${element('OrgnlTxId', short(view.senderTransactionId))}` +
    `${element('OrgnlUETR', view.uetr)}${element('TxSts', view.pacs002Code)}${reasonsOf(view)}</TxInfAndSts>` +
    '</FIToFIPmtStsRpt></Document>\n'
  )
}

/** Max35Text; the reader let no longer one in. */
const short = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : Array.from(text).slice(0, 35).join('')
