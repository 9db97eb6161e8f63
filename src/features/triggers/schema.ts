/** Owns triggers as clients see them: instructions, events, views, queries and routes (docs/design/lanes.md 1, rows 25 to 28). */

import { defineSchema } from '../../api/feature.js'
import { pageOf, pageParameters } from '../../api/paging.js'
import { byNameQuery, namePath, pageQueryOf } from '../../api/query-inputs.js'
import { defineRoute } from '../../api/route.js'
import { bool, type Infer, option, struct, u8, u32, varint } from '../../codec/index.js'
import {
  aboutTrigger,
  accountId,
  CORE_IDS,
  defineEvents,
  defineInstructions,
  defineQueries,
  metadata,
  metadataValue,
  name,
  storedInstructions,
  triggerEvents,
  triggerFilter,
} from '../../model/index.js'

export const instructions = defineInstructions({
  registerTrigger: {
    id: 25,
    label: 'trigger::register',
    record: {
      id: name,
      /** Account that the instructions run as. */
      authority: accountId,
      filter: triggerFilter,
      instructions: storedInstructions,
      /** Maximum runs; absent: unlimited. */
      repeats: option(u32),
      metadata,
    },
  },
  unregisterTrigger: { id: 26, label: 'trigger::unregister', record: { id: name } },
  changeRepeats: {
    id: 27,
    label: 'trigger::change_repeats',
    record: {
      id: name,
      /** Remaining runs from now on; absent: unlimited. */
      repeats: option(u32),
      enabled: bool,
    },
  },
  executeTrigger: {
    id: 28,
    label: 'trigger::execute',
    record: {
      id: name,
      /** Arguments for people and streams, stored in the event of the call. */
      args: metadataValue,
    },
  },
})

export const events = {
  ...triggerEvents,
  ...defineEvents({
    triggerCreated: { id: 31, record: { trigger: name, authority: accountId }, ...aboutTrigger },
    triggerCalled: { id: 34, record: { trigger: name, caller: accountId, args: metadataValue }, ...aboutTrigger },
  }),
}

export interface TriggerView extends Infer<typeof triggerView> {}
const triggerView = struct('TriggerView', {
  id: name,
  authority: accountId,
  filter: triggerFilter,
  instructions: storedInstructions,
  repeats: option(u32),
  enabled: bool,
  failures: u8,
  /** Next due time of a time trigger, in ms since the Unix epoch. */
  dueMs: option(varint),
  metadata,
})

const triggerPage = pageOf('TriggerPage', triggerView)
const triggersInput = pageQueryOf('TriggersQuery', name)

export const queries = defineQueries({
  triggers: { id: 11, input: triggersInput, output: triggerPage },
  trigger: { id: 12, input: byNameQuery, output: triggerView },
})

const triggersRoute = defineRoute({
  id: 'ledger.triggers',
  method: 'GET',
  path: '/v1/triggers',
  summary: 'Triggers in the order of their names',
  access: 'public',
  format: 'json',
  query: pageParameters,
  response: triggerPage,
}).byPage(queries.triggers)

const triggerRoute = defineRoute({
  id: 'ledger.trigger',
  method: 'GET',
  path: '/v1/triggers/{id}',
  summary: 'A trigger: its condition, instructions and remaining runs',
  access: 'public',
  format: 'json',
  params: namePath,
  response: triggerView,
}).byQuery(
  queries.trigger,
  ({ params }) => params,
  ({ params }) => `trigger ${params.id} does not exist`,
)

export const triggerSchema = defineSchema({
  name: 'triggers',
  abi: 'core',
  version: 1,
  ids: [CORE_IDS],
  errors: {},
  instructions,
  events,
  queries,
  parameters: [],
  routes: { triggers: triggersRoute, trigger: triggerRoute },
  topics: { trigger: 'Instructions that run on a condition' },
})
