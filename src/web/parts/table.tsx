/** Owns tables: semantic markup with a name, headers and keyboard scrolling. */
import type { ComponentChildren, JSX } from 'preact'
import { grouped } from '../format.js'
import type { PageOf } from '../json.js'
import type { Read } from '../kept.js'
import { hrefOf, type PageName } from '../route.js'
import { live } from '../state/live.js'
import { place } from '../state/place.js'
import { useStore } from '../state/store.js'
import { ErrorNotice, Notice } from './ui.js'

/** Maximum rows of one table. */
const ROWS_MAX = 200
const DRAW_MS = 500

export interface Column<T> {
  readonly head: string
  /** True for numbers, which are aligned right. */
  readonly right?: boolean
  cell(row: T, at: number): ComponentChildren
}

interface TableProps<T> {
  readonly name: string
  readonly columns: readonly Column<T>[]
  readonly rows: readonly T[]
  readonly keyOf: (row: T, at: number) => string | number
  /** Text shown instead of a table without rows. */
  readonly empty?: string
}

export function Table<T>({ name, columns, rows, keyOf, empty = 'Nothing to show.' }: TableProps<T>): JSX.Element {
  if (rows.length === 0) return <Notice>{empty}</Notice>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
    <section class="scroll" aria-label={name} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map(({ head, right }) => (
              <th key={head} scope="col" class={right === true ? 'right' : undefined}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, ROWS_MAX).map((row, at) => (
            <tr key={keyOf(row, at)}>
              {columns.map(({ head, right, cell }) => (
                <td key={head} data-head={head} class={right === true ? 'right' : undefined}>
                  {cell(row, at)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** Text about the lowest stored height of a node. */
export const heldFrom = (firstHeight: number): string =>
  `This node stores blocks from height ${grouped(firstHeight)} on; older ones are not in its lists.`

/** First items of a list; it is shown as empty only after a successful read. */
export function ReadTable<T>({
  read: { value, error },
  ...table
}: Omit<TableProps<T>, 'rows'> & { readonly read: Read<PageOf<T>> }): JSX.Element {
  if (value === undefined) return error === undefined ? <Notice>Reading…</Notice> : <ErrorNotice error={error} />
  return <Table {...table} rows={value.items} />
}

/** Page of a list by its cursor, with links to the next page and the beginning. */
export function Listed<T>({
  read,
  page,
  id,
  isHistory = false,
  ...table
}: Omit<TableProps<T>, 'rows'> & {
  readonly read: Read<Pick<PageOf<T>, 'items' | 'next_cursor'>>
  readonly page: PageName
  readonly id?: string
  /** True for a list of history, which ends at the oldest block of the node. */
  readonly isHistory?: boolean
}): JSX.Element {
  const { firstHeight } = useStore(live, DRAW_MS)
  const { value, error } = read
  const { cursor, ...query } = place.value.query
  if (value === undefined) return error === undefined ? <Notice>Reading…</Notice> : <ErrorNotice error={error} />
  const next = value.next_cursor
  return (
    <>
      <ErrorNotice error={error} />
      <Table {...table} rows={value.items} />
      {isHistory && firstHeight > 1 ? <Notice>{heldFrom(firstHeight)}</Notice> : null}
      {next === null && cursor === undefined ? null : (
        <nav class="pager" aria-label={`Pages of ${table.name}`}>
          {cursor === undefined ? null : <a href={hrefOf(page, id, query)}>First page</a>}
          {next === null ? null : <a href={hrefOf(page, id, { ...query, cursor: next })}>Next page</a>}
        </nav>
      )}
    </>
  )
}
