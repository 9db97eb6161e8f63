/** Owns fees as clients see them: error codes, the instruction, events and parameters. */

import { defineSchema } from '../../api/feature.js'
import { bool, enumOf, type Infer, type Numeric, numeric, option, string, struct, varint } from '../../codec/index.js'
import {
  aboutParties,
  accountId,
  accountParty,
  answered,
  assetDefinitionId,
  CORE_IDS,
  declareErrors,
  defineEvents,
  defineInstructions,
  domainId,
  type ErrorDef,
  EXIT,
  keylessKind,
  type ParameterDef,
} from '../../model/index.js'

const errors = declareErrors({
  fee_unpayable: answered(
    39,
    402,
    EXIT.rejected,
    'The payer cannot pay the maximum fee.',
    'Fund the payer, or set metadata `teu_limit` to lower the maximum fee.',
  ),
})

declare module '../../model/error-catalogue.js' {
  interface ErrorRegistry extends Record<keyof typeof errors, ErrorDef> {}
}

/** Beneficiary of a sponsorship: one account, or all accounts of a domain. */
export type Beneficiary = Infer<typeof beneficiary>
export const beneficiary = enumOf('FeeBeneficiary', { account: [0, accountId], domain: [1, domainId] })

/** Limits of a sponsorship, in the fee asset. */
export interface SponsorTerms extends Infer<typeof sponsorTerms> {}
const sponsorTerms = struct('SponsorTerms', {
  maxPerTx: numeric,
  /** Maximum per UTC day of header time. */
  maxPerDay: numeric,
  /** End, in ms since the Unix epoch of header time; absent: none. */
  expiresMs: option(varint),
})

export const instructions = defineInstructions({
  sponsorFees: {
    id: 46,
    label: 'fee::sponsor',
    record: {
      beneficiary,
      /** Absent: the sponsorship ends. */
      terms: option(sponsorTerms),
    },
  },
})

export const events = defineEvents({
  /** Fee of a transaction. It is settled after all triggers, so that no trigger can react to it. */
  feePaid: {
    id: 44,
    record: {
      payer: accountId,
      definition: assetDefinitionId,
      amount: numeric,
      /** Account that received it; absent: burned or put into the pot. */
      to: option(accountId),
    },
  },
  sponsorshipChanged: {
    id: 45,
    record: { sponsor: accountId, beneficiary: string(128), active: bool },
    subject: 'sponsorship',
    about: (value) => aboutParties(accountParty(value.sponsor)),
  },
})

/** Destination of fees: removed from the supply, paid to an account, or added to the pot that rewards are paid from. */
type FeeSink = Infer<typeof feeSink>
const feeSink = enumOf('FeeSink', { burn: [0, undefined], account: [1, accountId], pot: [2, undefined] })

export const FEE_ASSET: ParameterDef<string | undefined> = {
  name: 'fee_asset',
  schema: option(assetDefinitionId),
  fallback: undefined,
  activationDelay: 1,
}
export const FEE_PER_TEU: ParameterDef<Numeric> = {
  name: 'fee_per_teu',
  schema: numeric,
  fallback: { mantissa: 0n, scale: 0 },
  activationDelay: 1,
  check: (value) => (value.mantissa < 0n ? 'fee_per_teu must not be negative' : undefined),
}
export const FEE_SINK: ParameterDef<FeeSink> = {
  name: 'fee_sink',
  schema: feeSink,
  fallback: { kind: 'burn', value: undefined },
  activationDelay: 1,
  check: ({ kind, value }) =>
    kind === 'account' && keylessKind(value) === 'vault' ? 'fees cannot be paid into a vault' : undefined,
}
export const FEE_SPONSORSHIP: ParameterDef<boolean> = {
  name: 'fee_sponsorship',
  schema: bool,
  fallback: false,
  activationDelay: 1,
}

export const feeSchema = defineSchema({
  name: 'fees',
  abi: 'core',
  version: 1,
  ids: [CORE_IDS],
  errors,
  instructions,
  events,
  queries: {},
  parameters: [FEE_ASSET, FEE_PER_TEU, FEE_SINK, FEE_SPONSORSHIP],
  routes: {},
})
