/** Owns the routes of assets and of their controls. */

import { pageFields, pageParameters } from '../../../api/paging.js'
import { accountPath, accountText } from '../../../api/query-inputs.js'
import { byPage, byQuery, defineRoute, publicRead } from '../../../api/route.js'
import { type Infer, numeric, option, struct } from '../../../codec/index.js'
import { assetDefinitionId } from '../../../model/index.js'
import * as queries from './queries.js'
import { assetPage, controlCheck, controlPage, controlView, definitionPage, definitionView } from './views.js'

const assetsParameters_ = struct('AssetsParameters', {
  definition: option(assetDefinitionId),
  account: option(accountText),
  ...pageFields,
})
export type AssetsParameters = Infer<typeof assetsParameters_>

const definitionPath_ = struct('DefinitionPath', { id: assetDefinitionId })

/** What is said of an asset definition that is offline. */
const NO_DEFINITION = (): string => 'definition: no such asset definition'

export const accountAssetsRoute = defineRoute({
  ...publicRead,
  id: 'ledger.account.assets',
  path: '/v1/accounts/{id}/assets',
  summary: 'Balances of an account in the order of their definitions',
  params: accountPath,
  query: pageParameters,
  response: assetPage,
})

export const assetsRoute = defineRoute({
  ...publicRead,
  id: 'ledger.assets',
  path: '/v1/assets',
  summary: 'Balances, of one definition or one account when it is given',
  query: assetsParameters_,
  errors: ['not_found'],
  response: assetPage,
})

export const definitionsRoute = defineRoute({
  ...publicRead,
  id: 'ledger.asset.definitions',
  path: '/v1/assets/definitions',
  summary: 'Asset definitions in the order of their ids',
  query: pageParameters,
  response: definitionPage,
  answer: byPage(queries.assetDefinitions),
})

export const definitionRoute = defineRoute({
  ...publicRead,
  id: 'ledger.asset.definition',
  path: '/v1/assets/definitions/{id}',
  summary: 'An asset definition with its total quantity',
  params: definitionPath_,
  response: definitionView,
  answer: byQuery(
    queries.assetDefinition,
    ({ params }: { readonly params: { readonly id: string } }) => params,
    ({ params }: { readonly params: { readonly id: string } }) => `there is no asset definition ${params.id}`,
  ),
})

export const holdersRoute = defineRoute({
  ...publicRead,
  id: 'ledger.asset.holders',
  path: '/v1/assets/definitions/{id}/holders',
  summary: 'Accounts that hold an asset, with their balances, in the order of their ids',
  params: definitionPath_,
  query: pageParameters,
  response: assetPage,
  answer: byPage(
    queries.assets,
    ({ params: { id } }: { readonly params: { readonly id: string } }) => ({
      definition: id,
      account: undefined,
    }),
    NO_DEFINITION,
  ),
})

export const explorerAssetsRoute = defineRoute({ ...assetsRoute, id: 'explorer.assets', path: '/v1/explorer/assets' })

export const explorerDefinitionsRoute = defineRoute({
  ...publicRead,
  id: 'explorer.asset.definitions',
  path: '/v1/explorer/asset-definitions',
  summary: 'Asset definitions in the order of their ids',
  query: pageParameters,
  response: definitionPage,
  answer: byPage(queries.assetDefinitions),
})

export const explorerDefinitionRoute = defineRoute({
  ...definitionRoute,
  id: 'explorer.asset.definition',
  path: '/v1/explorer/asset-definitions/{id}',
})

const controlsPath_ = struct('ControlsPath', { definition: assetDefinitionId })
const controlPath_ = struct('ControlPath', { definition: assetDefinitionId, account: accountText })
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
  answer: byPage(
    queries.controls,
    ({ params: { definition } }: { readonly params: { readonly definition: string } }) => ({ definition }),
    NO_DEFINITION,
  ),
})

export const controlRoute = defineRoute({
  id: 'controls.balance',
  method: 'GET',
  path: '/v1/controls/{definition}/{account}',
  summary: 'Freeze, blacklist and limits of a balance, and what may still be paid from it',
  access: 'public',
  format: 'json',
  params: controlPath_,
  response: controlView,
})

export const controlCheckRoute = defineRoute({
  id: 'controls.check',
  method: 'GET',
  path: '/v1/controls/{definition}/{account}/check',
  summary: 'Whether a transfer from a balance would be refused in the current state',
  access: 'public',
  format: 'json',
  params: controlPath_,
  query: checkParameters_,
  errors: ['bad_amount'],
  response: controlCheck,
})
