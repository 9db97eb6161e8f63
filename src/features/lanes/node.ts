/** Owns the routes of lanes beyond queries. */

import { type AnyHandler, type Caller, handle } from '../../api/handler.js'
import type { NodeServices } from '../../api/services.js'
import { instruction, LedgerError } from '../../model/index.js'
import { answerDraft, type Drafting } from '../drafts.js'
import { defineService } from '../service.js'
import { changed, LEAD_HEIGHTS } from './ledger/change.js'
import { laneSchema } from './schema/index.js'
import { instructions } from './schema/instructions.js'
import { queries } from './schema/queries.js'
import * as routes from './schema/routes.js'
import type { LaneChange } from './schema/views.js'

type Input<P = undefined, B = undefined> = {
  readonly caller: Caller
  readonly services: NodeServices
  readonly params: P
  readonly body: B
}

async function lifecycle(services: NodeServices) {
  const view = await services.query(queries.laneLifecycle, {})
  if (view === undefined) throw new Error('the query of the lane catalogue returned nothing')
  return view
}

async function draft(input: Input<undefined, LaneChange> & Drafting) {
  const { services, body: change } = input
  const view = await lifecycle(services)
  const latest = view.pending ?? view
  const domains = new Map(view.domains.map((one) => [one.dataspace, one.count]))
  const result = changed(change, latest, { isGenesis: false, domainsOf: (dataspace) => domains.get(dataspace) ?? 0 })
  if ('code' in result) return new LedgerError(result.code, result.message)
  // The next block is the earliest that can contain it.
  const activationHeight = view.height + LEAD_HEIGHTS
  return answerDraft(input, [instruction(instructions.updateLanes, change)], () => ({ activationHeight }))
}

const hiddenFrom = ({ kind }: Caller): LedgerError =>
  kind === 'anonymous'
    ? new LedgerError('unauthorised', 'settlements of a restricted lane require a request signed by an operator key')
    : new LedgerError('forbidden', 'settlements of a restricted lane are visible to operators of this node only')

/** Handlers by route id. */
export const laneHandlers: ReadonlyMap<string, AnyHandler<NodeServices>> = new Map([
  handle(routes.lifecycleDraftRoute, draft),
  handle(
    routes.envelopeRoute,
    async ({ services, params, caller }: Input<{ readonly height: number; readonly lane: number }>) => {
      const entry = await services.query(queries.laneById, { id: params.lane })
      if (entry?.lane.visibility === 'restricted' && !caller.operator) return hiddenFrom(caller)
      const envelope = await services.query(queries.laneEnvelope, params)
      return envelope === undefined
        ? new LedgerError('not_found', `lane ${params.lane} has no envelope at height ${params.height}`, {
            hint: 'A lane has an envelope only at heights where it settled; GET /v1/consensus/status names those of the last block.',
          })
        : { value: envelope }
    },
  ),
])

export const laneService = defineService(laneSchema, {
  open: () => ({ handlers: laneHandlers }),
})
