/** Owns the queries of triggers. */

import { byNameQuery } from '../../../api/query-inputs.js'
import { defineQuery } from '../../../model/index.js'
import { TRIGGER_QUERIES as ID } from './ids.js'
import { triggerPage, triggersInput, triggerView } from './views.js'

export const triggers = defineQuery(ID.triggers, 'triggers', triggersInput, triggerPage)
export const trigger = defineQuery(ID.trigger, 'trigger', byNameQuery, triggerView)
