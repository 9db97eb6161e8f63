/** Owns the instructions of the ministry. */
import { hash32 } from '../../../codec/index.js'
import { defineInstructions } from '../../../model/index.js'
import { agendaContent, agendaId } from './records.js'

export const instructions = defineInstructions({
  submitAgenda: { id: 1200, label: 'ministry::submit', record: { agenda: agendaContent } },
  applyAgenda: { id: 1201, label: 'ministry::apply', record: { agenda: agendaId, digest: hash32 } },
})
