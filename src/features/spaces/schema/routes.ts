/** Owns the routes of manifests (specification 4.3). */

import { word } from '../../../api/enum-text.js'
import { pageFields, pageParameters } from '../../../api/paging.js'
import { accountText } from '../../../api/query-inputs.js'
import { defineRoute, JSON_BODY_MAX_BYTES, publicRead } from '../../../api/route.js'
import { draft, draftRow } from '../../../api/schema/draft.js'
import { option, struct, u32, varint, varintBig } from '../../../codec/index.js'
import { anyInstruction } from '../../../model/index.js'
import { revocationReason, spaceEntries } from './records.js'
import * as views from './views.js'
import { queries } from './views.js'

const BASE = '/v1/space-directory'

/** Maximum size of a manifest, in bytes of JSON: 32 entries with their texts. */
const MANIFEST_BODY_MAX_BYTES = 64 * 1024
const PLACE_BODY_MAX_BYTES = 4 * 1024

const place = { dataspace: varintBig, account: accountText }
const manifestPath_ = struct('SpaceManifestPath', place)
const manifestsParameters_ = struct('SpaceManifestsParameters', {
  dataspace: option(varintBig),
  account: option(accountText),
  status: option(word('SpaceManifestStatusWord', ['pending', 'active', 'expired', 'revoked'])),
  ...pageFields,
})
const accountPath_ = struct('SpaceAccountPath', { account: accountText })

/** Evaluation request for an instruction of an account. */
const evaluation_ = struct('SpaceEvaluationRequest', { account: accountText, instruction: anyInstruction })

export const manifestsRoute = defineRoute({
  ...publicRead,
  id: 'spaces.manifests',
  path: `${BASE}/manifests`,
  summary: 'Manifests by dataspace and account, optionally of one dataspace, account or status',
  query: manifestsParameters_,
  accounts: { account: 'id' },
  errors: ['not_found'],
  response: views.manifestPage,
}).byPage(queries.spaceManifests, ({ query, accounts }) => ({
  dataspace: query.dataspace,
  account: accounts.account,
  status: query.status,
}))

export const manifestRoute = defineRoute({
  ...publicRead,
  id: 'spaces.manifest',
  path: `${BASE}/manifests/{dataspace}/{account}`,
  summary: 'The manifest of an account in a dataspace, with its status',
  params: manifestPath_,
  accounts: { account: 'id' },
  response: views.manifestView,
}).byQuery(
  queries.spaceManifest,
  ({ params, accounts }) => ({ dataspace: params.dataspace, account: accounts.account }),
  ({ params }) => `${params.account} has no manifest in dataspace ${params.dataspace}`,
)

export const accountRoute = defineRoute({
  ...publicRead,
  id: 'spaces.account',
  path: `${BASE}/accounts/{account}`,
  summary: 'Dataspaces in which an account has a manifest, with the amounts left in the current windows',
  params: accountPath_,
  query: pageParameters,
  accounts: { account: 'id' },
  errors: ['not_found'],
  response: views.standingPage,
}).byPage(queries.spaceStandings, ({ accounts }) => ({ account: accounts.account }))

export const evaluateRoute = defineRoute({
  id: 'spaces.evaluate',
  method: 'POST',
  path: `${BASE}/evaluate`,
  summary: 'Decision of restricted dataspaces about an instruction of an account, by a trial on the last block',
  access: 'public',
  format: 'json',
  safe: true,
  body: { as: 'record', schema: evaluation_, maxBytes: JSON_BODY_MAX_BYTES },
  accounts: { account: 'id' },
  errors: ['not_found', 'trial_too_large'],
  response: views.evaluationView,
}).byQuery(
  queries.spaceEvaluation,
  ({ body, accounts }) => ({ account: accounts.account, instruction: body.instruction }),
  ({ body }) => `account ${body.account} does not exist`,
)

/** Manifest to publish, with the account as a text. */
const manifestDraft_ = struct('SpaceManifestDraft', {
  ...place,
  version: u32,
  activeFromMs: option(varint),
  expiresMs: option(varint),
  entries: spaceEntries,
})
const revocationDraft_ = struct('SpaceRevocationDraft', { ...place, reason: revocationReason })
const expiryDraft_ = struct('SpaceExpiryDraft', place)

const draftOf = { ...draftRow, method: 'POST', access: 'public', response: draft } as const
const accountsOfDraft = { account: 'id', ...draftRow.accounts } as const

export const publishDraftRoute = defineRoute({
  ...draftOf,
  id: 'spaces.manifests.draft',
  path: `${BASE}/manifests`,
  summary: 'Draft a manifest; a holder of CanPublishManifests signs and submits it',
  accounts: accountsOfDraft,
  body: { as: 'record', schema: manifestDraft_, maxBytes: MANIFEST_BODY_MAX_BYTES },
})

export const revokeDraftRoute = defineRoute({
  ...draftOf,
  id: 'spaces.manifests.revoke',
  path: `${BASE}/manifests/revoke`,
  summary: 'Draft the revocation of a manifest; a holder of CanPublishManifests signs and submits it',
  accounts: accountsOfDraft,
  body: { as: 'record', schema: revocationDraft_, maxBytes: PLACE_BODY_MAX_BYTES },
})

export const expireDraftRoute = defineRoute({
  ...draftOf,
  id: 'spaces.manifests.expire',
  path: `${BASE}/manifests/expire`,
  summary: 'Draft the removal of an expired manifest; any account signs and submits it',
  accounts: accountsOfDraft,
  body: { as: 'record', schema: expiryDraft_, maxBytes: PLACE_BODY_MAX_BYTES },
})
