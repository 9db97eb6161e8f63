/** Owns the answers about accounts, which may be named by an alias, and of elections that are tried. */

import { type AnyHandler, handle } from '../../../api/handler.js'
import type { PageParameters } from '../../../api/paging.js'
import type { NodeServices } from '../../../api/services.js'
import type { Numeric } from '../../../codec/index.js'
import { type AccountId, LedgerError } from '../../../model/index.js'
import { accountIdOf, answerOne, answerPage, parameterFault } from '../../responses.js'
import { queries } from '../schema/queries.js'
import { TARGETS_MAX } from '../schema/records.js'
import * as routes from '../schema/routes.js'

type ById = { readonly services: NodeServices; readonly params: { readonly id: string } }

async function validator({ services, params }: ById) {
  const account = await accountIdOf(services, params.id, 'id')
  if (account instanceof LedgerError) return account
  return answerOne(services, queries.stakingValidator, { account }, `${params.id} is not a validator`)
}

async function stake({ services, params }: ById) {
  const account = await accountIdOf(services, params.id, 'id')
  if (account instanceof LedgerError) return account
  return answerOne(services, queries.stakingStake, { account }, `${params.id} stakes nothing`)
}

async function history({ services, params, query }: ById & { readonly query: PageParameters }) {
  const account = await accountIdOf(services, params.id, 'id')
  if (account instanceof LedgerError) return account
  return answerPage(services, queries.stakingHistory, query, { account })
}

type OfAccount = { readonly services: NodeServices; readonly query: routes.OfAccount }

/** The account that a list is of, where one is named. */
async function namedAccount({ services, query }: OfAccount): Promise<AccountId | undefined | LedgerError> {
  return query.account === undefined ? undefined : accountIdOf(services, query.account, 'account')
}

async function pendingRewards(input: OfAccount) {
  const account = await namedAccount(input)
  if (account instanceof LedgerError) return account
  const { account: _, ...page } = input.query
  return answerPage(input.services, queries.stakingRewards, page, { account })
}

async function slashes(input: OfAccount) {
  const account = await namedAccount(input)
  if (account instanceof LedgerError) return account
  const { account: _, ...page } = input.query
  return answerPage(input.services, queries.stakingSlashes, page, { account })
}

interface Simulation {
  readonly services: NodeServices
  readonly query: {
    readonly account: string | undefined
    readonly amount: Numeric | undefined
    readonly targets: string | undefined
  }
}

async function simulate({ services, query }: Simulation) {
  const account = query.account === undefined ? undefined : await accountIdOf(services, query.account, 'account')
  if (account instanceof LedgerError) return account
  const named = (query.targets ?? '').split(',').filter((text) => text !== '')
  if (named.length > TARGETS_MAX) return parameterFault('targets', `at most ${TARGETS_MAX} validators are nominated`)
  const targets: AccountId[] = []
  for (const text of named) {
    const target = await accountIdOf(services, text, 'targets')
    if (target instanceof LedgerError) return target
    targets.push(target)
  }
  const asked = { account, amount: query.amount, targets }
  return answerOne(services, queries.stakingSimulation, asked, 'nothing is staked on this chain')
}

/** Handlers by route id. */
export const stakingHandlers: ReadonlyMap<string, AnyHandler<NodeServices>> = new Map([
  handle(routes.validatorRoute, validator),
  handle(routes.accountStakeRoute, stake),
  handle(routes.stakeHistoryRoute, history),
  handle(routes.rewardsRoute, pendingRewards),
  handle(routes.slashesRoute, slashes),
  handle(routes.simulateRoute, simulate),
])
