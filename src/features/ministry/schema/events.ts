/** Owns the events of the ministry: data triggers and streams find them by agenda id. */
import { hash32, u32 } from '../../../codec/index.js'
import { accountId, accountParty, defineEvents, type EventSubject, name } from '../../../model/index.js'
import { agendaAction, agendaId, dismissalReason, hashFamily } from './records.js'

const about: EventSubject<{ readonly agenda: string; readonly by?: string }> = {
  subject: 'ministry',
  about: ({ agenda, by }) => ({ objects: [agenda], parties: by === undefined ? [] : [accountParty(by)] }),
}
const denied = { agenda: agendaId, family: hashFamily, hash: hash32 }

export const events = defineEvents({
  agendaSubmitted: {
    id: 1200,
    record: { agenda: agendaId, by: accountId, action: agendaAction, digest: hash32 },
    ...about,
  },
  agendaAdmitted: { id: 1201, record: { agenda: agendaId }, ...about },
  agendaDismissed: { id: 1202, record: { agenda: agendaId, reason: dismissalReason }, ...about },
  agendaApplied: { id: 1203, record: { agenda: agendaId, by: accountId }, ...about },
  hashDenied: { id: 1204, record: denied, ...about },
  hashAllowed: { id: 1205, record: denied, ...about },
  policyAmended: { id: 1206, record: { agenda: agendaId, name, blake3: hash32, revision: u32 }, ...about },
})
