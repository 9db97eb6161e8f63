/** The first items of a list on a page: what was not read is not said to be empty. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { PageOf } from '../../../src/web/json.js'
import type { Read } from '../../../src/web/kept.js'

/** An element as a component gives it. */
interface Drawn {
  readonly type: unknown
  readonly props: object
}
/** Pages are compiled apart, for browsers: their types are not known here. */
const PARTS = '../../../src/web/parts'
let table: { readonly Table: unknown; readonly ReadTable: (props: object) => Drawn }
let ui: Readonly<Record<'ErrorNotice' | 'Notice', unknown>>
beforeAll(async () => {
  // Properties of the browser that pages read when they are loaded.
  const location = { href: 'http://127.0.0.1/explorer/', hash: '' }
  vi.stubGlobal('window', { location, addEventListener: () => undefined })
  table = await import(/* @vite-ignore */ `${PARTS}/table.js`)
  ui = await import(/* @vite-ignore */ `${PARTS}/ui.js`)
})
afterAll(() => {
  vi.unstubAllGlobals()
})

const shownOf = (value: PageOf<string> | undefined, error: unknown): Drawn => {
  const read: Read<PageOf<string>> = { value, error }
  return table.ReadTable({ read, name: 'Transactions', columns: [], keyOf: (one: string) => one, empty: 'None.' })
}

it('a table is shown after a successful read, even if it is empty', () => {
  const drawn = shownOf({ items: [], next_cursor: null, height: 7 }, undefined)
  expect([drawn.type, drawn.props]).toMatchObject([table.Table, { rows: [], empty: 'None.' }])
})

it('a table that could not be read shows the error, not an empty table', () => {
  const error = new Error('history_pruned')
  expect(shownOf(undefined, error)).toMatchObject({ type: ui.ErrorNotice, props: { error } })
  expect(shownOf(undefined, undefined).type).toBe(ui.Notice)
})
