/** Owns the routes of real-world assets (specification 4.3). */
import { pageFields, pageParameters } from '../../../api/paging.js'
import { accountText, assetText } from '../../../api/query-inputs.js'
import { defineRoute, JSON_BODY_MAX_BYTES, publicRead } from '../../../api/route.js'
import { draft, draftRow } from '../../../api/schema/draft.js'
import { bool, type Infer, option, struct, varint } from '../../../codec/index.js'
import { type InstructionDef, lotPapers } from '../../../model/index.js'
import { instructions } from './instructions.js'
import * as views from './views.js'
import { queries } from './views.js'

const BASE = '/v1/rwas'

const filters = {
  class: option(assetText),
  /** Holder of the lot, or its owner while a vault holds it. */
  holder: option(accountText),
}
const lotsParameters_ = struct('LotsParameters', {
  ...filters,
  reference: option(lotPapers.reference),
  frozen: option(bool),
  ...pageFields,
})
const lotsRequest_ = struct('LotsRequest', { ...filters, ...pageFields })
const classPath_ = struct('RwaClassPath', { id: assetText })
/** Lot of a class by its number. */
export interface LotPath extends Infer<typeof lotPath_> {}
const lotPath_ = struct('LotPath', { class: assetText, number: varint })
const noLot = ({ params }: { readonly params: LotPath }) => `lot ${params.class}/${params.number} does not exist`
const noClass = ({ params }: { readonly params: { readonly id: string } }) => `class ${params.id} does not exist`

export const lotsRoute = defineRoute({
  ...publicRead,
  id: 'rwas.list',
  path: BASE,
  tool: { name: 'lots', about: 'Lots of real-world assets, with their holders and papers' },
  summary: 'Live lots by class and number, optionally of a class, a holder or a reference',
  query: lotsParameters_,
  accounts: { holder: 'id' },
  errors: ['not_found'],
  response: views.lotPage,
}).byPage(queries.rwaLots, ({ query, accounts }) => ({
  class: query.class,
  reference: query.reference,
  frozen: query.frozen,
  holder: accounts.holder,
}))

export const explorerLotsRoute = defineRoute({
  ...publicRead,
  id: 'explorer.rwas',
  path: '/v1/explorer/rwas',
  summary: 'Live lots by class and number, optionally of a class, a holder or a reference',
  query: lotsParameters_,
  accounts: { holder: 'id' },
  errors: ['not_found'],
  response: views.lotPage,
}).byPage(queries.rwaLots, ({ query, accounts }) => ({
  class: query.class,
  reference: query.reference,
  frozen: query.frozen,
  holder: accounts.holder,
}))

export const lotRoute = defineRoute({
  ...publicRead,
  id: 'rwas.show',
  path: `${BASE}/{class}/{number}`,
  summary: 'A lot, live or spent',
  params: lotPath_,
  response: views.lotView,
}).byQuery(queries.rwaLot, ({ params }) => params, noLot)

export const ancestorsRoute = defineRoute({
  ...publicRead,
  id: 'rwas.provenance',
  path: `${BASE}/{class}/{number}/provenance`,
  summary: 'Ancestors of a lot, newest first; at most the newest 2,000',
  params: lotPath_,
  query: pageParameters,
  response: views.ancestorPage,
}).byPage(queries.rwaAncestors, ({ params }) => params, noLot)

export const changesRoute = defineRoute({
  ...publicRead,
  id: 'rwas.history',
  path: `${BASE}/{class}/{number}/history`,
  summary: 'Events of a lot in the blocks that this node stores, newest first',
  params: lotPath_,
  query: pageParameters,
  response: views.changePage,
}).byPage(queries.rwaChanges, ({ params }) => params, noLot)

export const classesRoute = defineRoute({
  ...publicRead,
  id: 'rwas.classes',
  path: `${BASE}/classes`,
  summary: 'Classes of real-world assets in the order of their ids',
  query: pageParameters,
  response: views.classPage,
}).byPage(queries.rwaClasses)

