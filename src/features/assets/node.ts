/** Owns the drafts of controls. */

import { parameterFault } from '../../api/answers.js'
import { type AnyHandler, handle } from '../../api/handler.js'
import type { NodeServices } from '../../api/services.js'
import { type AccountId, type AssetId, type Instruction, instruction, LedgerError } from '../../model/index.js'
import { answerDraft, type Drafting } from '../drafts.js'
import { defineService } from '../service.js'
import { assetSchema } from './schema/index.js'
import { instructions } from './schema/instructions.js'
import { queries } from './schema/queries.js'
import * as routes from './schema/routes.js'

/** Instructions for a changed control, one per changed part. */
function changesOf(asset: AssetId, { frozen, reason, blacklisted, limits }: routes.ControlChange): Instruction[] {
  return [
    ...(frozen === undefined ? [] : [instruction(instructions.setFreeze, { asset, frozen, reason })]),
    ...(blacklisted === undefined ? [] : [instruction(instructions.setBlacklist, { asset, blacklisted })]),
    ...(limits === undefined ? [] : [instruction(instructions.setLimits, { asset, limits })]),
  ]
}

interface DraftInput extends Drafting<{ readonly account: AccountId }> {
  readonly params: { readonly definition: string }
  readonly body: routes.ControlChange
}

async function controlDraft(input: DraftInput) {
  const { services, params, body, accounts } = input
  const { definition } = params
  if (body.reason !== undefined && body.frozen === undefined)
    return parameterFault('reason', 'a reason requires `frozen`')
  if ((await services.query(queries.assetDefinition, { id: definition })) === undefined)
    return new LedgerError('not_found', `asset definition ${definition} does not exist`)
  const drafted = changesOf({ definition, account: accounts.account }, body)
  if (drafted.length === 0)
    return parameterFault('frozen', 'exactly one of frozen, blacklisted and limits must be given')
  return answerDraft(input, drafted, () => ({}))
}

/** Handlers by route id. */
const assetHandlers: ReadonlyMap<string, AnyHandler<NodeServices>> = new Map([
  handle(routes.controlDraftRoute, controlDraft),
])

export const assetService = defineService(assetSchema, {
  open: () => ({ handlers: assetHandlers }),
})
