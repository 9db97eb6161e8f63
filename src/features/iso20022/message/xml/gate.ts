/** Owns the gate in front of the message rules: bytes become a trustworthy element tree, or a list of faults. */
import { FaultList, type FaultStage, type IsoFault } from '../fault.js'
import { decodeBody } from './decode.js'
import type { XmlElement } from './element.js'
import { scanMarkup } from './scan.js'
import { SourceText } from './source.js'
import { buildTree } from './tree.js'

/** A tree with its source, or the stage that failed and all its faults. */
export type GateResult =
  | { ok: true; root: XmlElement; source: SourceText }
  | { ok: false; stage: FaultStage; faults: IsoFault[] }

/**
 * Reads a body as XML 1.0. Refused, each with line and column: encodings other than UTF-8, any DOCTYPE, processing
 * instructions, illegal characters and references, markup that is not well-formed, undeclared prefixes, duplicate
 * attributes, several roots, and everything beyond the bounds of limits.ts. Nothing outside the body is ever loaded.
 */
export function readXml(bytes: Uint8Array): GateResult {
  const decoded = decodeBody(bytes)
  return decoded.ok ? readXmlText(decoded.text) : decoded
}

/** The same for a body that is decoded already. */
export function readXmlText(text: string): GateResult {
  const source = new SourceText(text)
  const faults = new FaultList()
  const scan = scanMarkup(source, faults)
  const root = faults.isEmpty ? buildTree(source, scan.offsets, faults) : undefined
  return root === undefined ? { ok: false, stage: 'malformed', faults: faults.list() } : { ok: true, root, source }
}
