/** Owns the parameters of fees: what they are paid in, what a unit costs, where they go, whether others may pay them. */
import { bool, type Numeric, numeric, option } from '../../../codec/index.js'
import { assetDefinitionId, type ParameterDef } from '../../../model/index.js'
import { type FeeSink, feeSink } from './fees.js'

export const FEE_ASSET: ParameterDef<string | undefined> = {
  name: 'fee_asset',
  schema: option(assetDefinitionId),
  fallback: undefined,
  actsFrom: 1,
}
export const FEE_PER_TEU: ParameterDef<Numeric> = {
  name: 'fee_per_teu',
  schema: numeric,
  fallback: { mantissa: 0n, scale: 0 },
  actsFrom: 1,
  check: (value) => (value.mantissa < 0n ? 'fee_per_teu is not negative' : undefined),
}
export const FEE_SINK: ParameterDef<FeeSink> = {
  name: 'fee_sink',
  schema: feeSink,
  fallback: { kind: 'burn', value: undefined },
  actsFrom: 1,
}
export const FEE_SPONSORSHIP: ParameterDef<boolean> = {
  name: 'fee_sponsorship',
  schema: bool,
  fallback: false,
  actsFrom: 1,
}
