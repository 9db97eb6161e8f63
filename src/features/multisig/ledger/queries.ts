/** Owns the queries of multisig accounts. */
import type { QueryContext, QueryRun } from '../../../executor/reads.js'
import { type StoredPlace, storedList } from '../../../executor/stored-lists.js'
import { type Proposal, policyOf, proposalLists, proposalPages, proposals } from '../../../ledger/multisig-tables.js'
import { nowOf, resolveAccount, shownList } from '../../../ledger/query.js'
import { fittingAnswer } from '../../../ledger/table-page.js'
import { type MultisigPolicy, weightOf } from '../../../model/index.js'
import type { AccountQuery } from '../../accounts/schema/views.js'
import type * as views from '../schema/views.js'

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
