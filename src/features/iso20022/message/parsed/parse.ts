/** Owns the parsing of any ISO 20022 body: payments as the bridge reads them, other families by their tables. */
import { collectParts, type Envelope, openEnvelope, openHeader } from '../envelope.js'
import { PAYMENT_FAMILIES } from '../families.js'
import { type FaultStage, type IsoFault, WHOLE_BODY } from '../fault.js'
import { definitionOf, type FlatBody, isEmptyText, isFlatRoot, readFlatText, readFlatXml } from '../flat.js'
import { readFlatJson } from '../flat-json.js'
import { checkHeader } from '../header.js'
import { type MessageFindings as Findings, noFindings, paymentsOfFlat, paymentsOfXml } from '../parse.js'
import type { PaymentFamilyName, PaymentMessage, PaymentsResult, ReadPayment } from '../payment.js'
import { decodeBody } from '../xml/decode.js'
import type { XmlElement } from '../xml/element.js'
import { readXmlText } from '../xml/gate.js'
import { SourceText } from '../xml/source.js'
import { familyOf, PARSED_FAMILIES, WORKFLOW_FAMILIES } from './catalogue.js'
import { flatTree } from './flat-tree.js'
import { type FieldValue, type ReadContext, readGroup } from './read.js'
import type { ParsedFamily } from './table.js'
import { checkParsedTotals } from './totals.js'

/** A valid message of any family. */
export interface ParsedMessage {
  readonly family: string
  /** Message definition; only the family if a flat body names no version. */
  readonly definition: string
  /** Payments of a message that the bridge would accept. */
  readonly booked: PaymentMessage | undefined
  readonly fields: readonly FieldValue[]
}

export type MessageResult =
  | { readonly ok: true; readonly message: ParsedMessage; readonly warnings: readonly IsoFault[] }
  | {
      readonly ok: false
      readonly stage: FaultStage
      readonly faults: readonly IsoFault[]
      /** Payments of a message with several payments, by place. */
      readonly payments?: readonly ReadPayment[]
    }

export interface MessageOptions {
  /** Only accepted family; also the family of a flat body that names none. */
  readonly family?: string | undefined
}

