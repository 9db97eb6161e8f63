/** Owns the parse: conversion of the ordered nodes of the library to elements with resolved namespaces. */
import { XMLParser } from 'fast-xml-parser'
import type { FaultList } from '../fault.js'
import { MAX_DEPTH } from '../limits.js'
import { decodeReferences } from './characters.js'
import type { XmlAttribute, XmlElement } from './element.js'
import type { SourceText } from './source.js'

const TEXT = '#text'
const COMMENT = '#comment'
const CDATA = '#cdata'
const ATTRIBUTES = ':@'
const ATTRIBUTE_MARK = '@'

// All conversion, trimming, merging, decoding and stripping of the library is off: values remain text, names remain
// qualified.
const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: ATTRIBUTE_MARK,
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  processEntities: false,
  htmlEntities: false,
  removeNSPrefix: false,
  commentPropName: COMMENT,
  cdataPropName: CDATA,
  maxNestedTags: MAX_DEPTH,
  strictReservedNames: true,
  // Paths and places are computed here.
  jPath: false,
  captureMetaData: false,
})

interface RawNode {
  readonly [name: string]: unknown
}

/** Prefixes in scope; declarations of an element take precedence over those of enclosing elements. */
class Scope {
  constructor(
    private readonly own: ReadonlyMap<string, string>,
    private readonly outer?: Scope,
  ) {}

  /** Namespace of a prefix; undefined if it is not declared. Nesting is shallow. */
  get(prefix: string): string | undefined {
    return this.own.get(prefix) ?? this.outer?.get(prefix)
  }
}

const XML_NAMESPACE = 'http://www.w3.org/XML/1998/namespace'
const XMLNS_NAMESPACE = 'http://www.w3.org/2000/xmlns/'
const ROOT_SCOPE = new Scope(
  new Map([
    ['', ''],
    ['xml', XML_NAMESPACE],
  ]),
)

/**
 * Parse text that the lexical pass accepted.
 *
 * @param offsets offsets of the start tags found by the lexical pass; the text is refused if the parser finds others
 * @returns the root element, or undefined with at least one fault added
 */
export function buildTree(source: SourceText, offsets: readonly number[], faults: FaultList): XmlElement | undefined {
  let nodes: RawNode[]
  try {
    nodes = parser.parse(source.text) as RawNode[]
  } catch (error) {
    faults.add({
      code: 'xml_not_well_formed',
      path: '/',
      at: source.place(0),
      expected: 'well-formed XML 1.0',
      hint: error instanceof Error ? error.message : 'The parser refuses the text.',
    })
    return undefined
  }
  const builder = new TreeBuilder(source, offsets, faults)
  const roots = nodes.flatMap((node) => {
    const name = nameOf(node)
    return name.startsWith('#') || name.startsWith('?') ? [] : [builder.element(node, name, ROOT_SCOPE, '')]
  })
  const root = roots[0]
  if (roots.length !== 1 || root === undefined || builder.count !== offsets.length || !builder.isSame) {
    faults.add({
      code: 'xml_not_well_formed',
      path: '/',
      at: source.place(0),
      expected: 'well-formed XML 1.0',
      hint: 'Two readings of the text differ.',
    })
    return undefined
  }
  return faults.isEmpty ? root : undefined
}

function nameOf(node: RawNode): string {
  for (const key in node) if (key !== ATTRIBUTES) return key
  return TEXT
}

class TreeBuilder {
  count = 0
  /** True if each element has the name of its start tag in the text. */
  isSame = true

  constructor(
    private readonly source: SourceText,
    private readonly offsets: readonly number[],
    private readonly faults: FaultList,
  ) {}

