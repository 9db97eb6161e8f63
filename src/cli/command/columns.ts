/** Owns what a command shows of a record: titles, each with the field behind it. */
import { textOf, type View } from '../gateway/gateway.js'

/** Titles with the name of a field, or with what makes the text of a record. */
export type Columns = Readonly<Record<string, string | ((view: View) => string | undefined)>>

/** Texts of a record in the order of the titles; undefined for a field that is absent. */
export const cellsOf = (columns: Columns, view: View): (string | undefined)[] =>
  Object.values(columns).map((column) => (typeof column === 'string' ? textOf(view[column]) : column(view)))
