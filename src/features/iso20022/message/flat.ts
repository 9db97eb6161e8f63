/** Owns the flat forms: `Key=Value` lines, and the same pairs as ISO20022/Field elements. */
import type { Draft, Findings, LocatedValue } from './draft.js'
import { DraftFields } from './draft-fields.js'
import {
  AMOUNT_PLACE,
  type FieldName,
  type FieldRow,
  INSTRUCTION_PLACE,
  PAYMENT_FAMILIES,
  type PaymentFamily,
  placePath,
} from './families.js'
import { type Place, WHOLE_BODY } from './fault.js'
import { MAX_FLAT_LINES } from './limits.js'
import type { ParseOptions } from './payment.js'
import { isPinName, PinCollector } from './pins.js'
import { checkRules } from './rules.js'
import { collapse } from './values/blanks.js'
import { canonicalIban } from './values/iban.js'
import { leafType } from './values/leaf.js'
import { FORBIDDEN_CHARACTER } from './xml/characters.js'
import { attributeOf, type XmlElement } from './xml/element.js'
import type { SourceText } from './xml/source.js'

/** One pair with its place; the value as the form has it. Lines have no blanks around it, JSON and XML may. */
export interface Pair extends LocatedValue {
  readonly key: string
}

/** How the pairs of a flat body are written. */
export type FlatForm = 'lines' | 'json' | 'xml'

