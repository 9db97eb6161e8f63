/** Owns the tables of the ministry. */
import { hash32, type Infer, list, option, string, struct, u32, varint } from '../../../codec/index.js'
import { SINGLETON_KEY } from '../../../executor/tables.js'
import { accountId, name } from '../../../model/index.js'
import type { StateReader, TableDef } from '../../../state/index.js'
import { agendaContent, agendaId, agendaStanding, dismissalReason, OPEN_MAX } from '../schema/records.js'
import { type DeniedKey, deniedKey } from '../schema/views.js'

export interface AgendaRow extends Infer<typeof agenda_> {}
const agenda_ = struct('AgendaRow', {
  by: accountId,
  submittedMs: varint,
  standing: agendaStanding,
  content: agendaContent,
  /** Reason of the dismissal. */
  reason: option(dismissalReason),
})
export const agendas: TableDef<string, AgendaRow> = {
  id: 1200,
  name: 'ministry_agenda',
  bound: {
    holds: 'one agenda of 8 KiB',
    filledBy: 'SubmitAgenda',
    atBound: '`agenda_limit` at 64 open ones in 30 days; stays as a record',
  },
  key: agendaId,
  value: agenda_,
}

export interface DeniedRow extends Infer<typeof denied_> {}
const denied_ = struct('DeniedHashRow', { agenda: agendaId, sinceMs: varint })
export const deniedHashes: TableDef<DeniedKey, DeniedRow> = {
  id: 1201,
  name: 'ministry_denied',
  bound: {
    holds: 'one hash',
    filledBy: 'ApplyAgenda',
    atBound: '`denylist_full` at 65,536; leaves by an agenda that removes it',
  },
  key: deniedKey,
  value: denied_,
}

export interface PolicyRow extends Infer<typeof policy_> {}
const policy_ = struct('MinistryPolicyRow', { agenda: agendaId, blake3: hash32, revision: u32, sinceMs: varint })
export const policies: TableDef<string, PolicyRow> = {
  id: 1202,
  name: 'ministry_policy',
  bound: { holds: 'one policy', filledBy: 'ApplyAgenda', atBound: 'one a name, each by a decision of governance' },
  key: name,
  value: policy_,
}

export interface MinistryState extends Infer<typeof state_> {}
const state_ = struct('MinistryState', {
  /** Number of the next agenda. */
  next: u32,
  open: list(struct('OpenAgenda', { id: agendaId, by: accountId, untilMs: varint }), OPEN_MAX),
  /** Number of hashes on the deny list. */
  denied: u32,
})
export const ministryStates: TableDef<string, MinistryState> = {
  id: 1203,
  name: 'ministry_state',
  bound: {
    holds: 'the next number, 64 open agendas and a count',
    filledBy: 'SubmitAgenda, ApplyAgenda',
    atBound: '`agenda_limit`; one row',
  },
  key: string(1),
  value: state_,
}

export const MINISTRY_TABLES = [agendas, deniedHashes, policies, ministryStates]

/** State of the ministry, or the initial state if it has no row. */
export const ministryState = (state: StateReader): MinistryState =>
  state.get(ministryStates, SINGLETON_KEY) ?? { next: 1, open: [], denied: 0 }
