/** Owns handlers of history routes that are not plain queries: by accounts, by kinds, by height or hash. */

import { absentText } from '../../../api/absent-texts.js'
import { answerOne, answerPage, parameterFault, unknownKind } from '../../../api/answers.js'
import { type AnyHandler, handle } from '../../../api/handler.js'
import type { Page } from '../../../api/paging.js'
import type { NodeServices } from '../../../api/services.js'
import { pascalCase } from '../../../codec/index.js'
import { type AccountId, INSTRUCTION_REGISTRY, LedgerError, type QueryDef } from '../../../model/index.js'
import type { HistoryQuery } from '../schema/history.js'
import type { PaymentsParameters } from '../schema/payments.js'
import { queries } from '../schema/queries.js'
import * as routes from '../schema/routes.js'
import { SERIES_POINTS_DEFAULT, type SeriesParameters } from '../schema/series.js'
import { metrics } from './metrics.js'
import { transactionStatus } from './status.js'

type Input<P, Q = undefined> = { readonly services: NodeServices; readonly params: P; readonly query: Q }
type IdPath = { readonly id: string }
type HistoryInput = Input<undefined, routes.TransactionsParameters> & {
  readonly accounts: { readonly authority: AccountId | undefined }
}
type PaymentsInput = Input<undefined, PaymentsParameters> & {
  readonly accounts: Readonly<Record<'submitter' | 'account', AccountId | undefined>>
}

/** Registry kind of an instruction, regardless of case: `Transfer` and `transfer` are the same. */
function kindOf(services: NodeServices, text: string): string | LedgerError {
  const kind = text.replace(/^./, (first) => first.toLowerCase())
  const registry = services.info.codec.registries?.[INSTRUCTION_REGISTRY]
  if (registry === undefined || registry.byKind(kind) !== undefined) return kind
  return unknownKind(
    'kind',
    text,
    registry.entries.map((entry) => pascalCase(entry.kind)),
    'Run `causeway codec schema`, which lists all instructions.',
  )
}

async function historyOf<T>(
  services: NodeServices,
  def: QueryDef<HistoryQuery, Page<T>>,
  authority: AccountId | undefined,
  /** Text of the request that identified the authority. */
  named: string | undefined,
  { kind: name, definition, outcome, block, ...page }: routes.AccountTransactionsParameters,
) {
  const kind = name === undefined ? undefined : kindOf(services, name)
  if (kind instanceof LedgerError) return kind
  const asked = { authority, kind, definition, outcome, block }
  return answerPage(services, def, page, asked, absentText({ authority: named, definition }))
}

/** Serve a history, of one authority if it is named. */
const history =
  <T>(def: QueryDef<HistoryQuery, Page<T>>) =>
  ({ services, query, accounts }: HistoryInput) => {
    const { authority, ...asked } = query
    return historyOf(services, def, accounts.authority, authority, asked)
  }

async function block({ services, params }: Input<IdPath>) {
  const { id } = params
  const height = /^[1-9][0-9]{0,14}$/.test(id) ? Number(id) : undefined
  const hash = /^[0-9a-f]{64}$/i.test(id) ? Buffer.from(id, 'hex') : undefined
  if (hash === undefined && height === undefined) return parameterFault('id', 'expected a height or a block hash')
  // A hash of decimal digits only is a hash: no chain is that long.
  return answerOne(
    services,
    queries.block,
    hash === undefined ? { height, hash } : { height: undefined, hash },
    `block ${id} does not exist`,
  )
}

/** Error text if the ABI of the chain has no claims. */
const NO_PAYMENTS = 'this chain has no payment messages'

function payments({ services, query, accounts }: PaymentsInput) {
  const { submitter: _submitter, account: _account, reference, ...page } = query
  return reference === undefined
    ? answerPage(services, queries.payments, page, accounts, NO_PAYMENTS)
    : answerPage(services, queries.paymentsByReference, page, { ...accounts, reference }, NO_PAYMENTS)
}

/** Default time span of a plot, in ms. */
const SERIES_SPAN_MS = 3_600_000

async function series({ services, query }: Input<undefined, SeriesParameters>) {
  const nowMs = Date.now()
  const toMs = Math.min(query.toMs ?? nowMs, nowMs)
  const fromMs = query.fromMs ?? Math.max(0, toMs - SERIES_SPAN_MS)
  if (fromMs >= (query.toMs ?? nowMs)) return parameterFault('from_ms', 'must be before to_ms and before now')
  const asked = { metric: query.metric, fromMs, toMs, points: query.points ?? SERIES_POINTS_DEFAULT }
  return answerOne(services, queries.series, asked, 'no figures')
}

/** Handlers by route id. */
export const explorerHandlers: ReadonlyMap<string, AnyHandler<NodeServices>> = new Map([
  handle(routes.transactionsRoute, history(queries.transactions)),
  handle(routes.explorerTransactionsRoute, history(queries.transactions)),
  handle(routes.accountTransactionsRoute, ({ services, accounts, params, query }) =>
    historyOf(services, queries.transactions, accounts.id, params.id, query),
  ),
  handle(routes.instructionsRoute, history(queries.instructions)),
  handle(routes.blockRoute, block),
  handle(routes.explorerMetricsRoute, metrics),
  handle(routes.paymentsRoute, payments),
  handle(routes.seriesRoute, series),
  handle(routes.transactionStatusRoute, transactionStatus),
])
