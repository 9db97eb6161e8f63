/** Owns the flat forms: `Key=Value` lines, and the same pairs as ISO20022/Field elements. */

import { FORBIDDEN_CHARACTER } from '../schema/xml-text.js'
import type { Findings } from './draft.js'
import { PAYMENT_FAMILIES, type PaymentFamily } from './families.js'
import { type Place, WHOLE_BODY } from './fault.js'
import { isDefinitionKey } from './flat-keys.js'
import { MAX_FLAT_LINES } from './limits.js'
import type { ParseOptions } from './payment.js'
import { collapse } from './values/blanks.js'
import { attributeOf, type XmlElement } from './xml/element.js'
import type { SourceText } from './xml/source.js'

/**
 * A pair with its place and the value as written. Values in lines have no surrounding blanks; values in JSON and XML
 * may.
 */
export interface Pair {
  readonly key: string
  readonly value: string
  readonly path: string
  readonly at: Place
}

/** Notation of the pairs of a flat body. */
export type FlatForm = 'lines' | 'json' | 'xml'

/** Terms of each form for the texts of faults. */
export const FORM_WORDS: Readonly<
  Record<FlatForm, { readonly field: (key: string) => string; readonly family: string }>
> = {
  lines: { field: (key) => `a line ${key}=…`, family: 'Name the message with MsgDefIdr.' },
  json: {
    field: (key) => `a field "${key}" with a text`,
    family: 'Name the message with the field "message" or "MsgDefIdr".',
  },
  xml: {
    field: (key) => `<Field path="${key}">…</Field>`,
    family: 'Name the message with the attribute message, or with the field MsgDefIdr.',
  },
}

/** A flat body: its pairs, and its family if it names one. */
export interface FlatBody {
  readonly form: FlatForm
  readonly pairs: readonly Pair[]
  readonly message?: string | undefined
  /** Number of entries in a list of payments; an entry without a value has no pair. */
  readonly listed?: number | undefined
}

/** Equals sign of East Asian input methods; no key contains it. */
const FULL_WIDTH_EQUALS = '\uff1d'

/** Read `Key=Value` lines: split at the first `=`, trim both sides, skip blank lines. */
export function readFlatText(source: SourceText, { faults }: Findings): FlatBody {
  const pairs: Pair[] = []
  const lines = source.text.split('\n')
  if (lines.length > MAX_FLAT_LINES) {
    faults.add({
      code: 'flat_lines',
      path: '/',
      at: WHOLE_BODY,
      value: `${lines.length} lines`,
      expected: `at most ${MAX_FLAT_LINES} lines`,
    })
    return { form: 'lines', pairs }
  }
  lines.forEach((line, index) => {
    if (collapse(line) === '') return
    const at: Place = { offset: index, line: index + 1, column: 1 }
    if (FORBIDDEN_CHARACTER.test(line)) {
      faults.add({ code: 'flat_character', path: '/', at, value: line, expected: 'text without control characters' })
      return
    }
    const split = line.indexOf('=')
    const key = collapse(line.slice(0, Math.max(split, 0)))
    const isFullWidth = (split < 0 ? line : key).includes(FULL_WIDTH_EQUALS)
    if (split <= 0 || isFullWidth) {
      faults.add({
        code: 'flat_line',
        path: '/',
        at,
        value: collapse(line),
        expected: 'Key=Value',
        hint: isFullWidth
          ? 'The first equals sign of the line is a full-width one (U+FF1D). Write = instead.'
          : 'The body is neither XML nor lines of Key=Value.',
      })
      return
    }
    pairs.push({ key, value: collapse(line.slice(split + 1)), path: `/${key}`, at })
  })
  return { form: 'lines', pairs }
}

/**
 * True for key-value text without any field; the other forms are recognised even if empty, and report missing fields.
 */
export const isEmptyText = ({ form, pairs, message }: FlatBody): boolean =>
  pairs.length === 0 && (form === 'lines' || (form === 'json' && message === undefined))

/** True if an element is the root of the flat XML form. */
export function isFlatRoot(root: XmlElement): boolean {
  return root.local === 'ISO20022' && root.namespace === ''
}

/** Read `<ISO20022 message="pacs.008"><Field path="MsgId">m1</Field>…</ISO20022>`. */
export function readFlatXml(root: XmlElement, source: SourceText, { faults }: Findings): FlatBody {
  const pairs: Pair[] = []
  root.children.forEach((field, index) => {
    const at = source.place(field.offset)
    const key = attributeOf(field, 'path')?.trim() ?? ''
    const where = `/ISO20022/Field[${index + 1}]`
    if (field.local !== 'Field' || key === '' || field.children.length > 0) {
      faults.add({
        code: 'flat_field',
        path: where,
        at,
        value: field.local,
        expected: '<Field path="Key">value</Field>',
      })
      return
    }
    if (field.interrupted !== undefined) {
      faults.add({
        code: 'markup_in_value',
        path: `/${key}`,
        at,
        value: field.interrupted,
        expected: 'the value alone',
      })
      return
    }
    const encoding = attributeOf(field, 'encoding')
    if (encoding !== undefined && encoding !== 'base64') {
      faults.add({ code: 'flat_encoding', path: `/${key}`, at, value: encoding, expected: 'base64, or no encoding' })
      return
    }
    const value = encoding === undefined ? field.text : fromBase64(collapse(field.text))
    if (value === undefined)
      faults.add({ code: 'flat_encoding', path: `/${key}`, at, value: field.text, expected: 'base64 of UTF-8 text' })
    else pairs.push({ key, value, path: `/${key}`, at })
  })
  return { form: 'xml', pairs, message: attributeOf(root, 'message')?.trim() }
}

/** Message definition named in a flat body. */
export function definitionOf({ pairs }: FlatBody): string | undefined {
  const found = pairs.find(({ key }) => isDefinitionKey(key))
  return found && collapse(found.value)
}

/** Family that a flat body names, otherwise the family of the request. */
export function flatFamily(body: FlatBody, options: ParseOptions, { faults }: Findings): PaymentFamily | undefined {
  const definition = definitionOf(body)
  const named = body.message ?? definition?.split('.').slice(0, 2).join('.') ?? options.family
  const family = PAYMENT_FAMILIES.find((candidate) => candidate.family === named)
  const names = PAYMENT_FAMILIES.map((candidate) => candidate.family).join(' or ')
  const add = (code: string, value: string, expected: string) =>
    faults.add({ code, path: '/MsgDefIdr', at: WHOLE_BODY, value, expected, hint: FORM_WORDS[body.form].family })
  if (named === undefined) add('family_missing', '', names)
  else if (family === undefined || (options.family !== undefined && family.family !== options.family))
    add('family_other', named, options.family ?? names)
  else if (definition !== undefined && definition !== family.definition && definition !== family.family)
    add('definition_other', definition, family.definition)
  else return family
  return undefined
}

function fromBase64(text: string): string | undefined {
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(text, 'base64'))
  } catch {
    return undefined
  }
}
