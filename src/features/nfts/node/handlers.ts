/** Owns the answer of the list of NFTs, which may name an account. */

import { type AnyHandler, handle } from '../../../api/handler.js'
import type { NodeServices } from '../../../api/services.js'
import { LedgerError } from '../../../model/index.js'
import { accountIdOf, answerPage, noSuch } from '../../responses.js'
import { queries } from '../schema/queries.js'
import { type NftsParameters, nftsRoute } from '../schema/routes.js'

async function nfts({ services, query }: { readonly services: NodeServices; readonly query: NftsParameters }) {
  const { owner: text, domain, ...page } = query
  const owner = text === undefined ? undefined : await accountIdOf(services, text, 'owner')
  if (owner instanceof LedgerError) return owner
  return answerPage(services, queries.nfts, page, { owner, domain }, noSuch({ owner, domain }))
}

/** Handlers by route id. */
export const nftHandlers: ReadonlyMap<string, AnyHandler<NodeServices>> = new Map([handle(nftsRoute, nfts)])
