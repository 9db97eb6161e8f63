/** Owns the default text of a response: every field of its JSON as a pair, a table, or a count. */

import { cancelReasonText } from '../../api/schema/node.js'
import { durationText, exactDurationText } from '../../base/duration-text.js'
import { shortId } from '../../base/ids.js'
import type { Json } from '../../codec/index.js'
import { isJsonObject, type JsonObject } from '../../codec/schema.js'
import { type Directory, NO_NAMES } from '../gateway/directory.js'
import { textOf, type View } from '../gateway/gateway.js'
import { pairs, table } from '../terminal/output.js'
import { isoTime, percentText } from '../text/figures.js'

/** Maximum lines of a list; --json prints the whole response. */
const ROWS_MAX = 200

/** Maximum length of a value that is shown in full, in characters: a hash has 64 digits. */
const WHOLE_MAX = 66
/** Keys and hashes, which are shortened to their ends. */
const HEX = /^[0-9a-fA-F]{32,}$/

const NUMBER_OF_MS = /(^|_)ms$/
const NUMBER_OF_US = /_us$/
const NUMBER_OF_PPM = /(^|_)ppm$/
/** Lists of milliseconds whose name has no unit: the delays between the attempts of a charge. */
const LISTS_OF_MS: ReadonlySet<string> = new Set(['retries'])
/**
 * Number of milliseconds from which a value is a time since the Unix epoch (1973 and later); smaller ones are
 * durations.
 */
const EPOCH_MS_MIN = 100_000_000_000

/** Number of a field that has a unit; numbers of 64 bits are texts in JSON. */
function numberOf(value: Json | undefined): number | undefined {
  const number = typeof value === 'string' && /^[0-9]{1,16}$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : undefined
}

/**
 * Text of a field: times, durations and percentages in readable form, yes and no; undefined for null. `duration`: text
 * of a number of milliseconds.
 */
export function valueText(key: string, value: Json | undefined, duration = durationText): string | undefined {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (NUMBER_OF_US.test(key) && typeof value === 'number') return durationText(value / 1_000)
  const number = numberOf(value)
  if (number === undefined) return textOf(value)
  if (NUMBER_OF_PPM.test(key)) return percentText(number)
  if (!NUMBER_OF_MS.test(key)) return textOf(value)
  return number >= EPOCH_MS_MIN ? isoTime(number) : duration(number)
}

/** Text of a nested record, with readable names of reasons. */
const innerRecord = (key: string, record: JsonObject): JsonObject =>
  key === 'cancelled_mode' && typeof record['reason'] === 'string'
    ? { ...record, reason: cancelReasonText(record['reason']) }
    : record

/** Labels of fields whose name equals one of their values: `weak` has `Weak` or `Strong`. */
const LABELS: Readonly<Record<string, string>> = { weak: 'quality' }
const label = (key: string): string =>
  LABELS[key] ??
  (key.replace(NUMBER_OF_MS, '').replace(NUMBER_OF_US, '').replace(NUMBER_OF_PPM, '').replaceAll('_', ' ') || 'ms')
/** Label of a nested field by its path, without a repeated word: `relay_id` of `relay` is "relay id". */
function labelAt(path: string, key: string): string {
  const own = label(key)
  const last = path.slice(path.lastIndexOf(' ') + 1)
  return path === '' || own.startsWith(`${last} `)
    ? `${path.slice(0, path.length - last.length)}${own}`
    : `${path} ${own}`
}

/** Formats for the values of a record: on a separate line, or among other values. */
interface Forms {
  field(text: string): string
  item(text: string): string
}

/** Text of a value among other values. */
export const cellText = (text: string, names: Directory): string =>
  names.named(HEX.test(text) ? shortId(text) : text, 'short')

/** Formats for lines of pairs. */
const pairForms = (names: Directory): Forms => ({
  field: (text) => names.named(text.length > WHOLE_MAX && HEX.test(text) ? shortId(text) : text),
  item: (text) => cellText(text, names),
})
/** Formats for rows of a table. */
const rowForms = (names: Directory): Forms => ({
  field: (text) => cellText(text, names),
  item: (text) => cellText(text, names),
})

/** True for an array of records. */
const isList = (value: Json | undefined): value is readonly View[] & Json =>
  Array.isArray(value) && value.length > 0 && value.every(isJsonObject)