/** Read a body of any known family. Pure, like `parsePayments`. */
export function parseMessage(bytes: Uint8Array, options: MessageOptions = {}): MessageResult {
  const decoded = decodeBody(bytes)
  if (!decoded.ok) return decoded
  const findings = noFindings()
  const { text } = decoded
  if (!/^\s*</.test(text)) {
    const source = new SourceText(text)
    const body = /^\s*\{/.test(text) ? readFlatJson(source, findings) : readFlatText(source, findings)
    if (body === undefined || isEmptyText(body)) return refused('malformed', findings)
    return fromFlat(bytes, body, options, findings)
  }
  const gate = readXmlText(text)
  if (!gate.ok) return gate
  if (isFlatRoot(gate.root)) {
    return fromFlat(bytes, readFlatXml(gate.root, gate.source, findings), options, findings)
  }
  return fromXml(bytes, gate.root, gate.source, options, findings)
}

function fromXml(
  bytes: Uint8Array,
  root: XmlElement,
  source: SourceText,
  options: MessageOptions,
  findings: Findings,
): MessageResult {
  const { documents, headers } = collectParts(root)
  if (documents.length === 0 && headers.length > 0 && (options.family ?? 'head.001') === 'head.001') {
    return fromHeader(root, source, findings)
  }
  const envelope = openEnvelope(root, source, findings.faults)
  if (envelope === undefined) return refused('invalid', findings)
  const { definition, element } = envelope.document
  const family = chosen(familyOf(definition), options, findings, {
    value: definition,
    at: source.place(element.offset),
  })
  if (family === undefined) return refused('invalid', findings)
  if (family === 'payment') {
    const wanted = { family: familyOf(definition) as PaymentFamilyName }
    return asPayments(paymentsOfXml(bytes, root, source, wanted, noFindings()))
  }
  checkHeader(envelope, source, findings)
  const body = bodyOf(envelope, family, source, findings)
  if (body === undefined) return refused('invalid', findings)
  return finish(family, definition, body, `/Document/${body.local}`, context(source, findings), findings)
}

const context = (source: SourceText, { faults, warnings }: Findings): ReadContext => ({
  form: 'xml',
  faults,
  warnings,
  placeOf: (one) => source.place(one.offset),
})

/** Read a header without a document as a message by itself. */
function fromHeader(root: XmlElement, source: SourceText, findings: Findings): MessageResult {
  const header = openHeader(root, source, findings.faults)
  const [family] = PARSED_FAMILIES
  if (header === undefined || family === undefined) return refused('invalid', findings)
  checkHeader({ document: header, header }, source, findings)
  return finish(family, header.definition, header.element, '/AppHdr', context(source, findings), findings)
}

function fromFlat(bytes: Uint8Array, body: FlatBody, options: MessageOptions, findings: Findings): MessageResult {
  const definition = definitionOf(body)
  const header = options.family === 'head.001' || body.message === 'head.001'
  const named = header ? 'head.001' : (body.message ?? definition ?? options.family)
  if (named === undefined) {
    findings.faults.add({
      code: 'family_missing',
      path: '/MsgDefIdr',
      at: WHOLE_BODY,
      expected: 'the family of the message',
      hint: 'Name it with MsgDefIdr, or with --family.',
    })
    return refused('invalid', findings)
  }
  const family = chosen(familyOf(named), options, findings, { value: named, at: WHOLE_BODY })
  if (family === undefined) return refused('invalid', findings)
  if (family === 'payment') {
    return asPayments(paymentsOfFlat(bytes, body, { family: familyOf(named) as PaymentFamilyName }, findings))
  }
  const tree = flatTree(body.pairs, family, findings)
  return finish(
    family,
    definition ?? family.family,
    tree.root,
    '',
    { form: 'flat', ...findings, placeOf: tree.placeOf },
    findings,
  )
}

function asPayments(result: PaymentsResult): MessageResult {
  if (!result.ok) return result
  const { message: booked, warnings } = result
  return { ok: true, message: { family: booked.family, definition: booked.definition, booked, fields: [] }, warnings }
}

/** Table of a family, or `payment`; undefined and a fault for an unsupported family. */
function chosen(
  family: string,
  options: MessageOptions,
  { faults }: Findings,
  found: { readonly value: string; readonly at: ReturnType<SourceText['place']> },
): ParsedFamily | 'payment' | undefined {
  const wanted = options.family === undefined ? undefined : familyOf(options.family)
  const add = (code: string, expected: string, hint: string): undefined => {
    faults.add({ code, path: '/Document', ...found, expected, hint })
  }
  if (wanted !== undefined && wanted !== family) return add('family_other', wanted, 'The message is of another family.')
  if (PAYMENT_FAMILIES.some((one) => one.family === family)) return 'payment'
  const table = PARSED_FAMILIES.find((one) => one.family === family)
  if (table !== undefined) return table
  const workflow = WORKFLOW_FAMILIES[family]
  if (workflow !== undefined) {
    return add(
      'family_workflow',
      'a family with a schema',
      `${family} (${workflow}) is a workflow reference: it has neither endpoint nor schema here.`,
    )
  }
  return add('family_unknown', 'a family of this bridge', '`causeway iso explain` lists the families.')
}

/** Only child of Document; a family of the catalogue prescribes its name. */
function bodyOf(
  { document }: Envelope,
  family: ParsedFamily,
  source: SourceText,
  { faults }: Findings,
): XmlElement | undefined {
  const [body, second] = document.element.children
  const isNamed = body !== undefined && (family.bodies.length === 0 || family.bodies.includes(body.local))
  if (body !== undefined && isNamed && second === undefined && body.namespace === document.element.namespace)
    return body
  faults.add({
    code: body === undefined ? 'element_missing' : 'element_unknown',
    path: '/Document',
    at: source.place((second ?? body ?? document.element).offset),
    value: (second ?? body)?.local ?? '',
    expected: family.bodies.length === 0 ? 'one element' : family.bodies.join(' or '),
  })
  return undefined
}

function finish(
  family: ParsedFamily,
  definition: string,
  element: XmlElement,
  path: string,
  reading: ReadContext,
  findings: Findings,
): MessageResult {
  const read = readGroup(family.group, element, path, reading)
  checkParsedTotals(read, family.totals, findings.faults)
  if (!findings.faults.isEmpty) return refused('invalid', findings)
  const message = { family: family.family, definition, booked: undefined, fields: read.values }
  return { ok: true, message, warnings: findings.warnings.list() }
}

const refused = (stage: FaultStage, { faults }: Findings): MessageResult => ({
  ok: false,
  stage,
  faults: faults.list(),
})
