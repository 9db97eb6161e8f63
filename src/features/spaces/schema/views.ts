/** Owns the queries of manifests and their views. */

import { accountOfCursor } from '../../../api/cursors.js'
import { pageOf } from '../../../api/paging.js'
import { pageQueryFields } from '../../../api/query-inputs.js'
import {
  type Infer,
  list,
  numeric,
  omissible,
  option,
  struct,
  text,
  u8,
  u32,
  unitEnum,
  varint,
  varintBig,
} from '../../../codec/index.js'
import { accountId, anyInstruction, defineQueries } from '../../../model/index.js'
import { ENTRIES_MAX, revocationReason, spaceEntries, spaceWindow } from './records.js'

export type SpaceStatus = Infer<typeof spaceStatus>
export const spaceStatus = unitEnum('SpaceManifestStatus', { pending: 0, active: 1, expired: 2, revoked: 3 })

const manifestFields = {
  dataspace: varintBig,
  account: accountId,
  status: spaceStatus,
  version: u32,
  issuer: accountId,
  issuedMs: varint,
  activeFromMs: varint,
  expiresMs: option(varint),
  entries: spaceEntries,
  revoked: option(struct('SpaceRevocationView', { atMs: varint, reason: revocationReason })),
}
export interface ManifestItem extends Infer<typeof manifestItem_> {}
const manifestItem_ = struct('SpaceManifestItem', manifestFields)
export const manifestPage = pageOf('SpaceManifestPage', manifestItem_)

export interface ManifestView extends Infer<typeof manifestView> {}
export const manifestView = struct('SpaceManifestView', { ...manifestFields, height: varint })

/** Remaining amount under an allowing entry in the current window. */
export interface AllowanceView extends Infer<typeof allowanceView_> {}
const allowanceView_ = struct('SpaceAllowanceView', {
  /** Index in the manifest. */
  entry: u8,
  /** Remaining amount; absent: any amount. */
  left: option(numeric),
  window: option(spaceWindow),
})
export interface StandingView extends Infer<typeof standingView_> {}
const standingView_ = struct('SpaceStandingView', {
  dataspace: varintBig,
  version: u32,
  status: spaceStatus,
  /** One for each allowing entry. */
  allowances: list(allowanceView_, ENTRIES_MAX),
})
export const standingPage = pageOf('SpaceStandingPage', standingView_)

export interface EvaluationView extends Infer<typeof evaluationView> {}
export const evaluationView = struct('SpaceEvaluation', {
  decision: unitEnum('SpaceDecision', { allow: 0, deny: 1 }),
  /** Index of the deciding entry; absent: no entry decided, or the account is not a guest. */
  entry: omissible(u8),
  /** Remaining amount in its window afterwards; absent: the entry has no limit. */
  rest: omissible(numeric),
  height: varint,
})

export interface ManifestQuery extends Infer<typeof manifestQuery_> {}
const manifestQuery_ = struct('SpaceManifestQuery', { dataspace: varintBig, account: accountId })

/** Maximum length of a position in a list of manifests: a number of 20 digits, a point and an address. */
const PLACE_MAX_BYTES = 111
/** Dataspace with the number in a cursor; undefined if malformed. */
export function dataspaceOfCursor(place: string): bigint | undefined {
  const dataspace = varintBig.fromJson(place)
  return dataspace.ok ? dataspace.value : undefined
}
/** Dataspace and account at a position; undefined if malformed. */
export function manifestOfCursor(place: string): ManifestQuery | undefined {
  const point = place.indexOf('.')
  const dataspace = dataspaceOfCursor(place.slice(0, Math.max(0, point)))
  const account = accountOfCursor(place.slice(point + 1))
  return dataspace === undefined || account === undefined ? undefined : { dataspace, account }
}
const manifestPlace = text('SpaceManifestPlace', PLACE_MAX_BYTES, (place) =>
  manifestOfCursor(place) === undefined ? 'a cursor of this list is written dataspace.account' : undefined,
)
export interface ManifestsQuery extends Infer<typeof manifestsQuery_> {}
const manifestsQuery_ = struct('SpaceManifestsQuery', {
  dataspace: option(varintBig),
  account: option(accountId),
  status: option(spaceStatus),
  ...pageQueryFields(manifestPlace),
})

const dataspacePlace = text('DataspacePlace', 20, (place) =>
  dataspaceOfCursor(place) === undefined ? 'a cursor of this list is the number of a dataspace' : undefined,
)
export interface StandingsQuery extends Infer<typeof standingsQuery_> {}
const standingsQuery_ = struct('SpaceStandingsQuery', { account: accountId, ...pageQueryFields(dataspacePlace) })

export interface EvaluateQuery extends Infer<typeof evaluateQuery_> {}
const evaluateQuery_ = struct('SpaceEvaluateQuery', { account: accountId, instruction: anyInstruction })

export const queries = defineQueries({
  spaceManifest: { id: 1600, input: manifestQuery_, output: manifestView },
  spaceManifests: { id: 1601, input: manifestsQuery_, output: manifestPage },
  spaceStandings: { id: 1602, input: standingsQuery_, output: standingPage },
  spaceEvaluation: { id: 1603, input: evaluateQuery_, output: evaluationView, isTrial: true },
})
