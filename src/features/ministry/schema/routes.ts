/** Owns the routes of the ministry (specification 4.3). */
import { word } from '../../../api/enum-text.js'
import { pageFields, pageParameters } from '../../../api/paging.js'
import { defineRoute, publicRead } from '../../../api/route.js'
import { draft, draftRow } from '../../../api/schema/draft.js'
import { hash32, option, struct } from '../../../codec/index.js'
import { instructions } from './instructions.js'
import { AGENDA_MAX_BYTES, agendaId } from './records.js'
import * as views from './views.js'
import { queries } from './views.js'

const BASE = '/v1/ministry'
/** Maximum size of a draft, in bytes of JSON: an agenda of 8 KiB with its names and escapes. */
const BODY_MAX_BYTES = 64 * 1024

export const agendasRoute = defineRoute({
  ...publicRead,
  id: 'ministry.agendas',
  path: `${BASE}/agenda/proposals`,
  summary: 'Agendas in the order of their submission, optionally of one status',
  query: struct('AgendasParameters', {
    status: option(word('AgendaStatusWord', ['open', 'admitted', 'dismissed', 'applied', 'expired'])),
    ...pageFields,
  }),
  response: views.agendaPage,
}).byPage(queries.ministryAgendas, ({ query: { status } }) => ({ status }))

export const agendaRoute = defineRoute({
  ...publicRead,
  id: 'ministry.agenda',
  path: `${BASE}/agenda/proposals/{id}`,
  summary: 'An agenda: its content, its digest and its status',
  params: struct('AgendaPath', { id: agendaId }),
  response: views.agendaView,
}).byQuery(
  queries.ministryAgenda,
  ({ params }) => params,
  ({ params }) => `agenda ${params.id} does not exist`,
)

export const denylistRoute = defineRoute({
  ...publicRead,
  id: 'ministry.denylist',
  path: `${BASE}/denylist`,
  summary: 'Hashes on the deny list with the agendas that put them there, optionally of one family or hash',
  query: struct('DenylistParameters', {
    family: option(word('DeniedHashFamilyWord', ['cid', 'sha256'])),
    hash: option(hash32),
    ...pageFields,
  }),
  about: { family: 'Family of the hash.', hash: 'SHA-256 digest, in hex.' },
  response: views.deniedPage,
}).byPage(queries.ministryDenied, ({ query: { family, hash } }) => ({ family, hash }))

export const policiesRoute = defineRoute({
  ...publicRead,
  id: 'ministry.policies',
  path: `${BASE}/policies`,
  summary: 'Policies of the ministry by the hashes of their texts',
  query: pageParameters,
  response: views.policyPage,
}).byPage(queries.ministryPolicies)

export const agendaDraftRoute = defineRoute({
  ...draftRow,
  method: 'POST',
  access: 'public',
  response: draft,
  id: 'ministry.agenda.draft',
  path: `${BASE}/agenda/proposals/draft`,
  summary: `Draft the submission of an agenda of at most ${AGENDA_MAX_BYTES} bytes; any account signs it`,
  body: { as: 'record', schema: instructions.submitAgenda.schema, maxBytes: BODY_MAX_BYTES },
})
