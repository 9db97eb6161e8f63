/** Owns commands that send a signed request to a route, such as services of a node for an account or an operator. */
import type { Json } from '../../codec/index.js'
import { answerView, getRoutes, type RoutePick, routePath, type View, withGateway } from '../gateway/gateway.js'
import type { SettingFlags } from '../settings/settings.js'
import { BaseCommand } from './base-command.js'

/** Base class of commands with signed requests. */
export abstract class SignedCommand extends BaseCommand {
  /** Response of a route to a signed request. */
  protected async askSigned(
    flags: SettingFlags,
    pick: RoutePick,
    {
      params = {},
      body,
    }: { readonly params?: Readonly<Record<string, string>>; readonly body?: Json | undefined } = {},
  ): Promise<View> {
    const { method } = pick(await getRoutes())
    const sent =
      body === undefined ? undefined : { body: Buffer.from(JSON.stringify(body)), contentType: 'application/json' }
    const path = await routePath(pick, { params })
    const settings = await this.settings(flags)
    return answerView(await withGateway(settings, (client) => client.json(method, path, sent), { signed: true }))
  }
}
