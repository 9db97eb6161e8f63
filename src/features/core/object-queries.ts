/** Owns the queries of NFTs, roles, permissions, triggers, multisig accounts, controls and admission. */

import { PAGE_LIMIT_MAX, type Page } from '../../api/paging.js'
import { accountOfPlace } from '../../api/places.js'
import type { ByIdQuery, PageQuery } from '../../api/query-inputs.js'
import { accounts } from '../../executor/accounts.js'
import type { QueryContext, QueryRun } from '../../executor/contract.js'
import { metadataBytes, metadataOf } from '../../executor/metadata.js'
import { parameterOf } from '../../executor/parameters.js'
import { type StoredPlace, storedList } from '../../executor/stored-lists.js'
import { type Trigger, triggerPages, triggers } from '../../executor/triggers/tables.js'
import { admissions } from '../../ledger/admission-tables.js'
import { capsOf, controlFault, controlOf } from '../../ledger/controls.js'
import { type Proposal, policyOf, proposalLists, proposalPages, proposals } from '../../ledger/multisig-tables.js'
import { tokenFor } from '../../ledger/permissions.js'
import { FIRST_ACCOUNT, nowOf, prefixOf, resolveAccount, shownList } from '../../ledger/query.js'
import { managersOf } from '../../ledger/role-managers.js'
import { ANSWER_BYTES_MAX, fittingAnswer, limitOf, pageOfTable } from '../../ledger/table-page.js'
import {
  accountRoles,
  controls,
  definitions,
  domains,
  type Nft,
  nfts,
  type Role,
  roles,
  tokens,
} from '../../ledger/tables.js'
import {
  ACCOUNT_ADMISSION,
  type AccountId,
  domainOfNft,
  formatAddress,
  hasToken,
  type MultisigPolicy,
  weightOf,
} from '../../model/index.js'
import type { StateReader } from '../../state/index.js'
import { nftsOfOwner } from './object-indexes.js'
import { holderOfBytes, holdersRange } from './permission-indexes.js'
import type * as views from './schema/object-views.js'
import type { AccountQuery } from './schema/views.js'

/** Rows that a list with a filter looks at for one page. */
const SCAN_MAX = 5_000

function nftOf(state: StateReader, id: string, row: Nft): views.NftView {
  return { id, ownedBy: row.owner, content: metadataOf(state, { kind: 'nft', value: id }) }
}
const contentBytes = (state: StateReader, value: string): number => metadataBytes(state, { kind: 'nft', value })

/** NFTs of one owner, by the index. */
async function nftsByOwner(ctx: QueryContext, owner: AccountId, query: views.NftsQuery): Promise<Page<views.NftView>> {
  const limit = limitOf(query.limit)
  const { idAt, ...range } = nftsOfOwner(owner, query.after)
  const ids: string[] = []
  for await (const [key] of ctx.indexRange({ ...range, limit: limit + 1 })) ids.push(key.toString('utf8', idAt))
  const shown = fittingAnswer(ids.slice(0, limit), (id) => contentBytes(ctx.reader, id))
  const items = shown.flatMap((id) => {
    const row = ctx.reader.get(nfts, id)
    return row === undefined ? [] : [nftOf(ctx.reader, id, row)]
  })
  return { items, nextCursor: ids.length > shown.length ? shown.at(-1) : undefined, height: ctx.height }
}

export const nftsQuery: QueryRun<views.NftsQuery, Page<views.NftView>> = async (ctx, query) => {
  const { owner, domain } = query
  if (domain !== undefined && !ctx.reader.has(domains, domain)) return undefined
  if (owner !== undefined && !ctx.reader.has(accounts, owner)) return undefined
  if (owner !== undefined) {
    const page = await nftsByOwner(ctx, owner, query)
    return domain === undefined ? page : { ...page, items: page.items.filter((one) => domainOfNft(one.id) === domain) }
  }
  if (domain === undefined) {
    return pageOfTable(
      ctx,
      nfts,
      query,
      (id, row) => nftOf(ctx.reader, id, row),
      (id) => contentBytes(ctx.reader, id),
    )
  }
  const limit = limitOf(query.limit)
  const items: views.NftView[] = []
  let after = query.after
  let left = ANSWER_BYTES_MAX
  for (let seen = 0; ; ) {
    const rows = await ctx.rows(nfts, { ...(after === undefined ? {} : { after }), limit: PAGE_LIMIT_MAX })
    for (const { key, value } of rows) {
      const bytes = domainOfNft(key) === domain ? contentBytes(ctx.reader, key) : 0
      if (bytes > left && items.length > 0) return { items, nextCursor: after, height: ctx.height }
      left -= bytes
      after = key
      if (domainOfNft(key) === domain) items.push(nftOf(ctx.reader, key, value))
      if (items.length === limit) return { items, nextCursor: after, height: ctx.height }
    }
    seen += rows.length
    if (rows.length < PAGE_LIMIT_MAX) return { items, nextCursor: undefined, height: ctx.height }
    if (seen >= SCAN_MAX) return { items, nextCursor: after, height: ctx.height }
  }
}

