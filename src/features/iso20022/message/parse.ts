/** Owns the reading of a body through all stages: from bytes to validated payments, or to the complete list of faults. */
import { isoBodyHash, PAYMENTS_MAX } from '../schema/instructions.js'
import { checkWindow, type Draft, type Findings, finish } from './draft.js'
import { type Envelope, openEnvelope } from './envelope.js'
import { elementsOf, extractDraft, type MessageElements, messagePins } from './extract.js'
import { PAYMENT_ELEMENT, PAYMENT_FAMILIES, type PaymentFamily } from './families.js'
import { FaultList, type FaultStage, type IsoFault, SplitFaults } from './fault.js'
import { type FlatBody, flatFamily, isEmptyText, isFlatRoot, readFlatText, readFlatXml } from './flat.js'
import { FlatPayments } from './flat-draft.js'
import { readFlatJson } from './flat-json.js'
import { checkHeader } from './header.js'
import type {
  ParseOptions,
  ParseResult,
  PaymentMessage,
  PaymentReferences,
  PaymentsOptions,
  PaymentsResult,
  ReadPayment,
} from './payment.js'
import { checkRepeated, checkTotals, paymentCountFault } from './several.js'
import { checkStructure } from './structure/check.js'
import { parseAmount } from './values/amount.js'
import { decodeBody } from './xml/decode.js'
import { childNamed, type XmlElement } from './xml/element.js'
import { readXmlText } from './xml/gate.js'
import { SourceText } from './xml/source.js'

/** Fault lists of one reading, before the number of payments is known. */
export interface MessageFindings {
  readonly faults: FaultList
  readonly warnings: FaultList
}

/** Empty fault lists. */
export const noFindings = (): MessageFindings => ({ faults: new FaultList(), warnings: new FaultList() })

/**
 * Read a body as a message of payments (specification 4.4): XML in any wrapper, flat `Key=Value` lines, flat JSON, or
 * flat XML. Pure: no clock, no files, no network. No value is guessed, rounded or dropped. A refusal lists all faults
 * of its stage in document order. If a message has several payments, a faulty payment is refused alone, and the first
 * fault of each payment is listed.
 */
