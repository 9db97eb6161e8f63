/** Owns what a command shows of a record: titles, each with the field behind it. */
import type { Json } from '../../codec/index.js'
import { optionalView, textOf, type View } from '../gateway/gateway.js'

/** Titles with the name of a field, `inner.field` of a record in it, or with what makes the text of a record. */
export type Columns = Readonly<Record<string, string | ((view: View) => string | undefined)>>

/** The field at a path; undefined where the way ends before. */
function fieldAt(view: View, path: string): Json | undefined {
  const [first = '', ...names] = path.split('.')
  return names.reduce((record, name) => optionalView(record)?.[name], view[first])
}

/** Texts of a record in the order of the titles; undefined for a field that is absent. */
export const cellsOf = (columns: Columns, view: View): (string | undefined)[] =>
  Object.values(columns).map((column) => (typeof column === 'string' ? textOf(fieldAt(view, column)) : column(view)))
