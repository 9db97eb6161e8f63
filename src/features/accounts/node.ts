/** Owns account onboarding on a node: the draft of a registration with its grants. */

import { parameterFault } from '../../api/answers.js'
import { handle } from '../../api/handler.js'
import type { NodeServices } from '../../api/services.js'
import {
  type AccountId,
  accountOfKey,
  type Instruction,
  instruction,
  LedgerError,
  NO_METADATA,
  tokenObject,
} from '../../model/index.js'
import { queries as domainQueries } from '../domains/schema.js'
import { answerDraft, type Drafting } from '../drafts.js'
import { type GrantOrRevoke, instructions as permissionInstructions } from '../permissions/schema.js'
import { defineService } from '../service.js'
import {
  type AccountOnboarding,
  accountSchema,
  instructions,
  onboardingRoute,
  queries,
  type RegisterAccount,
} from './schema.js'

/** Account of the request, given by exactly one of key and address. */
function accountOf({ publicKey, account }: AccountOnboarding): AccountId | LedgerError {
  if (publicKey !== undefined && account !== undefined)
    return parameterFault('account', 'give the public key or the address, not both')
  const id = publicKey === undefined ? account : accountOfKey(publicKey)
  return id ?? parameterFault('public_key', 'the public key or the address of the account is required')
}

/** Reason why the registration cannot succeed in the current state. */
async function faultOf(services: NodeServices, id: AccountId, { domain, label }: AccountOnboarding) {
  if ((await services.query(domainQueries.domain, { id: domain })) === undefined)
    return new LedgerError('not_found', `domain ${domain} does not exist`)
  if ((await services.query(queries.account, { id, alias: undefined })) !== undefined)
    return new LedgerError('exists', 'the account is already registered')
  if (label === undefined) return undefined
  const alias = `${label}@${domain}`
  const holder = await services.query(queries.account, { id: undefined, alias })
  return holder === undefined ? undefined : new LedgerError('exists', `the alias ${alias} is already used`)
}

async function onboarding(input: Drafting & { readonly body: AccountOnboarding }) {
  const { services, body } = input
  const { domain, label, metadata = NO_METADATA, permissions = [] } = body
  const id = accountOf(body)
  if (id instanceof LedgerError) return id
  const fault = await faultOf(services, id, body)
  if (fault !== undefined) return fault
  const { addressPrefix } = services.info
  const registration: RegisterAccount = { id, domain, label, metadata }
  const granted = permissions.map(({ name, object }): Instruction => {
    const value = { name, object: object === undefined ? undefined : tokenObject(object, addressPrefix) }
    const drafted: GrantOrRevoke = { subject: { kind: 'permission', value }, to: { kind: 'account', value: id } }
    return instruction(permissionInstructions.grant, drafted)
  })
  return answerDraft(input, [instruction(instructions.registerAccount, registration), ...granted], () => ({
    account: id,
  }))
}

export const accountService = defineService(accountSchema, {
  open: () => ({ handlers: new Map([handle(onboardingRoute, onboarding)]) }),
})
