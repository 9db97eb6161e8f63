/** Owns the registration of asset definitions, by the instruction on assets and by features whose objects are definitions. */
import { NUMERIC_MAX_SCALE } from '../codec/index.js'
import { countUse } from '../executor/accounts.js'
import { type ExecContext, type Rejection, reject } from '../executor/contract.js'
import { writeMetadata } from '../executor/metadata.js'
import { definitionEvents, domainOfDefinition, type Metadata, type StoredMintable } from '../model/index.js'
import { ASSET_PERMISSIONS } from './asset-permissions.js'
import { countMember } from './members.js'
import { ZERO } from './money.js'
import { requirePermission } from './permissions.js'
import { definitions, domains } from './tables.js'

/** Asset definition to register. */
export interface NewDefinition {
  readonly id: string
  readonly scale: number | undefined
  readonly mintable: StoredMintable
  readonly metadata: Metadata
}

/** Register a definition owned by the authority, in genesis by the owner of its domain; all checks apply. */
export function registerDefinition(
  ctx: ExecContext,
  { id, scale, mintable, metadata }: NewDefinition,
): Rejection | undefined {
  const domain = domainOfDefinition(id)
  const home = ctx.get(domains, domain)
  if (home === undefined) return reject('absent', `domain ${domain} does not exist`)
  const denied = requirePermission(ctx, 'registering an asset definition', home.owner, [
    ASSET_PERMISSIONS.CanRegisterAssetDefinition,
    domain,
  ])
  if (denied) return denied
  if (scale !== undefined && scale > NUMERIC_MAX_SCALE)
    return reject('bad_scale', `a scale must be at most ${NUMERIC_MAX_SCALE}`)
  if (mintable.kind === 'limited' && mintable.value < 1)
    return reject('bad_amount', 'limited minting must allow at least one mint')
  if (ctx.get(definitions, id) !== undefined) return reject('exists', `asset definition ${id} already exists`)
  const refused = writeMetadata(ctx, { kind: 'definition', value: id }, metadata)
  if (refused) return refused
  const owner = ctx.env.genesis ? home.owner : ctx.authority
  ctx.set(definitions, id, { owner, scale, mintable, total: ZERO, incarnation: ctx.incarnation() })
  countUse(ctx, owner, 'objects', 1)
  countMember(ctx, domain, 1)
  ctx.emit(definitionEvents.definitionCreated, { definition: id, owner })
  return undefined
}
