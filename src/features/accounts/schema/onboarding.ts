/** Owns the onboarding of an account: what it takes to draft its registration with its first permissions. */

import { defineRoute } from '../../../api/route.js'
import { draftFields, draftRow } from '../../../api/schema/draft.js'
import { type Infer, list, option, struct } from '../../../codec/index.js'
import { accountId, accountKey, domainId, metadata, name } from '../../../model/index.js'
import { permissionSubject } from '../../permissions/schema/instructions.js'

/** Permissions that one onboarding grants: each is an instruction of its own. */
const ONBOARDING_PERMISSIONS_MAX = 16
/** Largest onboarding, in bytes of its JSON: metadata of an account has at most as much. */
const ONBOARDING_BODY_MAX_BYTES = 96 * 1024

/** A new account: by its public key or by the address of that. */
export interface AccountOnboarding extends Infer<typeof onboarding_> {}
const onboarding_ = struct('AccountOnboarding', {
  publicKey: option(accountKey),
  account: option(accountId),
  domain: domainId,
  label: option(name),
  metadata: option(metadata),
  /** Granted with the registration; objects that are accounts as addresses. */
  permissions: option(list(permissionSubject, ONBOARDING_PERMISSIONS_MAX)),
})

const draft_ = struct('AccountOnboardingDraft', {
  ...draftFields,
  /** Address of the account. */
  account: accountId,
})

export const onboardingRoute = defineRoute({
  ...draftRow,
  id: 'ledger.account.onboarding',
  method: 'POST',
  path: '/v1/accounts/onboarding',
  summary: 'Drafts the registration of an account with its permissions; who may register and grant them signs it',
  access: 'public',
  body: { as: 'record', schema: onboarding_, maxBytes: ONBOARDING_BODY_MAX_BYTES },
  response: draft_,
  errors: [...draftRow.errors, 'exists'],
})
