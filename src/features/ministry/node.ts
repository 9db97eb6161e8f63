/** Owns the draft of an agenda. */
import { type AnyHandler, handle } from '../../api/handler.js'
import type { NodeServices } from '../../api/services.js'
import { draftOfBody } from '../drafts.js'
import { defineService } from '../service.js'
import { ministrySchema } from './schema/index.js'
import { instructions } from './schema/instructions.js'
import { agendaDraftRoute } from './schema/routes.js'

const handlers: ReadonlyMap<string, AnyHandler<NodeServices>> = new Map([
  handle(agendaDraftRoute, draftOfBody(instructions.submitAgenda)),
])

export const ministryService = defineService(ministrySchema, { open: () => ({ handlers }) })
