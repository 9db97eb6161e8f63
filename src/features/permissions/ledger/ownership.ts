/** Owns TransferOwnership of domains, definitions and NFTs (docs/design/lanes.md 1, row 18). */

import { accounts, countUse } from '../../../executor/accounts.js'
import { unknownAccount } from '../../../executor/addresses.js'
import { type ExecContext, type Rejection, reject } from '../../../executor/contract.js'
import type { Executions } from '../../../executor/feature.js'
import type { Permission } from '../../../executor/permission.js'
import { requirePermission } from '../../../ledger/permissions.js'
import { definitions, domains, nfts } from '../../../ledger/tables.js'
import { type AccountId, domainOfDefinition, domainOfNft, keylessKind } from '../../../model/index.js'
import type { instructions, Owned } from '../schema.js'
import { events } from '../schema.js'
import { GRANT_PERMISSIONS } from './permissions.js'

interface Opened {
  readonly owner: AccountId
  readonly permissions: readonly (readonly [def: Permission, object: string])[]
  readonly store: (owner: AccountId) => void
}

function open(ctx: ExecContext, { kind, value }: Owned): Opened | Rejection {
  switch (kind) {
    case 'domain': {
      const row = ctx.get(domains, value)
      if (row === undefined) return reject('absent', `domain ${value} does not exist`)
      return { ...row, permissions: [], store: (owner) => ctx.set(domains, value, { ...row, owner }) }
    }
    case 'definition': {
      const row = ctx.get(definitions, value)
      if (row === undefined) return reject('absent', `asset definition ${value} does not exist`)
      return { ...row, permissions: [], store: (owner) => ctx.set(definitions, value, { ...row, owner }) }
    }
    case 'nft': {
      const row = ctx.get(nfts, value)
      if (row === undefined) return reject('absent', `NFT ${value} does not exist`)
      const permissions = [[GRANT_PERMISSIONS.CanTransferNft, value] as const]
      return { ...row, permissions, store: (owner) => ctx.set(nfts, value, { ...row, owner, held: ctx.incarnation() }) }
    }
  }
}

/** Domain of the object. */
const domainOf = ({ kind, value }: Owned): string =>
  kind === 'domain' ? value : kind === 'nft' ? domainOfNft(value) : domainOfDefinition(value)

export const execute = {
  transferOwnership: {
    cost: { base: 200 },
    primaryDomain: ({ object }) => domainOf(object),
    execute(ctx, { object, to }) {
      const opened = open(ctx, object)
      if ('code' in opened) return opened
      const denied = requirePermission(ctx, 'passing it on', opened.owner, ...opened.permissions)
      if (denied) return denied
      if (to === opened.owner) return reject('self_transfer', 'it already belongs to this account')
      if (!ctx.has(accounts, to)) return unknownAccount(ctx, to)
      // No account acts for a vault: an object given to it would stay, and prevent its closing.
      if (keylessKind(to) === 'vault')
        return reject('vault_closed', 'a vault can only receive objects through its agreement')
      opened.store(to)
      countUse(ctx, opened.owner, 'objects', -1)
      countUse(ctx, to, 'objects', 1)
      ctx.emit(events.ownerChanged, { object, from: opened.owner, to })
      return undefined
    },
  },
} satisfies Partial<Executions<typeof instructions>>
