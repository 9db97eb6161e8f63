/** Owns commands that print a list of the gateway: a table of chosen columns, the answer itself with --json, and how to go on. */
import type { RouteTexts } from '../../client/index.js'
import type { RoutePick, View } from '../gateway/gateway.js'
import { textOf } from '../gateway/gateway.js'
import { listItems, type PageChoice } from '../gateway/pages.js'
import type { SettingFlags } from '../settings/settings.js'
import { BaseCommand } from './base-command.js'
import { table } from './output.js'

/** Columns by their titles: the name of a field, or what makes the text of an item. */
export type Columns = Readonly<Record<string, string | ((item: View) => string | undefined)>>

/** The base of commands that print a list. */
export abstract class ListCommand extends BaseCommand {
  protected async list(
    flags: SettingFlags & PageChoice,
    pick: RoutePick,
    columns: Columns,
    texts?: RouteTexts,
  ): Promise<void> {
    const found = await listItems(await this.settings(flags), pick, flags, texts)
    const cellOf = (item: View, column: Columns[string]): string =>
      (typeof column === 'string' ? textOf(item[column]) : column(item)) ?? ''
    const rows = found.items.map((item) => Object.values(columns).map((column) => cellOf(item, column)))
    this.out.result(found, table(Object.keys(columns), rows))
    if (found.next_cursor !== null && !this.out.json)
      this.out.note(`There are more: --all shows every one, --cursor ${found.next_cursor} the next ones.`)
  }
}
