/** Owns what NFTs run on a node: the handlers of their routes. */
import { handle } from '../../api/handler.js'
import type { NodeServices } from '../../api/services.js'
import { LedgerError } from '../../model/index.js'
import { accountIdOf, answerPage, noSuch } from '../responses.js'
import { defineService } from '../service.js'
import { type NftsParameters, nftSchema, nftsRoute, queries } from './schema.js'

async function nfts({ services, query }: { readonly services: NodeServices; readonly query: NftsParameters }) {
  const { owner: text, domain, ...page } = query
  const owner = text === undefined ? undefined : await accountIdOf(services, text, 'owner')
  if (owner instanceof LedgerError) return owner
  return answerPage(services, queries.nfts, page, { owner, domain }, noSuch({ owner, domain }))
}

export const nftService = defineService(nftSchema, {
  open: () => ({ handlers: new Map([handle(nftsRoute, nfts)]) }),
})