export function parsePayments(bytes: Uint8Array, options: PaymentsOptions = {}): PaymentsResult {
  const decoded = decodeBody(bytes)
  if (!decoded.ok) return decoded
  const findings = noFindings()
  if (/^\s*</.test(decoded.text)) {
    const gate = readXmlText(decoded.text)
    if (!gate.ok) return gate
    return isFlatRoot(gate.root)
      ? paymentsOfFlat(bytes, readFlatXml(gate.root, gate.source, findings), options, findings)
      : paymentsOfXml(bytes, gate.root, gate.source, options, findings)
  }
  if (/^\s*\{/.test(decoded.text)) {
    const body = readFlatJson(new SourceText(decoded.text), findings)
    return body === undefined ? refused('malformed', findings) : paymentsOfFlat(bytes, body, options, findings)
  }
  const body = readFlatText(new SourceText(decoded.text), findings)
  if (isEmptyText(body)) return refused('malformed', findings)
  return paymentsOfFlat(bytes, body, options, findings)
}

/** Read a body as a message of one payment; a message with several is refused. */
export function parsePayment(bytes: Uint8Array, options: ParseOptions = {}): ParseResult {
  const read = parsePayments(bytes, { ...options, maxPayments: 1 })
  if (!read.ok) return read
  const { message, warnings } = read
  const [only] = message.payments
  if (only?.ok !== true) throw new Error('a message whose only payment is not sound was not refused')
  const { payment, untimely } = only
  return { ok: true, payment, bodyHash: message.bodyHash, warnings, untimely }
}

/** Read payments from the pairs of a flat body. */
export function paymentsOfFlat(
  bytes: Uint8Array,
  body: FlatBody,
  options: PaymentsOptions,
  findings: MessageFindings,
): PaymentsResult {
  const family = flatFamily(body, options, findings)
  if (family === undefined) return refused('invalid', findings)
  const flat = new FlatPayments(body, family)
  flat.checkNumbers(findings)
  const reading = new Reading(family, flat.count, options, findings)
  const { several } = reading
  if (!reading.isWithinBounds) {
    findings.faults.add(paymentCountFault(`/${PAYMENT_ELEMENT}`, undefined, flat.count, reading.maxPayments))
    return refused('invalid', findings)
  }
  if (several !== undefined) flat.checkGroup(reading.wholeFindings())
  const drafts = reading.places.map((place) => flat.draft(place, several !== undefined, reading.findingsOf(place)))
  if (several !== undefined) flat.checkTotals(drafts, reading.wholeFindings())
  return reading.finish(bytes, drafts, flat.batchBooking)
}

/** Read payments from the tree of an XML body. */
export function paymentsOfXml(
  bytes: Uint8Array,
  root: XmlElement,
  source: SourceText,
  options: PaymentsOptions,
  findings: MessageFindings,
): PaymentsResult {
  const { faults } = findings
  const envelope = openEnvelope(root, source, faults)
  const family = envelope === undefined ? undefined : familyOf(envelope, source, options, findings)
  if (envelope === undefined || family === undefined) return refused('invalid', findings)
  checkHeader(envelope, source, findings)
  const document = envelope.document.element
  const body = childNamed(document, family.body)
  const elements = body === undefined ? undefined : elementsOf(envelope, body)
  const reading = new Reading(family, elements?.payments.length ?? 0, options, findings)
  const whole = reading.wholeFindings()
  checkStructure(document, family.content, '/Document', {
    source,
    faults: whole.faults,
    namespace: document.namespace,
    reasonOf: (path) => family.reasons.get(path),
  })
  // Values without a fault are trusted from here on; a truncated fault list does not show which values those are.
  if (elements === undefined || faults.isCut) return refused('invalid', findings)
  const pins = messagePins(elements, family, source, whole)
  const drafts = reading.places.map((place) => {
    const found = reading.findingsOf(place)
    return found.faults.isCut ? undefined : extractDraft(elements, pins, place, family, source, found)
  })
  if (!reading.isWithinBounds) {
    const second = elements.payments[1]
    const at = second && source.place(second.offset)
    faults.add(
      paymentCountFault(
        `/Document/${family.body}/${PAYMENT_ELEMENT}`,
        at,
        elements.payments.length,
        reading.maxPayments,
      ),
    )
  }
  checkTotals(elements, family, source, whole)
  compareIds(elements, family, source, findings)
  return reading.finish(bytes, drafts, isBatchBooked(elements))
}

/** State of reading a message: the number of its payments, and the fault lists. */
class Reading {
  readonly maxPayments: number
  /** Faults by payment; undefined: all faults belong to the message. */
  readonly several: SplitFaults | undefined
  /** Places of the payments that are read; only the first one if there are too many. */
  readonly places: readonly number[]

  constructor(
    private readonly family: PaymentFamily,
    private readonly count: number,
    private readonly options: PaymentsOptions,
    private readonly findings: MessageFindings,
  ) {
    this.maxPayments = options.maxPayments ?? PAYMENTS_MAX
    const isSeveral = count > 1 && this.isWithinBounds
    this.several = isSeveral ? new SplitFaults(findings.faults, count, PAYMENT_ELEMENT) : undefined
    this.places = Array.from({ length: isSeveral ? count : 1 }, (_, at) => at + 1)
  }

  get isWithinBounds(): boolean {
    return this.count <= this.maxPayments
  }

  /** Fault sinks for the message; faults of a payment are added to its own list. */
  wholeFindings(): Findings {
    const { several, findings } = this
    return several === undefined ? findings : { faults: several.sink(findings.faults), warnings: findings.warnings }
  }

  /** Fault sinks for the payment at a place; faults of the message are added to its own list. */
  findingsOf(place: number): Findings {
    const { several, findings } = this
    return several === undefined ? findings : { faults: several.sink(several.of(place)), warnings: findings.warnings }
  }

  /** Result of the reading. A draft is undefined for a payment that could not be read. */
  finish(bytes: Uint8Array, drafts: readonly (Draft | undefined)[], batchBooking: boolean): PaymentsResult {
    const { several, family, findings } = this
    if (several !== undefined) checkRepeated(drafts, several)
    const payments = drafts.map((draft, at) => this.payment(draft, at + 1))
    const isSound = payments.some(({ ok }) => ok) && (several === undefined || several.message.isEmpty)
    if (!isSound) {
      if (several === undefined) return refused('invalid', findings)
      return { ok: false, stage: 'invalid', faults: [...several.message.list(), ...firstFaults(payments)], payments }
    }
    const first = payments.find((one) => one.ok)
    if (first?.ok !== true) throw new Error('a sound message has no sound payment')
    const { definition, messageId } = first.payment
    const bodyHash = isoBodyHash(bytes)
    const message: PaymentMessage = {
      family: family.family,
      definition,
      messageId,
      batchBooking,
      bodyHash,
      payments,
    }
    return { ok: true, message, warnings: findings.warnings.list() }
  }

  private payment(draft: Draft | undefined, place: number): ReadPayment {
    const found = this.findingsOf(place)
    const payment = draft === undefined ? undefined : finish(draft, this.family, this.options, found)
    if (draft === undefined || payment === undefined) {
      const faults = (this.several?.of(place) ?? this.findings.faults).list()
      return { ok: false, faults, references: referencesOf(draft) }
    }
    const dates = new FaultList()
    checkWindow(draft, this.options, dates)
    return { ok: true, payment, untimely: dates.list()[0] }
  }
}

function refused(stage: FaultStage, { faults }: MessageFindings): PaymentsResult & { readonly ok: false } {
  return { ok: false, stage, faults: faults.list() }
}

/** First fault of each faulty payment. */
const firstFaults = (payments: readonly ReadPayment[]): IsoFault[] =>
  payments.flatMap((one) => (one.ok ? [] : one.faults.slice(0, 1)))

function referencesOf(draft: Draft | undefined): PaymentReferences {
  const text = (name: 'instructionId' | 'endToEndId' | 'transactionId' | 'uetr') => draft?.fields.get(name)?.value
  const currency = draft?.currency?.value
  const parsed =
    draft?.amount === undefined || currency === undefined ? undefined : parseAmount(draft.amount.value, currency)
  return {
    instructionId: text('instructionId'),
    endToEndId: text('endToEndId'),
    transactionId: text('transactionId'),
    uetr: text('uetr'),
    amount: parsed?.ok === true && currency !== undefined ? { value: parsed.amount, currency } : undefined,
  }
}

const isBatchBooked = ({ group }: MessageElements): boolean => {
  const text = childNamed(group, 'BtchBookg')?.text.trim()
  return text === 'true' || text === '1'
}

/** True if a document is a message of this family, of any version. */
const isOf =
  (definition: string) =>
  ({ family }: PaymentFamily): boolean =>
    definition.startsWith(`${family}.`)

/** Hint for a document with an unexpected definition. */
function hintFor(definition: string, sameFamily: PaymentFamily | undefined): string {
  if (sameFamily !== undefined) return `Only version ${sameFamily.definition.slice(-2)} is booked; convert the message.`
  const booked = PAYMENT_FAMILIES.find(isOf(definition))
  return booked === undefined ? 'Messages of this family are not booked here.' : `Submit it as ${booked.family}.`
}

/** Family of the Document's namespace: exactly one version of each is accepted. */
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

/**
 * Add a remark if the business id of the header differs from the message id, which is legal but often a mistake of the
 * sender.
 */
function compareIds(
  { header, group }: MessageElements,
  family: PaymentFamily,
  source: SourceText,
  { warnings }: Findings,
): void {
  const business = childNamed(header, 'BizMsgIdr')
  const message = childNamed(group, 'MsgId')
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
