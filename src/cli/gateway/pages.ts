/** Owns lists of the gateway: one page, or all of them by their cursors. */
import { Flags } from '@oclif/core'
import type { RouteTexts } from '../../client/index.js'
import { PageGuard } from '../../client/pages.js'
import type { Json } from '../../codec/index.js'
import type { Settings } from '../settings/settings.js'
import { getJson, type RoutePick, type View, withGateway } from './gateway.js'

/** Flags of lists. */
export const pageFlags = {
  limit: Flags.integer({ description: 'items at most', default: 100, min: 1, max: 100_000 }),
}
/** Items that a gateway gives at once, at most. */
const PAGE_MAX = 500

/** Items of a list route, page after page, up to the limit; `filter`: what else is asked for. */
export function listItems(
  settings: Settings,
  pick: RoutePick,
  limit: number,
  filter: NonNullable<RouteTexts['query']> = {},
): Promise<{ items: View[]; height: Json }> {
  return withGateway(settings, async (client) => {
    const items: View[] = []
    const pages = new PageGuard()
    let cursor: string | undefined
    let height: Json = 0
    do {
      const query = { ...filter, limit: Math.min(PAGE_MAX, limit - items.length), cursor }
      const page = (await getJson(client, pick, { query })) as View
      const found = page.items as readonly View[]
      for (const item of found) items.push(item)
      height = page.height ?? 0
      cursor = pages.next(typeof page.next_cursor === 'string' ? page.next_cursor : undefined, found.length)
    } while (cursor !== undefined && items.length < limit)
    return { items, height }
  })
}
