/** Owns the gate before the message rules: conversion of bytes to a well-formed element tree, or a list of faults. */
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
 * Read a body as XML 1.0. Refused, each with line and column: encodings other than UTF-8, any DOCTYPE, processing
 * instructions, illegal characters and references, markup that is not well-formed, undeclared prefixes, duplicate
 * attributes, several roots, and everything beyond the limits of limits.ts. Nothing outside the body is ever loaded.
 */
export function readXml(bytes: Uint8Array): GateResult {
  const decoded = decodeBody(bytes)
  return decoded.ok ? readXmlText(decoded.text) : decoded
}

/** Read the text of an already decoded body as XML 1.0. */
export function readXmlText(text: string): GateResult {
  const source = new SourceText(text)
  const faults = new FaultList()
  const scan = scanMarkup(source, faults)
  const root = faults.isEmpty ? buildTree(source, scan.offsets, faults) : undefined
  return root === undefined ? { ok: false, stage: 'malformed', faults: faults.list() } : { ok: true, root, source }
}
