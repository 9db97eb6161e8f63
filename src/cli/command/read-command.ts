/** Owns commands that print what one route answers: as text, or the answer itself with --json. */
import type { RouteTexts } from '../../client/index.js'
import { askGateway, getView, type RoutePick, signsRequests, withGateway } from '../gateway/gateway.js'
import type { SettingFlags } from '../settings/settings.js'
import { BaseCommand } from './base-command.js'
import { type Columns, cellsOf } from './columns.js'
import { pairs } from './output.js'
import { viewText } from './view-text.js'

/** The base of commands that print the answer of a route. */
export abstract class ReadCommand extends BaseCommand {
  /** Prints what a route answers; signed when somebody names a key: an operator's passes any telemetry profile. */
  protected async show(flags: SettingFlags, pick: RoutePick, texts?: RouteTexts): Promise<void> {
    const settings = await this.settings(flags)
    const signed = signsRequests(settings)
    const view = await withGateway(settings, (client) => getView(client, pick, texts), { signed })
    this.out.result(view, viewText(view))
  }

  /** Prints chosen fields of the object that a public route answers. */
  protected async showFields(flags: SettingFlags, pick: RoutePick, texts: RouteTexts, fields: Columns): Promise<void> {
    const view = await askGateway(await this.settings(flags), pick, texts)
    const cells = cellsOf(fields, view)
    this.out.result(view, pairs(Object.keys(fields).map((title, at) => [title, cells[at]])))
  }
}
