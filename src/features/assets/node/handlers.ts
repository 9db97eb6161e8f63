/** Owns handlers of the asset routes that are not plain queries: those that name an account. */

import { type AnyHandler, handle } from '../../../api/handler.js'
import type { PageParameters } from '../../../api/paging.js'
import type { DraftParameters } from '../../../api/schema/draft.js'
import type { NodeServices } from '../../../api/services.js'
import type { Numeric } from '../../../codec/index.js'
import { type AssetId, type Instruction, instruction, LedgerError } from '../../../model/index.js'
import { answerDraft } from '../../drafts.js'
import { accountIdOf, answerOne, answerPage, noAccount, noSuch, parameterFault } from '../../responses.js'
import { instructions } from '../schema/instructions.js'
import { queries } from '../schema/queries.js'
import * as routes from '../schema/routes.js'

type Input<P, Q = undefined> = { readonly services: NodeServices; readonly params: P; readonly query: Q }
type ControlPath = { readonly definition: string; readonly account: string }

async function assets({ services, query }: Input<undefined, routes.AssetsParameters>) {
  const { definition, account: text, ...page } = query
  const account = text === undefined ? undefined : await accountIdOf(services, text, 'account')
  if (account instanceof LedgerError) return account
  const asked = { definition, account }
  return answerPage(services, queries.assets, page, asked, noSuch(asked))
}

async function accountAssets({ services, params, query }: Input<{ readonly id: string }, PageParameters>) {
  const account = await accountIdOf(services, params.id, 'id')
  if (account instanceof LedgerError) return account
  const asked = { definition: undefined as string | undefined, account: account as string | undefined }
  return answerPage(services, queries.assets, query, asked, noSuch(asked))
}

async function portfolio({ services, params, query }: Input<{ readonly id: string }, PageParameters>) {
  const account = await accountIdOf(services, params.id, 'id')
  if (account instanceof LedgerError) return account
  return answerPage(services, queries.portfolio, query, { account }, noAccount(params.id))
}

/** One instruction for each part of a control that changes. */
function changesOf(asset: AssetId, { frozen, reason, blacklisted, limits }: routes.ControlChange): Instruction[] {
  return [
    ...(frozen === undefined ? [] : [instruction(instructions.setFreeze, { asset, frozen, reason })]),
    ...(blacklisted === undefined ? [] : [instruction(instructions.setBlacklist, { asset, blacklisted })]),
    ...(limits === undefined ? [] : [instruction(instructions.setLimits, { asset, limits })]),
  ]
}

async function controlDraft(input: Input<ControlPath, DraftParameters> & { readonly body: routes.ControlChange }) {
  const { services, params, body } = input
  const { definition } = params
  if (body.reason !== undefined && body.frozen === undefined)
    return parameterFault('reason', 'a reason is told with `frozen`')
  const account = await accountIdOf(services, params.account, 'account')
  if (account instanceof LedgerError) return account
  if ((await services.query(queries.assetDefinition, { id: definition })) === undefined)
    return new LedgerError('not_found', `there is no asset definition ${definition}`)
  const drafted = changesOf({ definition, account }, body)
  if (drafted.length === 0) return parameterFault('frozen', 'one of frozen, blacklisted and limits is given')
  return answerDraft(input, drafted, () => ({}))
}

async function control({ services, params }: Input<ControlPath>) {
  const account = await accountIdOf(services, params.account, 'account')
  if (account instanceof LedgerError) return account
  const { definition } = params
  return answerOne(services, queries.control, { definition, account }, noAccount(params.account))
}

async function controlCheck({
  services,
  params,
  query,
}: Input<ControlPath, { readonly to: string; readonly amount: Numeric }>) {
  const account = await accountIdOf(services, params.account, 'account')
  if (account instanceof LedgerError) return account
  const to = await accountIdOf(services, query.to, 'to')
  if (to instanceof LedgerError) return to
  const asked = { definition: params.definition, account, to, amount: query.amount }
  return answerOne(services, queries.controlCheck, asked, noAccount(params.account))
}

/** Handlers by route id. */
export const assetHandlers: ReadonlyMap<string, AnyHandler<NodeServices>> = new Map([
  handle(routes.assetsRoute, assets),
  handle(routes.explorerAssetsRoute, assets),
  handle(routes.accountAssetsRoute, accountAssets),
  handle(routes.portfolioRoute, portfolio),
  handle(routes.controlRoute, control),
  handle(routes.controlDraftRoute, controlDraft),
  handle(routes.controlCheckRoute, controlCheck),
])
