/** Owns the way of a body through all stages: bytes in, a validated payment or the complete list of faults out. */
import { checkWindow, type Draft, type Findings, finish } from './draft.js'
import { type Envelope, openEnvelope } from './envelope.js'
import { extractDraft } from './extract.js'
import { PAYMENT_FAMILIES, type PaymentFamily } from './families.js'
import { FaultList, type FaultStage } from './fault.js'
import { type FlatBody, flatDraft, flatFamily, isEmptyText, isFlatRoot, readFlatText, readFlatXml } from './flat.js'
import { readFlatJson } from './flat-json.js'
import { checkHeader } from './header.js'
import type { ParseOptions, ParseResult } from './payment.js'
import { checkStructure } from './structure/check.js'
import { checkTotals } from './totals.js'
import { decodeBody } from './xml/decode.js'
import { childrenNamed, type XmlElement } from './xml/element.js'
import { readXmlText } from './xml/gate.js'
import { SourceText } from './xml/source.js'

/**
 * Reads a body as a payment message (specification 4.4): real XML in any wrapper, flat `Key=Value` lines, flat JSON, or flat XML.
 * Pure: no clock, no files, no network. Nothing is guessed, rounded or dropped; a refusal lists all faults of its stage
 * in document order.
 */
export function parsePayment(bytes: Uint8Array, options: ParseOptions = {}): ParseResult {
  const decoded = decodeBody(bytes)
  if (!decoded.ok) return decoded
  const findings: Findings = { faults: new FaultList(), warnings: new FaultList() }
  if (/^\s*</.test(decoded.text)) {
    const gate = readXmlText(decoded.text)
    if (!gate.ok) return gate
    return isFlatRoot(gate.root)
      ? paymentOfFlat(bytes, readFlatXml(gate.root, gate.source, findings), options, findings)
      : paymentOfXml(bytes, gate.root, gate.source, options, findings)
  }
  if (/^\s*\{/.test(decoded.text)) {
    const body = readFlatJson(new SourceText(decoded.text), findings)
    return body === undefined ? refused('malformed', findings) : paymentOfFlat(bytes, body, options, findings)
  }
  const body = readFlatText(new SourceText(decoded.text), findings)
  if (isEmptyText(body)) return refused('malformed', findings)
  return paymentOfFlat(bytes, body, options, findings)
}

/** A payment from the pairs of a flat body. */
export function paymentOfFlat(
  bytes: Uint8Array,
  body: FlatBody,
  options: ParseOptions,
  findings: Findings,
): ParseResult {
  const family = flatFamily(body, options, findings)
  if (family === undefined) return refused('invalid', findings)
  return toPayment(flatDraft(body, family, findings), family, bytes, options, findings)
}

/** A payment from the tree of an XML body. */
export function paymentOfXml(
  bytes: Uint8Array,
  root: XmlElement,
  source: SourceText,
  options: ParseOptions,
  findings: Findings,
): ParseResult {
  const envelope = openEnvelope(root, source, findings.faults)
  const family = envelope === undefined ? undefined : familyOf(envelope, source, options, findings)
  if (envelope === undefined || family === undefined) return refused('invalid', findings)
  checkHeader(envelope, source, findings)
  const document = envelope.document.element
  checkStructure(document, family.content, '/Document', {
    source,
    faults: findings.faults,
    namespace: document.namespace,
    reasonOf: (path) => family.reasons.get(path),
  })
  const body = childrenNamed(document, family.body)[0]
  // What comes next trusts values without a fault, which a list that was cut cannot tell.
  if (body === undefined || findings.faults.isCut) return refused('invalid', findings)
  const draft = extractDraft(envelope, family, source, findings)
  checkTotals(body, family, source, findings)
  compareIds(envelope, body, family, source, findings)
  return toPayment(draft, family, bytes, options, findings)
}

function toPayment(
  draft: Draft,
  family: PaymentFamily,
  bytes: Uint8Array,
  options: ParseOptions,
  findings: Findings,
): ParseResult {
  const payment = finish(draft, family, bytes, options, findings)
  if (payment === undefined) return refused('invalid', findings)
  const dates = new FaultList()
  checkWindow(draft, options, dates)
  const [untimely] = dates.list()
  return { ok: true, payment, warnings: findings.warnings.list(), untimely }
}

function refused(stage: FaultStage, { faults }: Findings): ParseResult {
  return { ok: false, stage, faults: faults.list() }
}

/** Whether a document is a message of this family, of whatever version. */
const isOf =
  (definition: string) =>
  ({ family }: PaymentFamily): boolean =>
    definition.startsWith(`${family}.`)

/** What to do with a document that is of none of the wanted definitions. */
function hintFor(definition: string, sameFamily: PaymentFamily | undefined): string {
  if (sameFamily !== undefined) return `Only version ${sameFamily.definition.slice(-2)} is booked; convert the message.`
  const booked = PAYMENT_FAMILIES.find(isOf(definition))
  return booked === undefined ? 'Messages of this family are not booked here.' : `Submit it as ${booked.family}.`
}

/** The family of the Document's namespace: exactly one version of each is booked. */
function familyOf(
  { document }: Envelope,
  source: SourceText,
  { family }: ParseOptions,
  { faults }: Findings,
): PaymentFamily | undefined {
  const wanted = PAYMENT_FAMILIES.filter((candidate) => family === undefined || candidate.family === family)
  const exact = wanted.find((candidate) => candidate.definition === document.definition)
  if (exact !== undefined) return exact
  const expected = wanted.map((candidate) => candidate.definition).join(' or ')
  const sameFamily = wanted.find(isOf(document.definition))
  faults.add({
    code: sameFamily === undefined ? 'family_other' : 'definition_other',
    path: '/Document',
    at: source.place(document.element.offset),
    value: document.definition,
    expected,
    hint: hintFor(document.definition, sameFamily),
  })
  return undefined
}

/** A header whose business id is not the message id is legal, but often a mistake of the sender. */
function compareIds(
  { header }: Envelope,
  body: XmlElement,
  family: PaymentFamily,
  source: SourceText,
  { warnings }: Findings,
): void {
  const business = childrenNamed(header?.element, 'BizMsgIdr')[0]
  const message = childrenNamed(childrenNamed(body, 'GrpHdr')[0], 'MsgId')[0]
  if (family.family !== 'pacs.008' || business === undefined || message === undefined || business.text === message.text)
    return
  warnings.add({
    code: 'business_id_differs',
    path: '/AppHdr/BizMsgIdr',
    at: source.place(business.offset),
    value: business.text,
    expected: message.text,
    hint: 'GrpHdr/MsgId is the identity of the message.',
  })
}
