/** Owns the answers of the routes of NFTs, permissions, roles, triggers, multisig accounts and controls. */

import { type AnyHandler, handle } from '../../api/handler.js'
import type { PageParameters } from '../../api/paging.js'
import type { Numeric } from '../../codec/index.js'
import { LedgerError, type MultisigPolicy, multisigAccount, policyFault, sortedPolicy } from '../../model/index.js'
import type { NodeServices } from '../services.js'
import { accountIdOf, accountOfText, answerPage, noAccount, noSuch, parameterFault } from './answers.js'
import * as queries from './schema/queries.js'
import * as routes from './schema/routes.js'

type Input<P, Q = undefined, B = undefined> = {
  readonly services: NodeServices
  readonly params: P
  readonly query: Q
  readonly body: B
}
type ControlPath = { readonly definition: string; readonly account: string }

const found = <T>(value: T | undefined, message: string): { value: T } | LedgerError =>
  value === undefined ? new LedgerError('not_found', message) : { value }

export const OBJECT_HANDLERS: ReadonlyMap<string, AnyHandler<NodeServices>> = new Map([
  handle(routes.nftsRoute, async ({ services, query }: Input<undefined, routes.NftsParameters>) => {
    const { owner: text, domain, ...page } = query
    const owner = text === undefined ? undefined : await accountIdOf(services, text, 'owner')
    return owner instanceof LedgerError
      ? owner
      : answerPage(services, queries.nfts, page, { owner, domain }, noSuch({ owner, domain }))
  }),
  handle(routes.nftRoute, async ({ services, params }: Input<{ readonly id: string }>) =>
    found(await services.query(queries.nft, params), `there is no NFT ${params.id}`),
  ),
  handle(routes.accountGrantsRoute, async ({ services, params }: Input<{ readonly id: string }>) => {
    const named = accountOfText(services, params.id)
    if (named instanceof LedgerError) return named
    return found(await services.query(queries.accountGrants, named), noAccount(params.id))
  }),
  handle(routes.rolesRoute, ({ services, query }: Input<undefined, PageParameters>) =>
    answerPage(services, queries.roles, query, {}),
  ),
  handle(routes.roleRoute, async ({ services, params }: Input<{ readonly id: string }>) =>
    found(await services.query(queries.role, params), `there is no role ${params.id}`),
  ),
  handle(routes.triggersRoute, ({ services, query }: Input<undefined, PageParameters>) =>
    answerPage(services, queries.triggers, query, {}),
  ),
  handle(routes.triggerRoute, async ({ services, params }: Input<{ readonly id: string }>) =>
    found(await services.query(queries.trigger, params), `there is no trigger ${params.id}`),
  ),
  handle(routes.multisigAddressRoute, ({ body }: Input<undefined, undefined, MultisigPolicy>) => {
    const policy = sortedPolicy(body)
    const fault = policyFault(policy)
    return fault === undefined
      ? { value: { account: multisigAccount(policy), policy } }
      : parameterFault('policy', fault)
  }),
  handle(routes.multisigRoute, async ({ services, params }: Input<{ readonly account: string }>) => {
    const named = accountOfText(services, params.account, 'account')
    if (named instanceof LedgerError) return named
    return found(await services.query(queries.multisig, named), `there is no multisig account ${params.account}`)
  }),
  handle(
    routes.proposalRoute,
    async ({ services, params }: Input<{ readonly account: string; readonly proposal: Uint8Array }>) => {
      const account = await accountIdOf(services, params.account, 'account')
      if (account instanceof LedgerError) return account
      return found(await services.query(queries.proposal, { account, proposal: params.proposal }), 'no such proposal')
    },
  ),
  handle(routes.controlsRoute, ({ services, params, query }: Input<{ readonly definition: string }, PageParameters>) =>
    answerPage(services, queries.controls, query, params, noSuch(params)),
  ),
  handle(routes.controlRoute, async ({ services, params }: Input<ControlPath>) => {
    const account = await accountIdOf(services, params.account, 'account')
    if (account instanceof LedgerError) return account
    const { definition } = params
    return found(await services.query(queries.control, { definition, account }), noAccount(params.account))
  }),
  handle(
    routes.controlCheckRoute,
    async ({ services, params, query }: Input<ControlPath, { readonly to: string; readonly amount: Numeric }>) => {
      const account = await accountIdOf(services, params.account, 'account')
      if (account instanceof LedgerError) return account
      const to = await accountIdOf(services, query.to, 'to')
      if (to instanceof LedgerError) return to
      const asked = { definition: params.definition, account, to, amount: query.amount }
      return found(await services.query(queries.controlCheck, asked), noAccount(params.account))
    },
  ),
])
