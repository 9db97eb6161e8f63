/** Owns the drafts of manifests. */

import { type AnyHandler, handle } from '../../api/handler.js'
import type { NodeServices } from '../../api/services.js'
import { type AccountId, type InstructionDef, instruction } from '../../model/index.js'
import { answerDraft, type Drafting } from '../drafts.js'
import { defineService } from '../service.js'
import { spaceSchema } from './schema/index.js'
import { instructions } from './schema/instructions.js'
import * as routes from './schema/routes.js'

type ByAccount = { readonly account: AccountId }

/** Draft an instruction whose account is given as a text in the request. */
const drafted =
  <T extends ByAccount>(def: InstructionDef<T>) =>
  (input: Drafting<ByAccount> & { readonly body: T }) =>
    answerDraft(input, [instruction(def, { ...input.body, account: input.accounts.account })], () => ({}))

const spaceHandlers: ReadonlyMap<string, AnyHandler<NodeServices>> = new Map([
  handle(routes.publishDraftRoute, drafted(instructions.publishManifest)),
  handle(routes.revokeDraftRoute, drafted(instructions.revokeManifest)),
  handle(routes.expireDraftRoute, drafted(instructions.expireManifest)),
])

export const spaceService = defineService(spaceSchema, { open: () => ({ handlers: spaceHandlers }) })