/** What a fault asks for in the words of the form that the sender wrote. */
const WORDS: Readonly<Record<FlatForm, { readonly field: (key: string) => string; readonly family: string }>> = {
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

/** A flat body: its pairs, and the family it names itself, if any. */
export interface FlatBody {
  readonly form: FlatForm
  readonly pairs: readonly Pair[]
  readonly message?: string | undefined
}

const REMITTANCE = /^RmtInf\/Ustrd(?:\[[0-9]{1,5}\])?$/
/** Type of a line of remittance, as in XML. */
const REMITTANCE_TYPE = 'text140'
/** What input methods of East Asian scripts write for the equals sign; no key has it. */
const FULL_WIDTH_EQUALS = '\uff1d'
const PIN_PREFIX = 'SplmtryData/'
/** Key of the currency, which XML has as an attribute of the amount. */
const CURRENCY_KEY = 'IntrBkSttlmCcy'
const AMOUNT_KEY = 'IntrBkSttlmAmt'
/** Key of a code for the agent of the creditor, without the number that it may have. */
const INSTRUCTION_KEY = 'InstrForCdtrAgt/Cd'

/** Reads `Key=Value` lines: split at the first `=`, both sides trimmed, blank lines skipped. */
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

/** Whether lines hold nothing to read; of the other forms an empty one says what it is, and what it lacks is told. */
export const isEmptyText = ({ form, pairs, message }: FlatBody): boolean =>
  pairs.length === 0 && (form === 'lines' || (form === 'json' && message === undefined))

/** Whether an element is the root of the flat XML form. */
export function isFlatRoot(root: XmlElement): boolean {
  return root.local === 'ISO20022' && root.namespace === ''
}

/** Reads `<ISO20022 message="pacs.008"><Field path="MsgId">m1</Field>…</ISO20022>`. */
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

/** The message definition that a flat body names itself. */
export function definitionOf({ pairs }: FlatBody): string | undefined {
  const found = pairs.find(({ key }) => isKey(key, 'MsgDefIdr', 'H/MsgDefIdr'))
  return found && collapse(found.value)
}

/** The family of a flat body: the one it names, else the one the request is for. */
export function flatFamily(body: FlatBody, options: ParseOptions, { faults }: Findings): PaymentFamily | undefined {
  const definition = definitionOf(body)
  const named = body.message ?? definition?.split('.').slice(0, 2).join('.') ?? options.family
  const family = PAYMENT_FAMILIES.find((candidate) => candidate.family === named)
  const names = PAYMENT_FAMILIES.map((candidate) => candidate.family).join(' or ')
  const add = (code: string, value: string, expected: string) =>
    faults.add({ code, path: '/MsgDefIdr', at: WHOLE_BODY, value, expected, hint: WORDS[body.form].family })
  if (named === undefined) add('family_missing', '', names)
  else if (family === undefined || (options.family !== undefined && family.family !== options.family))
    add('family_other', named, options.family ?? names)
  else if (definition !== undefined && definition !== family.definition && definition !== family.family)
    add('definition_other', definition, family.definition)
  else return family
  return undefined
}

/** Sorts the pairs into fields, each checked by its type. */
export function flatDraft(body: FlatBody, family: PaymentFamily, findings: Findings): Draft {
  const { faults, warnings } = findings
  const fields = new Map<FieldName, LocatedValue>()
  const remittance: string[] = []
  const instructions: LocatedValue[] = []
  const pins = new PinCollector(faults)
  const seen = new Set<string>()
  let amount: LocatedValue | undefined
  let currency: LocatedValue | undefined
  for (const pair of body.pairs) {
    if (REMITTANCE.test(pair.key)) {
      const line = checked(pair, REMITTANCE_TYPE, findings)
      if (line !== undefined) remittance.push(line.value)
      continue
    }
    if (isKey(pair.key.replace(/\[[0-9]+\]/g, ''), INSTRUCTION_KEY, INSTRUCTION_PLACE)) {
      const code = checked(pair, 'id4', findings)
      if (code !== undefined) instructions.push(code)
      continue
    }
    const pin = pair.key.slice(pair.key.lastIndexOf('/') + 1)
    if (pair.key.includes(PIN_PREFIX)) {
      if (isPinName(pin)) pins.add(pin, pair.value, pair.path, pair.at)
      else
        faults.add({
          code: 'pin_unknown',
          ...pair,
          expected: 'LedgerId, SourceAccountId, … after SplmtryData/',
          reasonCode: 'NARR',
        })
      continue
    }
    const row = family.fields.find((candidate) => isKey(pair.key, candidate.flat, ...candidate.places))
    const isAmount = isKey(pair.key, AMOUNT_KEY, AMOUNT_PLACE)
    const isCurrency = isKey(pair.key, CURRENCY_KEY, `${AMOUNT_PLACE}/@Ccy`)
    const id = row?.name ?? (isAmount ? AMOUNT_KEY : isCurrency ? CURRENCY_KEY : pair.key)
    if (seen.has(id)) {
      faults.add({ code: 'field_repeated', ...pair, expected: `${pair.key} once` })
      continue
    }
    seen.add(id)
    if (isAmount) amount = checked(pair, 'amount', findings)
    else if (isCurrency) currency = checked(pair, 'currency', findings)
    else if (row !== undefined) {
      const found = checked(
        row.type === 'iban' ? { ...pair, value: canonicalIban(pair.value) } : pair,
        row.type,
        findings,
        row,
      )
      if (found !== undefined) fields.set(row.name, found)
    } else if (!isKey(pair.key, 'MsgDefIdr', 'H/MsgDefIdr')) {
      warnings.add({ code: 'field_unknown', ...pair, expected: 'a key of the flat form', hint: 'It is not read.' })
    }
  }
  for (const row of family.fields)
    if (row.required && !seen.has(row.name)) missing(body.form, row.flat, row.reason, findings)
  if (!seen.has(AMOUNT_KEY)) missing(body.form, AMOUNT_KEY, 'AM12', findings)
  if (!seen.has(CURRENCY_KEY)) missing(body.form, CURRENCY_KEY, 'AM11', findings)
  const rules = new DraftFields(family, fields, instructions)
  checkRules(rules, family.rules, faults)
  return {
    fields,
    amount,
    currency,
    remittance,
    instructions: instructions.map(({ value }) => value),
    pins: pins.result(),
  }
}

/** Types whose blanks belong to the value; around all others they are taken off. */
const FREE_TEXT = /^(?:text|id)[0-9]+$/

function checked(raw: Pair, type: string, { faults }: Findings, row?: FieldRow): LocatedValue | undefined {
  const pair = FREE_TEXT.test(type) ? raw : { ...raw, value: collapse(raw.value) }
  const problem = leafType(type)?.check(pair.value) ?? row?.rule?.(pair.value)
  if (problem === undefined) return pair
  const code = pair.value === '' ? 'value_missing' : problem.code
  faults.add({
    ...problem,
    code,
    path: pair.path,
    at: pair.at,
    value: pair.value,
    reasonCode: row?.reason ?? problem.reasonCode,
  })
  return undefined
}

function missing(form: FlatForm, key: string, reasonCode: FieldRow['reason'], { faults }: Findings): void {
  if (faults.covers(`/${key}`)) return
  faults.add({
    code: 'field_required',
    path: `/${key}`,
    at: WHOLE_BODY,
    expected: WORDS[form].field(key),
    reasonCode,
    hint: 'The message cannot be booked without it.',
  })
}

/** Whether a key is the short one, or a path of the message, with or without Document and numbers. */
function isKey(key: string, short: string, ...places: string[]): boolean {
  if (key === short) return true
  if (!key.includes('/')) return false
  const plain = `/${key.replace(/\[[0-9]+\]/g, '').replace(/^\//, '')}`
  return places.some((place) =>
    PAYMENT_FAMILIES.some(
      ({ body }) =>
        placePath(body, place, 0) === plain ||
        `/${body}${placePath(body, place, 0).slice(`/Document/${body}`.length)}` === plain,
    ),
  )
}

function fromBase64(text: string): string | undefined {
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(text, 'base64'))
  } catch {
    return undefined
  }
}
