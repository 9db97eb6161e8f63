/** Owns the columns that a command shows of a record: titles with their fields. */
import type { Json } from '../../codec/index.js'
import { type Directory, NO_NAMES } from '../gateway/directory.js'
import { optionalView, type View } from '../gateway/gateway.js'
import { cellText, valueText } from './view-text.js'

/** Makes the text of a column of a record as people read it; `raw`: as the gateway answered it. */
type TextOf = (view: View, raw: View) => string | undefined

/** Column source: the name of a field, `inner.field` of a nested record, or a function of the record. */
export type Column =
  | string
  | TextOf
  /** A text in which ids get their names, as they do in fields. */
  | { readonly named: TextOf }
/** Columns by their titles. */
export type Columns = Readonly<Record<string, Column>>

/** The field at a path; undefined where the way ends before. */
function fieldAt(view: View, path: string): Json | undefined {
  const [first = '', ...names] = path.split('.')
  return names.reduce((record, name) => optionalView(record)?.[name], view[first])
}

/** The text of a column, and whether ids in it get their names. */
function cellOf(column: Column, view: View, raw: View): readonly [text: string | undefined, isNamed: boolean] {
  if (typeof column === 'function') return [column(view, raw), false]
  if (typeof column === 'object') return [column.named(view, raw), true]
  return [valueText(column.split('.').at(-1) ?? '', fieldAt(view, column)), true]
}

/** Texts of a record in the order of the titles; undefined for a field that is absent. */
export const cellsOf = (
  columns: Columns,
  view: View,
  names: Directory = NO_NAMES,
  raw: View = view,
): (string | undefined)[] =>
  Object.values(columns).map((column) => {
    const [text, isNamed] = cellOf(column, view, raw)
    return text === undefined || !isNamed ? text : cellText(text, names)
  })

/** Texts of a record in which ids are annotated with names. */
export const namedTexts = (columns: Columns, view: View): readonly string[] =>
  Object.values(columns).flatMap((column) => {
    const [text, isNamed] = cellOf(column, view, view)
    return text === undefined || !isNamed ? [] : [text]
  })
