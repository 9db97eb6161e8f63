/** Owns lookups of the assets of list items whose records do not name them. */
import { optional } from '../gateway/directory.js'
import { getView, textOf, type View, viewOf, viewsOf } from '../gateway/gateway.js'
import type { AssetFinder } from '../gateway/pages.js'

/** Maximum number of plans that are looked up for one list. */
const PLANS_MAX = 32

/** Assets of the plans of subscriptions. */
export const planAssets: AssetFinder = async (client, items) => {
  const known = new Map<string, string | undefined>()
  const assetOf = async (view: View): Promise<string | undefined> => {
    const [provider, plan] = [textOf(view.provider), textOf(view.plan)]
    const key = `${provider}/${plan}`
    if (!known.has(key) && known.size < PLANS_MAX) {
      const page = await optional(getView(client, (all) => all.subscriptions.plans, { query: { provider, plan } }))
      const [found] = viewsOf(page?.items)
      known.set(key, textOf(viewOf(found?.terms).asset))
    }
    return known.get(key)
  }
  const assets: (string | undefined)[] = []
  for (const item of items) assets.push(await assetOf(item))
  return assets
}

/** Asset that the plan of one subscription is charged in, for each of its invoices. */
export const invoiceAssets =
  (id: string): AssetFinder =>
  async (client, items) => {
    const found = await optional(getView(client, ({ subscriptions }) => subscriptions.show, { params: { id } }))
    const asset = textOf(viewOf(viewOf(found?.plan).terms).asset)
    return items.map(() => asset)
  }

/** Asset of the income of one class, for each of its holders. */
export const incomeAssets =
  (id: string): AssetFinder =>
  async (client, items) => {
    const found = await optional(getView(client, ({ rwas }) => rwas.class, { params: { id } }))
    const asset = textOf(viewOf(found?.income).cash)
    return items.map(() => asset)
  }
