/** Owns the search for AppHdr and Document in any wrapper. */
import type { FaultSink } from './fault.js'
import { MAX_ENVELOPE_DEPTH } from './limits.js'
import { collapse } from './values/blanks.js'
import { isBlankText, type XmlElement } from './xml/element.js'
import type { SourceText } from './xml/source.js'

/** Namespace of every ISO 20022 message, without its definition. */
export const ISO_NAMESPACE = 'urn:iso:std:iso:20022:tech:xsd:'

const DEFINITION = /^[a-z]{4}\.[0-9]{3}\.[0-9]{3}\.[0-9]{2}$/

/** A header or document with its place. */
export interface Part {
  readonly element: XmlElement
  /** Message definition of its namespace, such as pacs.008.001.08. */
  readonly definition: string
}

/** Content of an envelope. */
export interface Envelope {
  readonly document: Part
  readonly header?: Part | undefined
}

/** Bodies that some senders use in place of a Document. */
const BODY_NAMES = /^(FIToFI[A-Za-z]+|FICdtTrf|CstmrCdtTrfInitn|CstmrPmtStsRpt|PmtRtr|BkToCstmr[A-Za-z0-9]+)$/

interface EnvelopeParts {
  readonly documents: XmlElement[]
  readonly headers: XmlElement[]
  readonly bodies: XmlElement[]
}

/**
 * Find exactly one Document and at most one AppHdr, in either order, as siblings or cousins. Wrapper names and
 * namespaces are free (DataPDU, RequestPayload, BusMsg, FedNowIncoming, …); names of the parts are exact.
 */
export function openEnvelope(root: XmlElement, source: SourceText, faults: FaultSink): Envelope | undefined {
  const found = collectParts(root)
  const add = (element: XmlElement, code: string, path: string, value: string, expected: string, hint: string) =>
    faults.add({ code, path, at: source.place(element.offset), value, expected, hint })

  const [document, ...moreDocuments] = found.documents
  const [header, ...moreHeaders] = found.headers
  for (const extra of moreDocuments)
    add(extra, 'document_repeated', '/Document', extra.namespace, 'one Document', 'Send one message per request.')
  for (const extra of moreHeaders)
    add(extra, 'header_repeated', '/AppHdr', extra.namespace, 'at most one AppHdr', 'Send one message per request.')
  if (document === undefined) {
    const body = found.bodies[0]
    if (body !== undefined) {
      add(
        body,
        'document_missing',
        `/${body.local}`,
        body.local,
        'a Document around it',
        `Wrap ${body.local} in <Document xmlns="${ISO_NAMESPACE}…">.`,
      )
    } else {
      add(
        root,
        'document_missing',
        `/${root.local}`,
        root.local,
        'a Document of ISO 20022',
        `Looked for Document down to depth ${MAX_ENVELOPE_DEPTH}.`,
      )
    }
  }
  const documentPart = document === undefined ? undefined : part(document, '/Document', 'document_namespace', add)
  const headerPart = header === undefined ? undefined : part(header, '/AppHdr', 'header_namespace', add)
  if (headerPart !== undefined && documentPart !== undefined) compareDefinitions(headerPart, documentPart, add)
  // With one well-formed Document the rest is checked too, so that all faults are reported at once.
  return documentPart !== undefined && moreDocuments.length === 0
    ? { document: documentPart, header: headerPart }
    : undefined
}

/** All documents, headers and bodies of a tree, down to the depth of the deepest envelope. */
export function collectParts(root: XmlElement): EnvelopeParts {
  const found: EnvelopeParts = { documents: [], headers: [], bodies: [] }
  collect(root, 1, found)
  return found
}

/** Find exactly one AppHdr, if there is no Document. */
export function openHeader(root: XmlElement, source: SourceText, faults: FaultSink): Part | undefined {
  const [header, second] = collectParts(root).headers
  const add: Add = (element, code, path, value, expected, hint) =>
    faults.add({ code, path, at: source.place(element.offset), value, expected, hint })
  if (second !== undefined)
    add(second, 'header_repeated', '/AppHdr', second.namespace, 'one AppHdr', 'Send one header.')
  return header === undefined ? undefined : part(header, '/AppHdr', 'header_namespace', add)
}

type Add = (element: XmlElement, code: string, path: string, value: string, expected: string, hint: string) => void

function collect(element: XmlElement, depth: number, found: EnvelopeParts): void {
  if (element.local === 'Document') found.documents.push(element)
  else if (element.local === 'AppHdr') found.headers.push(element)
  else {
    if (BODY_NAMES.test(element.local)) found.bodies.push(element)
    if (depth < MAX_ENVELOPE_DEPTH) for (const child of element.children) collect(child, depth + 1, found)
  }
}

function part(element: XmlElement, path: string, code: string, add: Add): Part | undefined {
  const { namespace } = element
  const definition = namespace.startsWith(ISO_NAMESPACE) ? namespace.slice(ISO_NAMESPACE.length) : ''
  if (DEFINITION.test(definition)) return { element, definition }
  const example = `${ISO_NAMESPACE}${element.local === 'AppHdr' ? 'head.001.001.02' : 'pacs.008.001.08'}`
  const hint =
    namespace === ''
      ? `Declare it as the default namespace: <${element.local} xmlns="${example}">.`
      : 'The namespace must be exact, letter by letter.'
  add(element, code, path, namespace === '' ? 'no namespace' : namespace, `a namespace such as ${example}`, hint)
  return undefined
}

/** Check that the header names the definition of its document; some markets append a scheme suffix to it. */
function compareDefinitions(header: Part, document: Part, add: Add): void {
  const element = header.element.children.find(
    (child) => child.local === 'MsgDefIdr' && child.namespace === header.element.namespace,
  )
  // An empty one is reported by the structure check of the header.
  if (element === undefined || isBlankText(element.text)) return
  const named = collapse(element.text).split('.').slice(0, 4).join('.')
  if (named === document.definition) return
  add(
    element,
    'definition_mismatch',
    '/AppHdr/MsgDefIdr',
    element.text.trim(),
    document.definition,
    'AppHdr/MsgDefIdr and the namespace of Document must name the same message.',
  )
}
