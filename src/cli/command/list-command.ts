/** Owns commands that print a list of the gateway: a table of chosen columns, the answer itself with --json, and how to go on. */
import type { RouteTexts } from '../../client/index.js'
import type { RoutePick } from '../gateway/gateway.js'
import { listItems, type PageChoice } from '../gateway/pages.js'
import type { SettingFlags } from '../settings/settings.js'
import { BaseCommand } from './base-command.js'
import { type Columns, cellsOf } from './columns.js'
import { table } from './output.js'

/** The base of commands that print a list. */
export abstract class ListCommand extends BaseCommand {
  protected async list(
    flags: SettingFlags & PageChoice,
    pick: RoutePick,
    columns: Columns,
    texts?: RouteTexts,
  ): Promise<void> {
    const found = await listItems(await this.settings(flags), pick, flags, texts)
    const rows = found.items.map((item) => cellsOf(columns, item).map((text) => text ?? ''))
    this.out.result(found, table(Object.keys(columns), rows))
    if (found.next_cursor !== null && !this.out.json)
      this.out.note(`There are more: --all shows every one, --cursor ${found.next_cursor} the next ones.`)
  }
}