/** Texts of the values of a list on one line. Durations contain blanks, so they are joined by a word. */
function itemsText(key: string, values: readonly Json[], textAt: (key: string, value: Json) => string): string {
  const isMs = LISTS_OF_MS.has(key) || NUMBER_OF_MS.test(key)
  return values.map((one) => textAt(isMs ? `${key}_ms` : key, one)).join(isMs ? ' and ' : ' ')
}

/** Values of a list in one cell. */
const joined = (key: string, values: readonly Json[], forms: Forms): string =>
  itemsText(key, values, (name, one) => forms.item(valueText(name, one) ?? '-')) || '-'

/** Parts of a record: fields by path, and lists of records for tables. */
interface Parts {
  readonly fields: [string, string | undefined][]
  readonly lists: [string, readonly View[]][]
}

function partsOf(view: View, forms: Forms, path = '', parts: Parts = { fields: [], lists: [] }): Parts {
  for (const [key, value] of Object.entries(view)) {
    const name = labelAt(path, key)
    if (isJsonObject(value)) partsOf(innerRecord(key, value), forms, name, parts)
    else if (isList(value)) parts.lists.push([name, value])
    else if (Array.isArray(value)) parts.fields.push([name, joined(key, value, forms)])
    else {
      const text = valueText(key, value)
      parts.fields.push([name, text === undefined ? undefined : forms.field(text)])
    }
  }
  return parts
}

/** Cells of a record by title; a nested list is shown as its length. */
function cellsOf(view: View, names: Directory): Map<string, string> {
  const { fields, lists } = partsOf(view, rowForms(names))
  return new Map([
    ...fields.map(([name, text]): [string, string] => [name, text ?? '-']),
    ...lists.map(([name, items]): [string, string] => [name, String(items.length)]),
  ])
}

/** Table of a list of records. */
function tableOf(items: readonly View[], names: Directory): string {
  const rows = items.slice(0, ROWS_MAX).map((one) => cellsOf(one, names))
  const titles = [...new Set(rows.flatMap((row) => [...row.keys()]))]
  const more = items.length > ROWS_MAX ? `\n${items.length - ROWS_MAX} more with --json` : ''
  const cells = rows.map((row) => titles.map((title) => row.get(title) ?? '-'))
  return (
    table(
      titles.map((title) => title.toUpperCase()),
      cells,
    ) + more
  )
}

/**
 * Every field of a record that is signed, with nested records and lists by their paths; absent fields are omitted.
 * Durations are exact.
 */
export function fieldsOf(value: Json, path = ''): [name: string, text: string][] {
  if (isJsonObject(value)) return Object.entries(value).flatMap(([key, one]) => fieldsIn(key, one, labelAt(path, key)))
  return fieldsIn('', value, path)
}
function fieldsIn(key: string, value: Json, path: string): [name: string, text: string][] {
  if (isJsonObject(value)) return fieldsOf(innerRecord(key, value), path)
  if (isList(value)) return (value as readonly Json[]).flatMap((one, at) => fieldsOf(one, `${path} ${at}`))
  const textAt = (name: string, one: Json): string | undefined => valueText(name, one, exactDurationText)
  const text = Array.isArray(value)
    ? itemsText(key, value as readonly Json[], (name, one) => textAt(name, one) ?? '-')
    : textAt(key, value)
  return text === undefined || text === '' ? [] : [[path, text]]
}

/**
 * Response of a route as text: pairs for its fields, then a table for each list of records in it. `itemKeys`: fields of
 * the items of a list without items, for the head of its table.
 */
export function viewText(view: View, names: Directory = NO_NAMES, itemKeys: readonly string[] = []): string {
  const isEmpty = itemKeys.length > 0
  const { fields, lists } = partsOf(isEmpty ? { ...view, items: null } : view, pairForms(names))
  const shown = fields.filter(([, text]) => text !== undefined)
  const titles = itemKeys.map((key) => label(key).toUpperCase())
  const parts = [
    ...(shown.length === 0 ? [] : [pairs(shown)]),
    ...(isEmpty ? [`items:\n${table(titles, [])}`] : []),
    ...lists.map(([name, items]) => `${name}:\n${tableOf(items, names)}`),
  ]
  return parts.length === 0 ? 'nothing to show' : parts.join('\n\n')
}
