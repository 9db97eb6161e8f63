/** Owns the routes of accounts. */

import { noAccount } from '../../../api/absent-texts.js'
import { pageFields } from '../../../api/paging.js'
import { accountPath } from '../../../api/query-inputs.js'
import { defineRoute, publicRead } from '../../../api/route.js'
import { type Infer, option, struct } from '../../../codec/index.js'
import { domainId } from '../../../model/index.js'
import { queries } from './queries.js'
import { accountPage, accountView } from './views.js'

const accountsParameters_ = struct('AccountsParameters', { domain: option(domainId), ...pageFields })
export type AccountsParameters = Infer<typeof accountsParameters_>

export const accountsRoute = defineRoute({
  ...publicRead,
  id: 'ledger.accounts',
  path: '/v1/accounts',
  summary: 'Accounts in the order of their ids, of one domain when it is given',
  query: accountsParameters_,
  response: accountPage,
}).byPage(
  queries.accounts,
  ({ query: { domain } }) => ({ domain }),
  () => 'domain: no such domain',
)

export const accountRoute = defineRoute({
  ...publicRead,
  id: 'ledger.account',
  tool: { name: 'account', about: 'An account by address or alias: balances, metadata' },
  path: '/v1/accounts/{id}',
  summary: 'An account with its balances, by its address or its alias label@domain',
  params: accountPath,
  accounts: { id: 'name' },
  response: accountView,
}).byQuery(
  queries.account,
  ({ accounts }) => accounts.id,
  ({ params }) => noAccount(params.id),
)

export const explorerAccountsRoute = defineRoute({
  ...accountsRoute,
  id: 'explorer.accounts',
  path: '/v1/explorer/accounts',
})

export const explorerAccountRoute = defineRoute({
  ...publicRead,
  id: 'explorer.account',
  path: '/v1/explorer/accounts/{id}',
  summary: 'An account with its balances, by its address or its alias label@domain',
  params: accountPath,
  accounts: { id: 'name' },
  response: accountView,
}).byQuery(
  queries.account,
  ({ accounts }) => accounts.id,
  ({ params }) => noAccount(params.id),
)
