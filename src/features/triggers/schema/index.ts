/** Triggers as clients see them. */
import { defineSchema } from '../../../api/feature.js'
import { CORE_IDS } from '../../../model/index.js'
import * as events from './events.js'
import * as instructions from './instructions.js'
import * as queries from './queries.js'
import * as routes from './routes.js'

export const triggerSchema = defineSchema({
  name: 'triggers',
  abi: 'core',
  version: 1,
  ids: [CORE_IDS],
  errors: {},
  instructions: {
    registerTrigger: instructions.registerTrigger,
    unregisterTrigger: instructions.unregisterTrigger,
    changeRepeats: instructions.changeRepeats,
    executeTrigger: instructions.executeTrigger,
  },
  events: [
    events.triggerCreated,
    events.triggerDeleted,
    events.triggerChanged,
    events.triggerCalled,
    events.triggerRan,
    events.dueRunRan,
  ],
  queries: { triggers: queries.triggers, trigger: queries.trigger },
  parameters: [],
  routes: { triggers: routes.triggersRoute, trigger: routes.triggerRoute },
  topics: { trigger: 'Instructions that run when something happens' },
})
