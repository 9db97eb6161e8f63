/** Owns commands that print what one route answers: pairs for fields, a table for a list of records, the answer itself with --json. */

import type { RouteTexts } from '../../client/index.js'
import { isJsonObject } from '../../codec/schema.js'
import {
  askGateway,
  getJson,
  type RoutePick,
  signsRequests,
  textOf,
  type View,
  withGateway,
} from '../gateway/gateway.js'
import type { SettingFlags } from '../settings/settings.js'
import { BaseCommand } from './base-command.js'
import { type Columns, cellsOf } from './columns.js'
import { pairs, short, table } from './output.js'

/** Lines that a list shows, at most; --json prints all that the node answered. */
const ROWS_MAX = 200

/** Longest value that a field shows whole, in characters: a hash of 64 digits. */
const WHOLE_MAX = 66
/** Keys and hashes: what people compare by their ends. */
const HEX = /^[0-9a-fA-F]{32,}$/

/** A value in a row of its own: keys are shown by their ends. */
const fieldText = (text: string): string => (text.length > WHOLE_MAX && HEX.test(text) ? short(text) : text)
/** A value among others: keys and hashes are shown by their ends. */
const cellText = (text: string): string => (HEX.test(text) ? short(text) : text)

const label = (key: string): string => key.replaceAll('_', ' ')

/** Fields of a record, one a row; inner records by their path, lists of records apart. */
function rowsOf(view: View, path: string): [string, string | undefined][] {
  return Object.entries(view).flatMap(([key, value]): [string, string | undefined][] => {
    const name = path === '' ? label(key) : `${path} ${label(key)}`
    if (isJsonObject(value)) return rowsOf(value, name)
    if (Array.isArray(value) && value.some(isJsonObject)) return []
    if (Array.isArray(value)) return [[name, value.map((one) => cellText(textOf(one) ?? '-')).join(' ') || '-']]
    const text = textOf(value)
    return [[name, text === undefined ? undefined : fieldText(text)]]
  })
}

/** A list of records as a table of the fields that hold one value each. */
function tableOf(items: readonly View[]): string {
  const columns = [...new Set(items.flatMap((item) => Object.keys(item)))].filter((key) =>
    items.every((item) => !isJsonObject(item[key]) && !Array.isArray(item[key])),
  )
  const rows = items.slice(0, ROWS_MAX).map((item) => columns.map((key) => cellText(textOf(item[key]) ?? '-')))
  const more = items.length > ROWS_MAX ? `\n${items.length - ROWS_MAX} more with --json` : ''
  return (
    table(
      columns.map((key) => label(key).toUpperCase()),
      rows,
    ) + more
  )
}

/** The answer of a route as people read it. */
export function viewText(view: View): string {
  const fields = rowsOf(view, '').filter(([, value]) => value !== undefined)
  const lists = Object.entries(view).flatMap(([key, value]) => {
    if (!Array.isArray(value)) return []
    const items = value.filter(isJsonObject)
    return items.length === 0 ? [] : [`${label(key)}:\n${tableOf(items)}`]
  })
  const parts = [...(fields.length === 0 ? [] : [pairs(fields)]), ...lists]
  return parts.length === 0 ? 'nothing yet' : parts.join('\n\n')
}

/** The base of commands that print the answer of a route. */
export abstract class ReadCommand extends BaseCommand {
  /** Prints what a route answers; signed when somebody names a key: an operator's passes any telemetry profile. */
  protected async show(flags: SettingFlags, pick: RoutePick, texts?: RouteTexts): Promise<void> {
    const settings = await this.settings(flags)
    const signed = signsRequests(settings)
    const view = (await withGateway(settings, (client) => getJson(client, pick, texts), { signed })) as View
    this.out.result(view, viewText(view))
  }

  /** Prints chosen fields of the object that a public route answers. */
  protected async showFields(flags: SettingFlags, pick: RoutePick, texts: RouteTexts, fields: Columns): Promise<void> {
    const view = await askGateway(await this.settings(flags), pick, texts)
    const cells = cellsOf(fields, view)
    this.out.result(view, pairs(Object.keys(fields).map((title, at) => [title, cells[at]])))
  }
}
