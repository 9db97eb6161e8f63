/** Owns accounts as clients see them: error codes, instructions, events, views, queries and routes (docs/design/lanes.md 1). */

import { absentText, noAccount } from '../../api/absent-texts.js'
import { accountCursor } from '../../api/cursors.js'
import { defineSchema } from '../../api/feature.js'
import { PAGE_LIMIT_MAX, type Page, pageFields, pageOf } from '../../api/paging.js'
import { accountPath, accountQuery, byDomainQuery, pageQueryFields } from '../../api/query-inputs.js'
import { defineRoute, publicRead } from '../../api/route.js'
import { draftFields, draftRow } from '../../api/schema/draft.js'
import { bool, type Infer, list, numeric, omissible, option, type Schema, struct } from '../../codec/index.js'
import {
  ACCOUNT_ADMISSION,
  aboutAccount,
  accountEvents,
  accountId,
  accountKey,
  admissionPolicy,
  answered,
  assetDefinitionId,
  CORE_IDS,
  declareErrors,
  defineEvents,
  defineInstructions,
  defineQueries,
  domainId,
  type ErrorDef,
  EXIT,
  type InstructionOf,
  metadata,
  name,
} from '../../model/index.js'
import { domain } from '../domains/schema.js'
import { permissionSubject } from '../permissions/schema.js'

const errors = declareErrors({
  bad_label: answered(
    9,
    422,
    EXIT.rejected,
    'The label is already used in the domain, or is not a valid label.',
    'Choose another label.',
  ),
  admission_limit: answered(
    38,
    422,
    EXIT.rejected,
    'The transaction or the block reached its limit of new accounts.',
    'Register them first, or pay in smaller batches.',
  ),
})

declare module '../../model/error-catalogue.js' {
  interface ErrorRegistry extends Record<keyof typeof errors, ErrorDef> {}
}

export const instructions = defineInstructions({
  registerAccount: {
    id: 7,
    label: 'account::register',
    record: { id: accountId, domain: domainId, label: option(name), metadata },
  },
  unregisterAccount: { id: 8, label: 'account::unregister', record: { id: accountId } },
  setLabel: {
    id: 9,
    label: 'account::set_label',
    record: {
      account: accountId,
      /** Absent: the alias was removed. */
      label: option(name),
    },
  },
  setAdmission: { id: 47, label: 'account::set_admission', record: { domain: domainId, policy: admissionPolicy } },
})

export interface RegisterAccount extends InstructionOf<typeof instructions.registerAccount> {}

export const events = {
  ...accountEvents,
  ...defineEvents({
    labelChanged: { id: 19, record: { account: accountId, domain: domainId, label: option(name) }, ...aboutAccount },
    admissionChanged: { id: 46, record: { domain: domainId, implicit: bool }, ...domain },
  }),
}

const balanceView = struct('BalanceView', { definition: assetDefinitionId, amount: numeric })

export interface AccountView extends Infer<typeof accountView> {}
export const accountView = struct('AccountView', {
  id: accountId,
  domain: domainId,
  label: option(name),
  metadata,
  /** First 500 balances, ordered by definition. */
  balances: list(balanceView, PAGE_LIMIT_MAX),
  /** True if there are more balances: `/v1/accounts/{id}/assets` lists all of them. */
  moreBalances: omissible(bool),
})

/** Account in a list; its balances are a separate list. */
export interface AccountItem extends Infer<typeof accountItem_> {}
const accountItem_ = struct('AccountItem', { id: accountId, domain: domainId, label: option(name), metadata })
const accountPage: Schema<Page<AccountItem>> = pageOf('AccountPage', accountItem_)

export interface AccountsQuery extends Infer<typeof accountsQuery> {}
const accountsQuery = struct('AccountsQuery', {
  ...pageQueryFields(accountCursor),
  domain: option(domainId),
})

export interface AdmissionView extends Infer<typeof admissionView> {}
const admissionView = struct('AdmissionView', {
  domain: domainId,
  /** Policy set by the domain; absent: explicit. */
  policy: option(admissionPolicy),
  /** Effective admission, by chain and domain together. */
  implicit: bool,
})

export const queries = defineQueries({
  account: { id: 3, input: accountQuery, output: accountView },
  accounts: { id: 62, input: accountsQuery, output: accountPage },
  admission: { id: 18, input: byDomainQuery, output: admissionView },
})

const accountsParameters_ = struct('AccountsParameters', { domain: option(domainId), ...pageFields })

const accountsRoute = defineRoute({
  ...publicRead,
  id: 'ledger.accounts',
  path: '/v1/accounts',
  summary: 'Accounts in the order of their ids, of one domain when it is given',
  query: accountsParameters_,
  response: accountPage,
}).byPage(
  queries.accounts,
  ({ query: { domain } }) => ({ domain }),
  ({ query: { domain } }) => absentText({ domain }),
)

export const accountRoute = defineRoute({
  ...publicRead,
  id: 'ledger.account',
  tool: { name: 'account', about: 'Account by address or alias: balances, metadata' },
  path: '/v1/accounts/{id}',
  summary: 'An account with its balances, by its address or its alias label@domain',
  params: accountPath,
  accounts: { id: 'name' },
  response: accountView,
}).byQuery(
  queries.account,
  ({ accounts }) => accounts.id,
  ({ params }) => noAccount(params.id),
)

const explorerAccountsRoute = defineRoute({
  ...accountsRoute,
  id: 'explorer.accounts',
  path: '/v1/explorer/accounts',
})

const explorerAccountRoute = defineRoute({
  ...publicRead,
  id: 'explorer.account',
  path: '/v1/explorer/accounts/{id}',
  summary: 'An account with its balances, by its address or its alias label@domain',
  params: accountPath,
  accounts: { id: 'name' },
  response: accountView,
}).byQuery(
  queries.account,
  ({ accounts }) => accounts.id,
  ({ params }) => noAccount(params.id),
)

/** Maximum permissions granted by one onboarding, each by a separate instruction. */
const ONBOARDING_PERMISSIONS_MAX = 16
/** Maximum size of an onboarding, in bytes of its JSON, as for the metadata of an account. */
const ONBOARDING_BODY_MAX_BYTES = 96 * 1024

/** New account, given by its public key or by the address of the key. */
export interface AccountOnboarding extends Infer<typeof onboarding_> {}
const onboarding_ = struct('AccountOnboarding', {
  publicKey: option(accountKey),
  account: option(accountId),
  domain: domainId,
  label: option(name),
  metadata: option(metadata),
  /** Granted with the registration; account objects are given as addresses. */
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
  summary: 'Draft the registration of an account with its permissions, for an account that may register and grant them',
  access: 'public',
  body: { as: 'record', schema: onboarding_, maxBytes: ONBOARDING_BODY_MAX_BYTES },
  response: draft_,
  errors: [...draftRow.errors, 'exists'],
})

export const accountSchema = defineSchema({
  name: 'accounts',
  abi: 'core',
  version: 1,
  ids: [CORE_IDS],
  errors,
  instructions,
  events,
  queries,
  parameters: [ACCOUNT_ADMISSION],
  routes: {
    accounts: accountsRoute,
    account: accountRoute,
    onboarding: onboardingRoute,
    explorerAccounts: explorerAccountsRoute,
    explorerAccount: explorerAccountRoute,
  },
  topics: { account: 'Accounts and their balances' },
})
