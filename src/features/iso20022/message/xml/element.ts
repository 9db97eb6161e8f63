/** Owns the namespace-aware element tree of a body. */

/** One attribute; namespace declarations are excluded. */
export interface XmlAttribute {
  /** Namespace name, '' for an attribute without prefix. */
  readonly namespace: string
  readonly local: string
  readonly value: string
}

/** One element with its expanded name. */
export interface XmlElement {
  /** Namespace name, '' for none. */
  readonly namespace: string
  readonly local: string
  readonly attributes: readonly XmlAttribute[]
  readonly children: readonly XmlElement[]
  /** Character data of the element itself, references decoded, comments omitted, CDATA sections included. */
  readonly text: string
  /** The markup, if any, that interrupts the character data; if both kinds do, `cdata`. */
  readonly interrupted: 'comment' | 'cdata' | undefined
  /** Offset of the start tag in the source text. */
  readonly offset: number
}

/** The XML Schema instance namespace (xsi:nil, xsi:schemaLocation). */
export const XSI_NAMESPACE = 'http://www.w3.org/2001/XMLSchema-instance'

/** Value of an attribute by its expanded name. */
export function attributeOf(element: XmlElement, local: string, namespace = ''): string | undefined {
  return element.attributes.find((attribute) => attribute.local === local && attribute.namespace === namespace)?.value
}

/** Children of an element by local name; namespaces need no check, because the structure was checked before. */
export function childrenNamed(element: XmlElement | undefined, name: string): readonly XmlElement[] {
  return element === undefined
    ? []
    : element.children.filter((child) => child.local === name && child.namespace === element.namespace)
}

/** First child of an element with a local name. */
export function childNamed(element: XmlElement | undefined, name: string): XmlElement | undefined {
  return element?.children.find((child) => child.local === name && child.namespace === element.namespace)
}

/** True if the element has xsi:nil. ISO 20022 elements cannot be nil, so it has no value. */
export function isNil(element: XmlElement): boolean {
  if (element.attributes.length === 0) return false
  const value = attributeOf(element, 'nil', XSI_NAMESPACE)?.trim()
  return value === 'true' || value === '1'
}

/** True if character data consists of blanks only. */
export function isBlankText(text: string): boolean {
  return text === '' || !/[^ \t\r\n]/.test(text)
}
