/** Owns commands that print the response of one route: as text, or unchanged with --json. */
import type { AnyRoute } from '../../api/index.js'
import type { CausewayClient, RouteTexts } from '../../client/index.js'
import type { Json } from '../../codec/index.js'
import type { Directory } from '../gateway/directory.js'
import { getJson, getRoutes, type RoutePick, signsRequests, type View, withGateway } from '../gateway/gateway.js'
import type { SettingFlags, Settings } from '../settings/settings.js'
import { pairs } from '../terminal/output.js'
import { BaseCommand } from './base-command.js'
import { type Columns, cellsOf } from './columns.js'
import { viewText } from './view-text.js'

/** Text of a response; `itemKeys`: fields of its items, if it is a list without items. */
type ViewText = (view: View, names: Directory, itemKeys: readonly string[]) => string

/** Fields of the items of a list without items, for the head of its table; empty for another response. */
async function itemKeysOf(pick: RoutePick, { items }: View): Promise<readonly string[]> {
  if (!Array.isArray(items) || items.length > 0) return []
  const { itemFields } = await import('../text/readable.js')
  const { response } = pick(await getRoutes()) as Pick<AnyRoute, 'response'>
  return response === undefined ? [] : itemFields(response)
}

/** Base class of commands that print the response of a route. */
export abstract class ReadCommand extends BaseCommand {
  /**
   * Print the response of a route. The request is signed if a key is configured, because telemetry profiles do not
   * restrict an operator.
   */
  protected async show(flags: SettingFlags, pick: RoutePick, texts?: RouteTexts): Promise<void> {
    const settings = await this.settings(flags)
    await this.printed(settings, pick, texts, viewText, signsRequests(settings))
  }

  /** Print chosen fields of the response of a public route. */
  protected async showFields(flags: SettingFlags, pick: RoutePick, texts: RouteTexts, fields: Columns): Promise<void> {
    await this.printed(await this.settings(flags), pick, texts, (view, names) => {
      const cells = cellsOf(fields, view, names)
      return pairs(Object.keys(fields).map((title, at) => [title, cells[at]]))
    })
  }

  private printed(
    settings: Settings,
    pick: RoutePick,
    texts: RouteTexts | undefined,
    textOf: ViewText,
    signed = false,
  ): Promise<void> {
    return withGateway(
      settings,
      async (client) => {
        const view = (await getJson(client, pick, texts)) as View
        this.out.result(view, this.out.json ? '' : await this.textOf(client, settings, pick, view, textOf))
        if (typeof view.next_cursor === 'string' && !this.out.json)
          this.out.note('More items exist: use a higher --limit for more of them.')
      },
      { signed },
    )
  }

  private async textOf(
    client: CausewayClient,
    { gateway }: Settings,
    pick: RoutePick,
    view: View,
    textOf: ViewText,
  ): Promise<string> {
    const { directoryOf, readableAnswer } = await import('../gateway/directory.js')
    const names = await directoryOf(client, gateway, view as Json)
    const { next_cursor: _, ...shown } = this.out.verbose ? view : await readableAnswer(client, pick, view, names)
    return textOf(shown, names, await itemKeysOf(pick, view))
  }
}