  element(node: RawNode, name: string, outer: Scope, outerPath: string): XmlElement {
    const offset = this.offsets[this.count] ?? 0
    this.count += 1
    this.isSame &&= this.source.text.startsWith(name, offset + 1)
    const raw = node[ATTRIBUTES] as Record<string, string> | undefined
    const [prefix, local] = split(name)
    const path = `${outerPath}/${local}`
    const scope = raw === undefined ? outer : this.declare(raw, outer, path, offset)
    const namespace = this.resolve(prefix, scope, name, path, offset)
    const attributes = raw === undefined ? NO_ATTRIBUTES : this.attributesOf(raw, scope, path, offset)
    const children: XmlElement[] = []
    let text = ''
    let interrupted: XmlElement['interrupted']
    for (const child of node[name] as RawNode[]) {
      const childName = nameOf(child)
      if (childName === TEXT) text += decoded(child[TEXT] as string)
      else if (childName === COMMENT) interrupted ??= 'comment'
      else if (childName === CDATA) {
        interrupted = 'cdata'
        for (const part of child[CDATA] as RawNode[]) text += part[TEXT] as string
      } else children.push(this.element(child, childName, scope, path))
    }
    return { namespace, local, attributes, children, text, interrupted, offset }
  }

  /** Scope inside an element: the outer scope, or the outer scope with the declarations of the element. */
  private declare(raw: Record<string, string>, outer: Scope, path: string, offset: number): Scope {
    let own: Map<string, string> | undefined
    for (const key in raw) {
      const name = key.slice(ATTRIBUTE_MARK.length)
      if (name !== 'xmlns' && !name.startsWith('xmlns:')) continue
      const prefix = name === 'xmlns' ? '' : name.slice('xmlns:'.length)
      const uri = decoded(raw[key] ?? '')
      const legal =
        prefix === 'xml'
          ? uri === XML_NAMESPACE
          : prefix !== 'xmlns' && uri !== XML_NAMESPACE && uri !== XMLNS_NAMESPACE && (uri !== '' || prefix === '')
      if (!legal)
        this.fault(
          'xml_namespace',
          path,
          offset,
          `${name}="${uri}"`,
          'a namespace declaration that XML Namespaces 1.0 allows',
        )
      own ??= new Map()
      own.set(prefix, uri)
    }
    return own === undefined ? outer : new Scope(own, outer)
  }

  private attributesOf(
    raw: Record<string, string>,
    scope: Scope,
    path: string,
    offset: number,
  ): readonly XmlAttribute[] {
    const attributes: XmlAttribute[] = []
    for (const key in raw) {
      const name = key.slice(ATTRIBUTE_MARK.length)
      if (name === 'xmlns' || name.startsWith('xmlns:')) continue
      const [prefix, local] = split(name)
      // A default namespace does not apply to attributes (XML Namespaces 1.0, section 6.2).
      const namespace = prefix === '' ? '' : this.resolve(prefix, scope, name, path, offset)
      if (attributes.some((other) => other.local === local && other.namespace === namespace)) {
        this.fault('xml_duplicate_attribute', path, offset, name, 'each attribute once')
      }
      attributes.push({ namespace, local, value: decoded((raw[key] ?? '').replace(/[\t\n]/g, ' ')) })
    }
    return attributes
  }

  private resolve(prefix: string, scope: Scope, name: string, path: string, offset: number): string {
    const namespace = scope.get(prefix)
    if (namespace !== undefined) return namespace
    this.fault('xml_undeclared_prefix', path, offset, name, `a declaration xmlns:${prefix}="…"`)
    return ''
  }

  private fault(code: string, path: string, offset: number, value: string, expected: string): void {
    this.faults.add({ code, path, at: this.source.place(offset), value, expected, hint: 'See XML Namespaces 1.0.' })
  }
}

const NO_ATTRIBUTES: readonly XmlAttribute[] = []

function split(name: string): [prefix: string, local: string] {
  const colon = name.indexOf(':')
  return colon < 0 ? ['', name] : [name.slice(0, colon), name.slice(colon + 1)]
}

/** Decode text whose references the lexical pass has checked. */
function decoded(raw: string): string {
  const result = decodeReferences(raw)
  if (!result.ok) throw new Error('reference passed the lexical pass but does not decode')
  return result.text
}