export const nftQuery: QueryRun<ByIdQuery, views.NftView> = async ({ reader }, { id }) => {
  const row = reader.get(nfts, id)
  return row === undefined ? undefined : nftOf(reader, id, row)
}

const roleOf = (state: StateReader, id: string, row: Role): views.RoleView => ({
  id,
  permissions: row.tokens,
  managers: managersOf(state, row),
  members: row.members,
})

export const rolesQuery: QueryRun<PageQuery, Page<views.RoleView>> = (ctx, query) =>
  pageOfTable(ctx, roles, query, (id, row) => roleOf(ctx.reader, id, row))

export const roleQuery: QueryRun<ByIdQuery, views.RoleView> = async ({ reader }, { id }) => {
  const row = reader.get(roles, id)
  return row === undefined ? undefined : roleOf(reader, id, row)
}

export const accountGrantsQuery: QueryRun<AccountQuery, views.AccountGrantsView> = async (ctx, query) => {
  const { reader } = ctx
  const account = resolveAccount(ctx, query)
  if (account === undefined || !reader.has(accounts, account)) return undefined
  const held = (reader.get(accountRoles, account) ?? []).flatMap((id) => {
    const row = reader.get(roles, id)
    return row === undefined ? [] : [roleOf(reader, id, row)]
  })
  return { account, permissions: reader.get(tokens, account) ?? [], roles: held }
}

/** Who may do something, directly or by a role: what an owner asks before it takes a permission away. */
export const permissionHoldersQuery: QueryRun<views.HoldersQuery, Page<views.HolderItem>> = async (
  { permissions, reader, height, indexRange },
  { name, object, limit: asked, after },
) => {
  const limit = limitOf(asked)
  const def = permissions.get(name)
  const token = def === undefined ? undefined : tokenFor(reader, def, object)
  if (token === undefined) return undefined
  const { holderAt, ...range } = holdersRange(name, object, after === undefined ? undefined : Buffer.from(after, 'hex'))
  const found: Buffer[] = []
  for await (const [key] of indexRange({ ...range, limit: limit + 1 })) found.push(key.subarray(holderAt))
  const items = found.slice(0, limit).flatMap((bytes): views.HolderItem[] => {
    const holder = holderOfBytes(bytes)
    const held = holder.kind === 'account' ? reader.get(tokens, holder.value) : reader.get(roles, holder.value)?.tokens
    return hasToken(held ?? [], token) ? [{ holder, permission: token }] : []
  })
  return { items, nextCursor: found.length > limit ? found[limit - 1]?.toString('hex') : undefined, height }
}

function triggerOf({ reader, codec }: QueryContext, id: string, row: Trigger): views.TriggerView {
  const { authority, filter, repeats, enabled, failures, dueMs } = row
  const instructions = shownList(storedList(reader, { pages: triggerPages, of: id, row, codec }))
  const metadata = metadataOf(reader, { kind: 'trigger', value: id })
  return { id, authority, filter, instructions, repeats, enabled, failures, dueMs, metadata }
}

export const triggersQuery: QueryRun<PageQuery, Page<views.TriggerView>> = (ctx, query) =>
  pageOfTable(
    ctx,
    triggers,
    query,
    (id, row) => triggerOf(ctx, id, row),
    (value, row) => row.instructionBytes + metadataBytes(ctx.reader, { kind: 'trigger', value }),
  )

export const triggerQuery: QueryRun<ByIdQuery, views.TriggerView> = async (ctx, { id }) => {
  const row = ctx.reader.get(triggers, id)
  return row === undefined ? undefined : triggerOf(ctx, id, row)
}

function proposalOf(
  { reader, codec }: QueryContext,
  key: views.ProposalQuery,
  { instructionBytes, instructionWeight, ...row }: Proposal,
  policy: MultisigPolicy,
  nowMs: number,
): views.ProposalView {
  const place = { instructionBytes, instructionWeight }
  const isOver = row.status === 'open' && row.expiresMs <= nowMs
  return {
    ...key,
    ...row,
    instructions: shownList(storedList(reader, { pages: proposalPages, of: key, row: place, codec })),
    status: isOver ? 'expired' : row.status,
    weight: weightOf(policy, new Set(row.approvals)),
    quorum: policy.quorum,
  }
}

