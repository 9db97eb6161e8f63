/** Owns the answers of the reads of accounts, balances, history and proofs. */

import { type AnyHandler, handle } from '../../api/handler.js'
import type { Page, PageParameters } from '../../api/paging.js'
import type { HistoryParameters } from '../../api/schema/consensus-detail.js'
import { pascalCase } from '../../codec/index.js'
import { type AccountId, INSTRUCTION_REGISTRY, LedgerError, type QueryDef } from '../../model/index.js'
import type { NodeServices } from '../services.js'
import {
  accountIdOf,
  accountOfText,
  answerHistory,
  answerPage,
  noAccount,
  noSuch,
  parameterFault,
  unknownWord,
} from './answers.js'
import type { HistoryQuery } from './schema/history.js'
import type { StateProofQuery } from './schema/queries.js'
import * as queries from './schema/queries.js'
import * as routes from './schema/read-routes.js'

type Input<P, Q = undefined> = { readonly services: NodeServices; readonly params: P; readonly query: Q }
type IdPath = { readonly id: string }
type HashPath = { readonly hash: Uint8Array }

/** The answer of a query for one record; `message`: what is said when there is none. */
async function one<Q, R>(services: NodeServices, def: QueryDef<Q, R>, input: Q, message: string) {
  const value = await services.query(def, input)
  return value === undefined ? new LedgerError('not_found', message) : { value }
}

/** Which balances are asked for. */
const held = (definition: string | undefined, account: AccountId | undefined) => ({ definition, account })

/** Registry kind of an instruction as people write it: `Transfer` and `transfer` are the same. */
function kindOf(services: NodeServices, text: string): string | LedgerError {
  const kind = text.replace(/^./, (first) => first.toLowerCase())
  const registry = services.info.codec.registries?.[INSTRUCTION_REGISTRY]
  if (registry === undefined || registry.byKind(kind) !== undefined) return kind
  return unknownWord(
    'kind',
    text,
    registry.entries.map((entry) => pascalCase(entry.kind)),
  )
}

async function accounts({ services, query }: Input<undefined, routes.AccountsParameters>) {
  const { domain, ...page } = query
  return answerPage(services, queries.accounts, page, { domain }, noSuch({ domain }))
}

async function assets({ services, query }: Input<undefined, routes.AssetsParameters>) {
  const { definition, account: text, ...page } = query
  const account = text === undefined ? undefined : await accountIdOf(services, text, 'account')
  if (account instanceof LedgerError) return account
  const asked = { definition, account }
  return answerPage(services, queries.assets, page, asked, noSuch(asked))
}

async function historyOf<T>(
  services: NodeServices,
  def: QueryDef<HistoryQuery, Page<T>>,
  { authority: text, kind: name, definition, outcome, block, ...page }: routes.TransactionsParameters,
) {
  const authority = text === undefined ? undefined : await accountIdOf(services, text, 'authority')
  if (authority instanceof LedgerError) return authority
  const kind = name === undefined ? undefined : kindOf(services, name)
  if (kind instanceof LedgerError) return kind
  const asked = { authority, kind, definition, outcome, block }
  return answerPage(services, def, page, asked, noSuch(asked))
}

const transactions = ({ services, query }: Input<undefined, routes.TransactionsParameters>) =>
  historyOf(services, queries.transactions, query)

const transaction = ({ services, params }: Input<HashPath>) =>
  one(services, queries.transactionDetail, params, 'no such transaction in a block')

const definition = ({ services, params }: Input<IdPath>) =>
  one(services, queries.assetDefinition, params, `there is no asset definition ${params.id}`)

async function account({ services, params }: Input<IdPath>) {
  const named = accountOfText(services, params.id)
  return named instanceof LedgerError ? named : one(services, queries.account, named, noAccount(params.id))
}

async function block({ services, params }: Input<IdPath>) {
  const { id } = params
  const height = /^[1-9][0-9]{0,14}$/.test(id) ? Number(id) : undefined
  const hash = /^[0-9a-f]{64}$/i.test(id) ? Buffer.from(id, 'hex') : undefined
  if (hash === undefined && height === undefined) return parameterFault('id', 'neither a height nor a block hash')
  // A hash of digits alone is a hash: no chain is that long.
  return one(
    services,
    queries.block,
    hash === undefined ? { height, hash } : { height: undefined, hash },
    `there is no block ${id}`,
  )
}

export const READ_HANDLERS: ReadonlyMap<string, AnyHandler<NodeServices>> = new Map([
  handle(routes.domainRoute, ({ services, params }: Input<IdPath>) =>
    one(services, queries.domain, params, `there is no domain ${params.id}`),
  ),
  handle(routes.accountsRoute, accounts),
  handle(routes.EXPLORER.accounts, accounts),
  handle(routes.EXPLORER.account, account),
  handle(routes.accountAssetsRoute, async ({ services, params, query }: Input<IdPath, PageParameters>) => {
    const id = await accountIdOf(services, params.id, 'id')
    return id instanceof LedgerError
      ? id
      : answerPage(services, queries.assets, query, held(undefined, id), noSuch({ account: id }))
  }),
  handle(
    routes.accountTransactionsRoute,
    ({ services, params, query }: Input<IdPath, routes.AccountTransactionsParameters>) =>
      historyOf(services, queries.transactions, { ...query, authority: params.id }),
  ),
  handle(routes.assetsRoute, assets),
  handle(routes.EXPLORER.assets, assets),
  handle(routes.definitionRoute, definition),
  handle(routes.EXPLORER.definition, definition),
  handle(routes.EXPLORER.definitions, ({ services, query }: Input<undefined, PageParameters>) =>
    answerPage(services, queries.assetDefinitions, query, {}),
  ),
  handle(routes.holdersRoute, ({ services, params, query }: Input<{ readonly definition: string }, PageParameters>) =>
    answerPage(services, queries.assets, query, held(params.definition, undefined), noSuch(params)),
  ),
  handle(routes.transactionsRoute, transactions),
  handle(routes.EXPLORER.transactions, transactions),
  handle(routes.transactionRoute, transaction),
  handle(routes.EXPLORER.transaction, transaction),
  handle(routes.instructionsRoute, ({ services, query }: Input<undefined, routes.TransactionsParameters>) =>
    historyOf(services, queries.instructions, query),
  ),
  handle(routes.instructionRoute, ({ services, params }: Input<HashPath & { readonly position: number }>) =>
    one(services, queries.instruction, params, 'no such instruction in a block'),
  ),
  handle(routes.blocksRoute, ({ services, query }: Input<undefined, PageParameters>) =>
    answerPage(services, queries.blocks, query, {}),
  ),
  handle(routes.blockRoute, block),
  handle(routes.headersRoute, ({ services, query }: Input<undefined, HistoryParameters>) =>
    answerHistory(services, queries.headers, query),
  ),
  handle(routes.stateProofRoute, ({ services, query }: Input<undefined, StateProofQuery>) =>
    one(services, queries.stateProof, query, 'this node does not hold what the proof needs'),
  ),
  handle(routes.blockProofRoute, ({ services, params }: Input<HashPath & { readonly height: number }>) =>
    one(services, queries.transactionProof, params, 'no such transaction in that block'),
  ),
  handle(routes.finalityRoute, ({ services, params }: Input<{ readonly height: number }>) =>
    one(
      services,
      queries.finality,
      params,
      'no voted block of that height, or this node does not hold what leads to it',
    ),
  ),
])
