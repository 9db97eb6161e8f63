/** Owns lists of the gateway: a number of items, from the start or from a cursor. */
import { Flags } from '@oclif/core'
import type { CausewayClient, RouteTexts } from '../../client/index.js'
import { PageGuard } from '../../client/pages.js'
import type { Json } from '../../codec/index.js'
import type { Settings } from '../settings/settings.js'
import { getView, type RoutePick, type View, viewsOf, withGateway } from './gateway.js'

/** Flags of lists. */
export const pageFlags = {
  limit: Flags.integer({ description: 'maximum number of items', default: 100, min: 1, max: 100_000 }),
  cursor: Flags.string({ description: 'continue an earlier list after its next_cursor' }),
  all: Flags.boolean({ description: 'print all items' }),
}
/** Paging flags. */
export interface PageChoice {
  readonly limit: number
  readonly cursor?: string | undefined
  readonly all: boolean
}
/** Maximum items that a gateway returns at once. */
const PAGE_MAX = 500

/**
 * Items of a list and the next cursor; null at the end. A paged list has the height at which its last page was read.
 */
export interface FoundItems {
  readonly items: readonly View[]
  readonly height?: Json
  readonly next_cursor: string | null
}

/** Asset of the amounts of each item; undefined if it is unknown. */
export type AssetFinder = (client: CausewayClient, items: readonly View[]) => Promise<readonly (string | undefined)[]>

/** Items of a list route without pages. */
export async function wholeList(
  settings: Settings,
  pick: RoutePick,
  texts: RouteTexts = {},
  signed = false,
): Promise<FoundItems> {
  const found = await withGateway(settings, (client) => getView(client, pick, texts), { signed })
  return { ...found, items: viewsOf(found.items), next_cursor: null }
}

/**
 * Items of a list route over several pages, as many as the flags request. `texts`: other parameters; `signed`: true to
 * sign the requests with the key.
 */
export function listItems(
  settings: Settings,
  pick: RoutePick,
  choice: PageChoice,
  texts: RouteTexts = {},
  signed = false,
): Promise<FoundItems> {
  const limit = choice.all ? Number.POSITIVE_INFINITY : choice.limit
  return withGateway(
    settings,
    async (client) => {
      const items: View[] = []
      const pages = new PageGuard()
      let { cursor } = choice
      let height: Json = 0
      do {
        const query = { ...texts.query, limit: Math.min(PAGE_MAX, limit - items.length), cursor }
        const page = await getView(client, pick, { ...texts, query })
        const found = viewsOf(page.items)
        for (const item of found) items.push(item)
        height = page.height ?? 0
        cursor = pages.next(typeof page.next_cursor === 'string' ? page.next_cursor : undefined, found.length)
      } while (cursor !== undefined && items.length < limit)
      return { items, height, next_cursor: cursor ?? null }
    },
    { signed },
  )
}