export const classRoute = defineRoute({
  ...publicRead,
  id: 'rwas.class',
  path: `${BASE}/classes/{id}`,
  summary: 'A class: its terms, the powers of its issuer, its quantity and income',
  params: classPath_,
  response: views.classView,
}).byQuery(queries.rwaClass, ({ params }) => params, noClass)

export const holdersRoute = defineRoute({
  ...publicRead,
  id: 'rwas.holders',
  path: `${BASE}/classes/{id}/holders`,
  summary: 'Accounts that own lots of a class, are eligible for it or are owed income',
  params: classPath_,
  query: pageParameters,
  response: views.holderPage,
}).byPage(queries.rwaHolders, ({ params }) => params, noClass)

/** Filter of a list in the body of a request. */
export interface LotsRequest extends Infer<typeof lotsRequest_> {}
export const queryRoute = defineRoute({
  id: 'rwas.query',
  method: 'POST',
  path: `${BASE}/query`,
  summary: 'Live lots of a class or a holder, with the filter in the body',
  access: 'public',
  format: 'json',
  safe: true,
  body: { as: 'record', schema: lotsRequest_, maxBytes: JSON_BODY_MAX_BYTES },
  accounts: { holder: 'id' },
  errors: ['not_found', 'invalid_pagination', 'cursor_expired'],
  response: views.lotPage,
})

const drafted = <T>(verb: string, def: InstructionDef<T>, summary: string) =>
  defineRoute({
    ...draftRow,
    method: 'POST',
    access: 'public',
    id: `rwas.${verb}`,
    path: `${BASE}/${verb}`,
    summary,
    body: { as: 'record', schema: def.schema, maxBytes: JSON_BODY_MAX_BYTES },
    response: draft,
  })

/** Drafts by instruction name. */
export const draftRoutes = {
  registerRwaClass: drafted('register-class', instructions.registerRwaClass, 'Draft a class of real-world assets'),
  issueRwa: drafted('issue', instructions.issueRwa, 'Draft a new lot'),
  transferRwa: drafted('transfer', instructions.transferRwa, 'Draft the transfer of a lot or a part of it'),
  splitRwa: drafted('split', instructions.splitRwa, 'Draft the division of a lot'),
  mergeRwa: drafted('merge', instructions.mergeRwa, 'Draft the merger of lots'),
  freezeRwa: drafted('freeze', instructions.freezeRwa, 'Draft the freeze of a lot, or its end'),
  holdRwa: drafted('hold', instructions.holdRwa, 'Draft a legal hold on a quantity of a lot'),
  releaseRwa: drafted('release', instructions.releaseRwa, 'Draft the release of a legal hold'),
  forceTransferRwa: drafted('force-transfer', instructions.forceTransferRwa, 'Draft a transfer by the issuer'),
  requestRwaRedemption: drafted(
    'request-redemption',
    instructions.requestRwaRedemption,
    'Draft the offer of a quantity for redemption',
  ),
  settleRwaRedemption: drafted(
    'settle-redemption',
    instructions.settleRwaRedemption,
    'Draft the acceptance or the release of a redemption',
  ),
  setRwaHolder: drafted('set-holder', instructions.setRwaHolder, 'Draft the eligibility of an account'),
  setRwaClass: drafted(
    'set-class',
    instructions.setRwaClass,
    'Draft a pause of a class, or the end of powers of its issuer',
  ),
  declareRwaIncome: drafted('declare-income', instructions.declareRwaIncome, 'Draft income for the owners of lots'),
  claimRwaIncome: drafted('claim-income', instructions.claimRwaIncome, 'Draft the payment of income that is owed'),
  settleRwaDvp: drafted('settle', instructions.settleRwaDvp, 'Draft the delivery of a lot against payment'),
} as const
