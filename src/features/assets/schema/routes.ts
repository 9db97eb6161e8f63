/** Owns the routes of assets and of their controls. */

import { absentText, noAccount } from '../../../api/absent-texts.js'
import { pageFields, pageParameters } from '../../../api/paging.js'
import { accountPath, accountText, assetText } from '../../../api/query-inputs.js'
import { defineRoute, publicRead } from '../../../api/route.js'
import { draft as draftRecord, draftRow } from '../../../api/schema/draft.js'
import { bool, type Infer, numeric, option, struct } from '../../../codec/index.js'
import { controlLimits } from '../../../model/index.js'
import { controlReason } from './instructions.js'
import { queries } from './queries.js'
import {
  assetPage,
  controlCheck,
  controlPage,
  controlView,
  definitionPage,
  definitionView,
  portfolio,
} from './views.js'

const assetsParameters_ = struct('AssetsParameters', {
  definition: option(assetText),
  account: option(accountText),
  ...pageFields,
})

const definitionPath_ = struct('DefinitionPath', { id: assetText })

export const accountAssetsRoute = defineRoute({
  ...publicRead,
  id: 'ledger.account.assets',
  path: '/v1/accounts/{id}/assets',
  summary: 'Balances of an account in the order of their definitions',
  params: accountPath,
  accounts: { id: 'id' },
  query: pageParameters,
  response: assetPage,
}).byPage(
  queries.assets,
  ({ accounts }) => ({ definition: undefined, account: accounts.id }),
  ({ params }) => noAccount(params.id),
)

export const portfolioRoute = defineRoute({
  ...publicRead,
  id: 'ledger.account.portfolio',
  path: '/v1/accounts/{id}/portfolio',
  summary: 'Holdings of an account: each balance with its definition, its controls and the amount that can be spent',
  params: accountPath,
  accounts: { id: 'id' },
  query: pageParameters,
  response: portfolio,
}).byPage(
  queries.portfolio,
  ({ accounts }) => ({ account: accounts.id }),
  ({ params }) => noAccount(params.id),
)

export const assetsRoute = defineRoute({
  ...publicRead,
  id: 'ledger.assets',
  path: '/v1/assets',
  summary: 'Balances, of one definition or one account when it is given',
  query: assetsParameters_,
  accounts: { account: 'id' },
  errors: ['not_found'],
  response: assetPage,
}).byPage(
  queries.assets,
  ({ query, accounts }) => ({ definition: query.definition, account: accounts.account }),
  ({ query }) => absentText(query),
)

export const definitionsRoute = defineRoute({
  ...publicRead,
  id: 'ledger.asset.definitions',
  tool: { name: 'definitions', about: 'Assets of the ledger' },
  path: '/v1/assets/definitions',
  summary: 'Asset definitions in the order of their ids',
  query: pageParameters,
  response: definitionPage,
}).byPage(queries.assetDefinitions)

export const definitionRoute = defineRoute({
  ...publicRead,
  id: 'ledger.asset.definition',
  path: '/v1/assets/definitions/{id}',
  summary: 'An asset definition with its total quantity',
  params: definitionPath_,
  response: definitionView,
}).byQuery(
  queries.assetDefinition,
  ({ params }) => params,
  ({ params }) => `asset definition ${params.id} does not exist`,
)

export const holdersRoute = defineRoute({
  ...publicRead,
  id: 'ledger.asset.holders',
  tool: { name: 'holders', about: 'Holders of an asset, with amounts' },
  path: '/v1/assets/definitions/{id}/holders',
  summary: 'Holders of an asset, with their balances, in the order of their ids',
  params: definitionPath_,
  query: pageParameters,
  response: assetPage,
}).byPage(
  queries.assets,
  ({ params: { id } }) => ({
    definition: id,
    account: undefined,
  }),
  ({ params }) => absentText({ definition: params.id }),
)

export const explorerAssetsRoute = defineRoute({ ...assetsRoute, id: 'explorer.assets', path: '/v1/explorer/assets' })

export const explorerDefinitionsRoute = defineRoute({
  ...publicRead,
  id: 'explorer.asset.definitions',
  path: '/v1/explorer/asset-definitions',
  summary: 'Asset definitions in the order of their ids',
  query: pageParameters,
  response: definitionPage,
}).byPage(queries.assetDefinitions)

export const explorerDefinitionRoute = defineRoute({
  ...definitionRoute,
  id: 'explorer.asset.definition',
  path: '/v1/explorer/asset-definitions/{id}',
})

const controlsPath_ = struct('ControlsPath', { definition: assetText })
const controlPath_ = struct('ControlPath', { definition: assetText, account: accountText })
const checkParameters_ = struct('ControlCheckParameters', { to: accountText, amount: numeric })

export const controlsRoute = defineRoute({
  id: 'controls.list',
  method: 'GET',
  path: '/v1/controls/{definition}',
  summary: 'Balances of a definition that are frozen, blacklisted or capped',
  access: 'public',
  format: 'json',
  params: controlsPath_,
  query: pageParameters,
  response: controlPage,
}).byPage(
  queries.controls,
  ({ params: { definition } }) => ({ definition }),
  ({ params: { definition } }) => absentText({ definition }),
)

export const controlRoute = defineRoute({
  id: 'controls.balance',
  method: 'GET',
  path: '/v1/controls/{definition}/{account}',
  summary: 'Freeze, blacklist and limits of a balance, and the amount that can still be spent',
  access: 'public',
  format: 'json',
  params: controlPath_,
  accounts: { account: 'id' },
  response: controlView,
}).byQuery(
  queries.control,
  ({ params, accounts }) => ({ definition: params.definition, account: accounts.account }),
  ({ params }) => noAccount(params.account),
)

const controlChange_ = struct('ControlChange', {
  /** New freeze; in this and the other fields, absent means unchanged. */
  frozen: option(bool),
  /** Reason of a freeze or its end, for people. */
  reason: option(controlReason),
  blacklisted: option(bool),
  /** New caps, which replace the earlier ones; an empty list: no cap. */
  limits: option(controlLimits),
})
export type ControlChange = Infer<typeof controlChange_>

/** Maximum size of a control change, in bytes of its JSON: many times the size of three caps and a reason. */
const CONTROL_BODY_MAX_BYTES = 4 * 1024

export const controlDraftRoute = defineRoute({
  ...draftRow,
  id: 'controls.draft',
  method: 'POST',
  path: '/v1/controls/{definition}/{account}',
  summary: 'Draft the freeze, blacklisting or caps of a balance; a holder of the permission signs and submits it',
  access: 'public',
  params: controlPath_,
  accounts: { account: 'id', ...draftRow.accounts },
  body: { as: 'record', schema: controlChange_, maxBytes: CONTROL_BODY_MAX_BYTES },
  response: draftRecord,
})

export const controlCheckRoute = defineRoute({
  id: 'controls.check',
  method: 'GET',
  path: '/v1/controls/{definition}/{account}/check',
  summary: 'Whether the current state would refuse a transfer from a balance',
  access: 'public',
  format: 'json',
  params: controlPath_,
  query: checkParameters_,
  accounts: { account: 'id', to: 'id' },
  errors: ['bad_amount'],
  response: controlCheck,
}).byQuery(
  queries.controlCheck,
  ({ params, query, accounts }) => ({ definition: params.definition, ...accounts, amount: query.amount }),
  ({ params }) => noAccount(params.account),
)
