/** Owns the routes of repos. */
import { pageFields, pageParameters } from '../../../api/paging.js'
import { accountText, assetText } from '../../../api/query-inputs.js'
import { defineRoute, defineStream, publicRead } from '../../../api/route.js'
import { draft, draftRow } from '../../../api/schema/draft.js'
import { gap, startFields } from '../../../api/schema/stream.js'
import { sseOf } from '../../../api/streams.js'
import { hash32, type Infer, option, type Schema, struct, varint } from '../../../codec/index.js'
import { dataEvent, name } from '../../../model/index.js'
import { instructions } from './instructions.js'
import { repoReference } from './records.js'
import * as views from './views.js'
import { queries, statusWord } from './views.js'

const BASE = '/v1/repo'
/** Maximum size of a request, in bytes: a calendar with 1,024 holidays. */
const BODY_MAX_BYTES = 64 * 1024
const QUESTION_MAX_BYTES = 4 * 1024

const filters = { party: option(accountText), status: option(statusWord), reference: option(repoReference) }
const idPath_ = struct('RepoPath', { id: hash32 })
const hexOf = (id: Uint8Array): string => Buffer.from(id).toString('hex')

export const agreementsRoute = defineRoute({
  ...publicRead,
  id: 'repo.agreements',
  path: `${BASE}/agreements`,
  tool: { name: 'repos', about: 'Repos: cash against collateral, with parties, terms, margin and status' },
  summary: 'Agreements in the order of their ids, optionally of a party, a status or a reference',
  query: struct('RepoAgreementsParameters', { ...filters, ...pageFields }),
  accounts: { party: 'id' },
  errors: ['not_found'],
  response: views.agreementPage,
}).byPage(queries.repos, ({ query: { status, reference }, accounts }) => ({ party: accounts.party, status, reference }))

const question_ = struct('RepoAgreementsRequest', {
  ...filters,
  limit: pageFields.limit,
  cursor: pageFields.cursor,
})
export const agreementsQueryRoute = defineRoute({
  method: 'POST',
  access: 'public',
  format: 'json',
  safe: true,
  id: 'repo.agreements.query',
  path: `${BASE}/agreements/query`,
  summary: 'The same page of agreements, with the filter in the body',
  body: { as: 'record', schema: question_, maxBytes: QUESTION_MAX_BYTES },
  accounts: { party: 'id' },
  errors: ['not_found', 'invalid_pagination', 'cursor_expired'],
  response: views.agreementPage,
})

export const agreementRoute = defineRoute({
  ...publicRead,
  id: 'repo.agreement',
  path: `${BASE}/agreements/{id}`,
  summary: 'An agreement: its parties, terms, status and the contents of its vault',
  params: idPath_,
  response: views.agreementView,
}).byQuery(
  queries.repo,
  ({ params }) => params,
  ({ params }) => `agreement ${hexOf(params.id)} does not exist`,
)

export const exposureRoute = defineRoute({
  ...publicRead,
  id: 'repo.exposure',
  path: `${BASE}/agreements/{id}/exposure`,
  summary: 'Debt, cover and exposure of an agreement, and the prices with their ages',
  params: idPath_,
  response: views.exposureView,
}).byQuery(
  queries.repoExposure,
  ({ params }) => params,
  ({ params }) => `agreement ${hexOf(params.id)} does not exist, or is closed`,
)

export const historyRoute = defineRoute({
  ...publicRead,
  id: 'repo.history',
  path: `${BASE}/agreements/{id}/history`,
  summary: 'Events of an agreement, newest first',
  params: idPath_,
  query: pageParameters,
  response: views.changePage,
}).byPage(
  queries.repoHistory,
  ({ params }) => params,
  ({ params }) => `agreement ${hexOf(params.id)} does not exist`,
)

export const pricesRoute = defineRoute({
  ...publicRead,
  id: 'repo.prices',
  path: `${BASE}/prices`,
  summary: 'Posted prices, optionally of a poster or a definition',
  query: struct('RepoPricesParameters', {
    poster: option(accountText),
    definition: option(assetText),
    ...pageFields,
  }),
  accounts: { poster: 'id' },
  errors: ['not_found'],
  response: views.pricePage,
}).byPage(queries.repoPrices, ({ query: { definition }, accounts }) => ({ poster: accounts.poster, definition }))

export const calendarRoute = defineRoute({
  ...publicRead,
  id: 'repo.calendar',
  path: `${BASE}/calendars/{name}`,
  summary: 'A calendar of business days, with the business date of the last block',
  params: struct('BusinessCalendarPath', { name }),
  response: views.calendarView,
}).byQuery(
  queries.businessCalendar,
  ({ params }) => params,
  ({ params }) => `calendar ${params.name} does not exist`,
)

const drafted = <T>(verb: string, summary: string, schema: Schema<T>) =>
  defineRoute({
    ...draftRow,
    method: 'POST',
    access: 'public',
    response: draft,
    id: `repo.drafts.${verb}`,
    path: `${BASE}/${verb}`,
    summary,
    body: { as: 'record', schema, maxBytes: BODY_MAX_BYTES } as const,
  })

/** Drafts by instruction kind; a body is the record of the instruction. */
export const draftRoutes = {
  setBusinessCalendar: drafted('set-calendar', 'Draft a calendar', instructions.setBusinessCalendar.schema),
  postRepoPrice: drafted('price', 'Draft a price', instructions.postRepoPrice.schema),
  proposeRepo: drafted('propose', 'Draft a proposal of an agreement', instructions.proposeRepo.schema),
  withdrawRepo: drafted('withdraw', 'Draft the withdrawal of an agreement', instructions.withdrawRepo.schema),
  consentRepo: drafted('consent', 'Draft a consent to the terms of an agreement', instructions.consentRepo.schema),
  callMargin: drafted('call-margin', 'Draft a margin call', instructions.callMargin.schema),
  meetMargin: drafted('meet-margin', 'Draft a deposit of margin by the seller', instructions.meetMargin.schema),
  takeExcess: drafted('take-excess', 'Draft the return of excess margin', instructions.takeExcess.schema),
  repurchaseRepo: drafted('repurchase', 'Draft a repurchase', instructions.repurchaseRepo.schema),
  defaultRepo: drafted('default', 'Draft the declaration of a default', instructions.defaultRepo.schema),
  closeOutRepo: drafted('close-out', 'Draft a close-out', instructions.closeOutRepo.schema),
} as const

/** Committed event of repos. */
export interface StreamedRepoEvent extends Infer<typeof streamedEvent> {}
export const streamedEvent = struct('RepoStreamedEvent', { event: dataEvent, height: varint })
export const eventStream = defineStream({
  method: 'GET',
  access: 'public',
  format: 'sse',
  id: 'repo.events',
  path: `${BASE}/events`,
  summary: 'Events of repos, prices and calendars as they are committed, optionally of one agreement',
  query: struct('RepoEventsParameters', { agreement: option(hash32), ...startFields }),
  stream: sseOf({ 'repo.event': streamedEvent, gap }),
})
