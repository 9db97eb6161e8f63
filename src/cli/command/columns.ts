/** Owns the columns of a record in command output: titles with their fields. */
import type { Json } from '../../codec/index.js'
import { type Directory, NO_NAMES } from '../gateway/directory.js'
import { optionalView, type View } from '../gateway/gateway.js'
import { cellText, valueText } from './view-text.js'

/** Text of a column for display; `raw`: the record as received from the gateway; `names`: digits of its assets. */
type TextOf = (view: View, raw: View, names: Directory) => string | undefined

/** Column source: the name of a field, `inner.field` of a nested record, or a function of the record. */
export type Column =
  | string
  | TextOf
  /** Text whose ids are annotated with names, as in fields. */
  | { readonly named: TextOf }
/** Columns by title. */
export type Columns = Readonly<Record<string, Column>>

/** Field at a path; undefined if the path does not exist. */
function fieldAt(view: View, path: string): Json | undefined {
  const [first = '', ...names] = path.split('.')
  return names.reduce((record, name) => optionalView(record)?.[name], view[first])
}

/** Text of a column, and whether its ids are annotated with names. */
function cellOf(
  column: Column,
  view: View,
  raw: View,
  names: Directory,
): readonly [text: string | undefined, isNamed: boolean] {
  if (typeof column === 'function') return [column(view, raw, names), false]
  if (typeof column === 'object') return [column.named(view, raw, names), true]
  return [valueText(column.split('.').at(-1) ?? '', fieldAt(view, column)), true]
}

/** Texts of a record in the order of the titles; undefined for an absent field. */
export const cellsOf = (
  columns: Columns,
  view: View,
  names: Directory = NO_NAMES,
  raw: View = view,
): (string | undefined)[] =>
  Object.values(columns).map((column) => {
    const [text, isNamed] = cellOf(column, view, raw, names)
    return text === undefined || !isNamed ? text : cellText(text, names)
  })

/** Texts of a record in which ids are annotated with names. */
export const namedTexts = (columns: Columns, view: View): readonly string[] =>
  Object.values(columns).flatMap((column) => {
    const [text, isNamed] = cellOf(column, view, view, NO_NAMES)
    return text === undefined || !isNamed ? [] : [text]
  })
