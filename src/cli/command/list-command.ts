/**
 * Owns commands that print a list of the gateway: a table of columns, or the response itself with --json, and a hint to
 * continue.
 */
import type { RouteTexts } from '../../client/index.js'
import type { Json } from '../../codec/index.js'
import { type RoutePick, signsRequests, type View, withGateway } from '../gateway/gateway.js'
import { type AssetFinder, type FoundItems, listItems, type PageChoice, wholeList } from '../gateway/pages.js'
import type { SettingFlags, Settings } from '../settings/settings.js'
import { table } from '../terminal/output.js'
import { BaseCommand } from './base-command.js'
import { type Columns, cellsOf, namedTexts } from './columns.js'

/** Options of a list beside its page. */
export interface ListOptions {
  /** Other parameters of the route. */
  readonly texts?: RouteTexts
  /** True if the key of the settings signs the request. */
  readonly signing?: 'never' | 'with-key' | 'always'
  /** True for a route without pages. */
  readonly isWhole?: boolean
  /** Assets of the amounts in the items, which the table then has as the field `asset`. */
  readonly assets?: AssetFinder | undefined
}

/** Base class of commands that print a list. */
export abstract class ListCommand extends BaseCommand {
  protected async list(
    flags: SettingFlags & PageChoice,
    pick: RoutePick,
    columns: Columns,
    { texts, signing = 'never', isWhole = false, assets }: ListOptions = {},
  ): Promise<void> {
    const settings = await this.settings(flags)
    const signed = signing === 'always' || (signing === 'with-key' && signsRequests(settings))
    const found = isWhole
      ? await wholeList(settings, pick, texts, signed)
      : await listItems(settings, pick, flags, texts, signed)
    const text = this.out.json ? '' : await this.tableOf(settings, pick, columns, found, assets)
    this.out.result(found, text)
    if (found.next_cursor !== null && !this.out.json)
      this.out.note(`More items exist: use --all for all of them, or --cursor ${found.next_cursor} for the next page.`)
  }

  /** Table of a list, with names for the ids in its cells. */
  private async tableOf(
    settings: Settings,
    pick: RoutePick,
    columns: Columns,
    { items: found }: FoundItems,
    assets: AssetFinder | undefined,
  ): Promise<string> {
    const { directoryOf, readableAnswer } = await import('../gateway/directory.js')
    return withGateway(settings, async (client) => {
      const owned = await assets?.(client, found)
      const raw = owned === undefined ? found : found.map((item, at) => ({ ...item, asset: owned[at] }))
      const shown = raw.flatMap((item) => namedTexts(columns, item))
      const names = await directoryOf(client, settings.gateway, raw as Json, shown)
      const { items } = this.out.verbose
        ? { items: raw }
        : await readableAnswer(client, pick, { items: raw as Json }, names)
      const rows = (items as readonly View[]).map((item, at) =>
        cellsOf(columns, item, names, raw[at]).map((text) => text ?? ''),
      )
      return table(Object.keys(columns), rows)
    })
  }
}
