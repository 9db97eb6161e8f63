/** Owns the parameters of fees: what they are paid in, what a unit costs, where they go, whether others may pay them. */

import { bool, enumOf, type Infer, type Numeric, numeric, option } from '../../../codec/index.js'
import { accountId, assetDefinitionId, keylessKind, type ParameterDef } from '../../../model/index.js'

/** Where fees go: out of the supply, to an account, or into the pot that rewards are paid from. */
export type FeeSink = Infer<typeof feeSink>
export const feeSink = enumOf('FeeSink', { burn: [0, undefined], account: [1, accountId], pot: [2, undefined] })

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
  check: (value) => (value.mantissa < 0n ? 'fee_per_teu is not negative' : undefined),
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
