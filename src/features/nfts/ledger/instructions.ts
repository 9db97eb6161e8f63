/** Owns registration and removal of NFTs (docs/design/lanes.md 1, rows 16 and 17). */

import { countUse } from '../../../executor/accounts.js'
import { reject } from '../../../executor/contract.js'
import type { Executions } from '../../../executor/feature.js'
import { dropMetadata, writeMetadata } from '../../../executor/metadata.js'
import { countMember } from '../../../ledger/members.js'
import { requirePermission } from '../../../ledger/permissions.js'
import { domains, nfts } from '../../../ledger/tables.js'
import { domainOfNft } from '../../../model/index.js'
import { events } from '../schema/events.js'
import type { instructions } from '../schema/instructions.js'
import { NFT_PERMISSIONS } from './permissions.js'

export const execute = {
  registerNft: {
    cost: { base: 200 },
    primaryDomain: (value) => domainOfNft(value.id),
    execute(ctx, { id, content }) {
      const domain = domainOfNft(id)
      const home = ctx.get(domains, domain)
      if (home === undefined) return reject('absent', `domain ${domain} does not exist`)
      const denied = requirePermission(ctx, 'registering an NFT', home.owner, [NFT_PERMISSIONS.CanRegisterNft, domain])
      if (denied) return denied
      if (ctx.has(nfts, id)) return reject('exists', `NFT ${id} exists`)
      const refused = writeMetadata(ctx, { kind: 'nft', value: id }, content)
      if (refused) return refused
      // Genesis runs as a key that need not be an account: there the owner of the domain holds what it registers.
      const owner = ctx.env.genesis ? home.owner : ctx.authority
      const registered = ctx.incarnation()
      ctx.set(nfts, id, { owner, incarnation: registered, held: registered })
      countUse(ctx, owner, 'objects', 1)
      countMember(ctx, domain, 1)
      ctx.emit(events.nftCreated, { nft: id, owner })
      return undefined
    },
  },

  unregisterNft: {
    cost: { base: 200 },
    primaryDomain: (value) => domainOfNft(value.id),
    execute(ctx, { id }) {
      const row = ctx.get(nfts, id)
      if (row === undefined) return reject('absent', `NFT ${id} does not exist`)
      const denied = requirePermission(ctx, 'removing an NFT', row.owner)
      if (denied) return denied
      ctx.delete(nfts, id)
      dropMetadata(ctx, { kind: 'nft', value: id })
      countUse(ctx, row.owner, 'objects', -1)
      countMember(ctx, domainOfNft(id), -1)
      ctx.emit(events.nftDeleted, { nft: id, owner: row.owner })
      return undefined
    },
  },
} satisfies Partial<Executions<typeof instructions>>
