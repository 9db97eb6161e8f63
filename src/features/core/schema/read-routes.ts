/** Owns the rows of the reads of accounts, balances, history and proofs (specification 4.3); the explorer shows the same lists. */
import { pageFields } from '../../../api/paging.js'
import { type AnyRoute, defineRoute, routeTable } from '../../../api/route.js'
import { historyParameters } from '../../../api/schema/consensus-detail.js'
import { finalityProof, headerList, stateRecordProof, transactionProof } from '../../../api/schema/proof.js'
import { hash32, type Infer, option, string, struct, varint } from '../../../codec/index.js'
import { assetDefinitionId, domainId } from '../../../model/index.js'
import * as history from './history.js'
import { accountPage, assetPage } from './holdings.js'
import { accountView, definitionPage, definitionView, domainView } from './views.js'

/** Longest text of an address or an alias, in bytes. */
const ACCOUNT_TEXT_MAX_BYTES = 512
const accountText = string(ACCOUNT_TEXT_MAX_BYTES)

const read = { method: 'GET', access: 'public', format: 'json' } as const

const accountsParameters_ = struct('AccountsParameters', { domain: option(domainId), ...pageFields })
export type AccountsParameters = Infer<typeof accountsParameters_>
const assetsParameters_ = struct('AssetsParameters', {
  definition: option(assetDefinitionId),
  account: option(accountText),
  ...pageFields,
})
export type AssetsParameters = Infer<typeof assetsParameters_>
const historyParameters_ = struct('TransactionsParameters', {
  authority: option(accountText),
  ...history.historyFilterFields,
  ...pageFields,
})
export type TransactionsParameters = Infer<typeof historyParameters_>
const ownHistory_ = struct('AccountTransactionsParameters', { ...history.historyFilterFields, ...pageFields })
export type AccountTransactionsParameters = Infer<typeof ownHistory_>
const page_ = struct('ListParameters', pageFields)
const stateProofParameters_ = struct('StateProofParameters', { table: string(64), key: string(1024) })

const accountPath_ = struct('ReadAccountPath', { id: accountText })
const domainPath_ = struct('DomainPath', { id: domainId })
const definitionPath_ = struct('DefinitionPath', { id: assetDefinitionId })
const holdersPath_ = struct('HoldersPath', { definition: assetDefinitionId })
const hashPath_ = struct('TransactionPath', { hash: hash32 })
const instructionPath_ = struct('InstructionPath', { hash: hash32, position: varint })
const blockPath_ = struct('BlockPath', { id: string(64) })
const blockProofPath_ = struct('BlockProofPath', { height: varint, hash: hash32 })
const heightPath_ = struct('FinalityPath', { height: varint })

export const domainRoute = defineRoute({
  ...read,
  id: 'ledger.domain',
  path: '/v1/domains/{id}',
  summary: 'A domain',
  params: domainPath_,
  response: domainView,
})

export const accountsRoute = defineRoute({
  ...read,
  id: 'ledger.accounts',
  path: '/v1/accounts',
  summary: 'Accounts in the order of their ids, of one domain when it is given',
  query: accountsParameters_,
  response: accountPage,
})

export const accountAssetsRoute = defineRoute({
  ...read,
  id: 'ledger.account.assets',
  path: '/v1/accounts/{id}/assets',
  summary: 'Balances of an account in the order of their definitions',
  params: accountPath_,
  query: page_,
  response: assetPage,
})

export const accountTransactionsRoute = defineRoute({
  ...read,
  id: 'ledger.account.transactions',
  path: '/v1/accounts/{id}/transactions',
  summary: 'Transactions that an account signed, newest first',
  params: accountPath_,
  query: ownHistory_,
  response: history.transactionPage,
})

export const assetsRoute = defineRoute({
  ...read,
  id: 'ledger.assets',
  path: '/v1/assets',
  summary: 'Balances, of one definition or one account when it is given',
  query: assetsParameters_,
  errors: ['not_found'],
  response: assetPage,
})

export const definitionRoute = defineRoute({
  ...read,
  id: 'ledger.asset.definition',
  path: '/v1/assets/definitions/{id}',
  summary: 'An asset definition with its total quantity',
  params: definitionPath_,
  response: definitionView,
})

export const holdersRoute = defineRoute({
  ...read,
  id: 'ledger.asset.holders',
  path: '/v1/assets/{definition}/holders',
  summary: 'Accounts that hold an asset, with their balances, in the order of their ids',
  params: holdersPath_,
  query: page_,
  response: assetPage,
})

