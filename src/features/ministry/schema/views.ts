/** Owns the queries of the ministry and their views. */
import { pageOf } from '../../../api/paging.js'
import { pageQueryFields } from '../../../api/query-inputs.js'
import { hash32, type Infer, option, struct, text, u32, unitEnum, varint } from '../../../codec/index.js'
import { accountId, defineQueries, name } from '../../../model/index.js'
import { agendaContent, agendaId, dismissalReason, hashFamily } from './records.js'

/** `expired`: the council did not admit the agenda within 30 days; a decision of governance may still apply it. */
export const agendaStatus = unitEnum('AgendaStatus', { open: 0, admitted: 1, dismissed: 2, applied: 3, expired: 4 })

const agendaFields = {
  id: agendaId,
  status: agendaStatus,
  by: accountId,
  submittedMs: varint,
  openUntilMs: varint,
  /** Digest that the application of the agenda must contain. */
  digest: hash32,
  content: agendaContent,
  reason: option(dismissalReason),
}
export interface AgendaItem extends Infer<typeof agendaItem_> {}
const agendaItem_ = struct('AgendaItem', agendaFields)
export const agendaPage = pageOf('AgendaPage', agendaItem_)
export interface AgendaView extends Infer<typeof agendaView> {}
export const agendaView = struct('AgendaView', { ...agendaFields, height: varint })

export interface DeniedItem extends Infer<typeof deniedItem_> {}
const deniedItem_ = struct('DeniedHash', { family: hashFamily, hash: hash32, agenda: agendaId, sinceMs: varint })
export const deniedPage = pageOf('DeniedHashPage', deniedItem_)

export interface PolicyItem extends Infer<typeof policyItem_> {}
const policyItem_ = struct('MinistryPolicy', {
  name,
  blake3: hash32,
  revision: u32,
  agenda: agendaId,
  sinceMs: varint,
})
export const policyPage = pageOf('MinistryPolicyPage', policyItem_)

export interface AgendaQuery extends Infer<typeof agendaQuery_> {}
const agendaQuery_ = struct('AgendaQuery', { id: agendaId })
export interface AgendasQuery extends Infer<typeof agendasQuery_> {}
const agendasQuery_ = struct('AgendasQuery', { status: option(agendaStatus), ...pageQueryFields(agendaId) })

/** Maximum length of a position in the deny list: a family, a colon and 64 digits. */
const DENIED_PLACE_MAX_BYTES = 71
const DENIED_PLACE = /^(cid|sha256):([0-9a-f]{64})$/
/** Family and hash of a position, such as `sha256:5f0c…`; undefined if malformed. */
export function deniedOfText(place: string): DeniedKey | undefined {
  const [, family, digits] = DENIED_PLACE.exec(place) ?? []
  return digits === undefined ? undefined : { family: family as DeniedKey['family'], hash: Buffer.from(digits, 'hex') }
}
export const deniedText = ({ family, hash }: DeniedKey): string => `${family}:${Buffer.from(hash).toString('hex')}`

export interface DeniedKey extends Infer<typeof deniedKey> {}
export const deniedKey = struct('DeniedHashKey', { family: hashFamily, hash: hash32 })
export interface DeniedQuery extends Infer<typeof deniedQuery_> {}
const deniedQuery_ = struct('DeniedHashesQuery', {
  family: option(hashFamily),
  hash: option(hash32),
  ...pageQueryFields(
    text('DeniedHashPlace', DENIED_PLACE_MAX_BYTES, (place) =>
      deniedOfText(place) === undefined ? 'a cursor of this list is written family:hash' : undefined,
    ),
  ),
})
const policiesQuery_ = struct('MinistryPoliciesQuery', pageQueryFields(name))

export const queries = defineQueries({
  ministryAgenda: { id: 1200, input: agendaQuery_, output: agendaView },
  ministryAgendas: { id: 1201, input: agendasQuery_, output: agendaPage },
  ministryDenied: { id: 1202, input: deniedQuery_, output: deniedPage },
  ministryPolicies: { id: 1203, input: policiesQuery_, output: policyPage },
})