/** Instructions of proposals that one answer shows, in bytes of text: it has no cursor. */
const PROPOSALS_BYTES_MAX = 4 * 1024 * 1024
/** Bytes of text that take as long to read and to write as JSON of this weight. */
const TEXT_BYTES_PER_WEIGHT = 32
const textBytesOf = ({ instructionBytes, instructionWeight }: StoredPlace): number =>
  instructionBytes + TEXT_BYTES_PER_WEIGHT * instructionWeight

export const multisigQuery: QueryRun<AccountQuery, views.MultisigView> = async (ctx, query) => {
  const { reader } = ctx
  const account = resolveAccount(ctx, query)
  const policy = account === undefined ? undefined : policyOf(reader, account)
  if (account === undefined || policy === undefined) return undefined
  const nowMs = await nowOf(ctx)
  const lists = reader.get(proposalLists, account) ?? { open: [], closed: [] }
  // Open ones first, then the closed ones from the last: what waits for its members is never left out for what is over.
  const asked = [...lists.open.map((one) => one.proposal), ...lists.closed.toReversed()].flatMap((proposal) => {
    const key = { account, proposal }
    const row = reader.get(proposals, key)
    return row === undefined ? [] : [{ key, row }]
  })
  const shown = fittingAnswer(asked, ({ row }) => textBytesOf(row), PROPOSALS_BYTES_MAX)
  const viewOf = ({ key, row }: (typeof shown)[number]) => proposalOf(ctx, key, row, policy, nowMs)
  return {
    account,
    policy,
    open: shown.filter(({ row }) => row.status === 'open').map(viewOf),
    closed: shown
      .filter(({ row }) => row.status !== 'open')
      .map(viewOf)
      .reverse(),
    moreProposals: shown.length < asked.length ? true : undefined,
    height: ctx.height,
  }
}

export const proposalQuery: QueryRun<views.ProposalQuery, views.ProposalView> = async (ctx, key) => {
  const policy = policyOf(ctx.reader, key.account)
  const row = ctx.reader.get(proposals, key)
  return policy === undefined || row === undefined ? undefined : proposalOf(ctx, key, row, policy, await nowOf(ctx))
}

function controlViewOf(ctx: QueryContext, key: views.ControlQuery, nowMs: number): views.ControlView {
  const { frozen = false, blacklisted = false, limits = [] } = controlOf(ctx.reader, key) ?? {}
  return { ...key, frozen, blacklisted, limits, usage: capsOf(ctx.reader, key, nowMs) }
}

export const controlQuery: QueryRun<views.ControlQuery, views.ControlView> = async (ctx, key) => {
  return ctx.reader.has(accounts, key.account) ? controlViewOf(ctx, key, await nowOf(ctx)) : undefined
}

export const controlsQuery: QueryRun<views.ControlsQuery, Page<views.ControlView>> = async (
  ctx,
  { definition, limit: asked, after: place },
) => {
  if (!ctx.reader.has(definitions, definition)) return undefined
  const start = (place === undefined ? undefined : accountOfPlace(place)) ?? FIRST_ACCOUNT
  const limit = limitOf(asked)
  const rows = await ctx.rows(controls, { after: { definition, account: start }, limit: limit + 1 })
  const own = rows.map((one) => one.key).filter((key) => key.definition === definition)
  const shown = own.slice(0, limit)
  const last = shown.at(-1)
  const nowMs = await nowOf(ctx)
  return {
    items: shown.map((key) => controlViewOf(ctx, key, nowMs)),
    nextCursor: own.length > limit && last !== undefined ? formatAddress(last.account, prefixOf(ctx)) : undefined,
    height: ctx.height,
  }
}

export const controlCheckQuery: QueryRun<views.ControlCheckQuery, views.ControlCheck> = async (
  ctx,
  { definition, account, to, amount },
) => {
  const fault =
    controlFault(ctx.reader, { definition, account }, to, amount, await nowOf(ctx)) ??
    ctx.gate?.movement(ctx.reader, account, definition)
  return { allowed: fault === undefined, code: fault?.code, message: fault?.message, height: ctx.height }
}

export const admissionQuery: QueryRun<ByIdQuery, views.AdmissionView> = async ({ reader }, { id }) => {
  if (!reader.has(domains, id)) return undefined
  const policy = reader.get(admissions, id)
  const implicit = policy?.mode === 'implicit' && parameterOf(reader, ACCOUNT_ADMISSION).mode === 'implicit'
  return { domain: id, policy, implicit }
}