export const transactionsRoute = defineRoute({
  ...read,
  id: 'ledger.transactions',
  path: '/v1/transactions',
  summary: 'Committed transactions, newest first, by authority, instruction kind, asset, outcome or block',
  query: historyParameters_,
  errors: ['not_found'],
  response: history.transactionPage,
})

export const transactionRoute = defineRoute({
  ...read,
  id: 'ledger.transaction',
  path: '/v1/transactions/{hash}',
  summary: 'A committed transaction with its instructions and signatures',
  params: hashPath_,
  response: history.transactionDetail,
})

export const instructionsRoute = defineRoute({
  ...read,
  id: 'explorer.instructions',
  path: '/v1/explorer/instructions',
  summary: 'Instructions of committed transactions, newest first',
  query: historyParameters_,
  errors: ['not_found'],
  response: history.instructionPage,
})

export const instructionRoute = defineRoute({
  ...read,
  id: 'explorer.instruction',
  path: '/v1/explorer/instructions/{hash}/{position}',
  summary: 'One instruction of a committed transaction',
  params: instructionPath_,
  response: history.instructionItem,
})

export const blocksRoute = defineRoute({
  ...read,
  id: 'explorer.blocks',
  path: '/v1/explorer/blocks',
  summary: 'Blocks, newest first',
  query: page_,
  response: history.blockPage,
})

export const blockRoute = defineRoute({
  ...read,
  id: 'explorer.block',
  path: '/v1/explorer/blocks/{id}',
  summary: 'A block by its height or its hash',
  params: blockPath_,
  response: history.blockView,
})

export const EXPLORER = {
  transactions: defineRoute({ ...transactionsRoute, id: 'explorer.transactions', path: '/v1/explorer/transactions' }),
  transaction: defineRoute({
    ...transactionRoute,
    id: 'explorer.transaction',
    path: '/v1/explorer/transactions/{hash}',
  }),
  accounts: defineRoute({ ...accountsRoute, id: 'explorer.accounts', path: '/v1/explorer/accounts' }),
  account: defineRoute({
    ...read,
    id: 'explorer.account',
    path: '/v1/explorer/accounts/{id}',
    summary: 'An account with its balances, by its address or its alias label@domain',
    params: accountPath_,
    response: accountView,
  }),
  assets: defineRoute({ ...assetsRoute, id: 'explorer.assets', path: '/v1/explorer/assets' }),
  definitions: defineRoute({
    ...read,
    id: 'explorer.asset.definitions',
    path: '/v1/explorer/asset-definitions',
    summary: 'Asset definitions in the order of their ids',
    query: page_,
    response: definitionPage,
  }),
  definition: defineRoute({
    ...definitionRoute,
    id: 'explorer.asset.definition',
    path: '/v1/explorer/asset-definitions/{id}',
  }),
} as const

export const headersRoute = defineRoute({
  ...read,
  id: 'ledger.headers',
  path: '/v1/ledger/headers',
  summary: 'Headers with their commit certificates, newest first, from a height down',
  query: historyParameters,
  response: headerList,
})

export const stateProofRoute = defineRoute({
  ...read,
  id: 'ledger.state.proof',
  path: '/v1/ledger/state-proof',
  summary: 'A record of the world state, or its absence, proven against the genesis hash',
  query: stateProofParameters_,
  errors: ['not_found'],
  response: stateRecordProof,
})

export const blockProofRoute = defineRoute({
  ...read,
  id: 'ledger.block.proof',
  path: '/v1/ledger/block/{height}/proof/{hash}',
  summary: 'A transaction of a block and its result, proven against the genesis hash',
  params: blockProofPath_,
  response: transactionProof,
})

export const finalityRoute = defineRoute({
  ...read,
  id: 'bridge.finality',
  path: '/v1/bridge/finality/{height}',
  summary: 'Proof that the block of a height is final, from the genesis hash on',
  params: heightPath_,
  response: finalityProof,
})

/** All rows, in the order of the document. */
export const READ_ROUTES: readonly AnyRoute[] = routeTable(
  domainRoute,
  accountsRoute,
  accountAssetsRoute,
  accountTransactionsRoute,
  assetsRoute,
  definitionRoute,
  holdersRoute,
  transactionsRoute,
  transactionRoute,
  blocksRoute,
  blockRoute,
  instructionsRoute,
  instructionRoute,
  ...Object.values(EXPLORER),
  headersRoute,
  stateProofRoute,
  blockProofRoute,
  finalityRoute,
)
