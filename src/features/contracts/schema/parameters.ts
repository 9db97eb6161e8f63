/** Owns the parameters of contracts, and the gas of an execution unit. */
import { unitEnum, varint } from '../../../codec/index.js'
import type { ParameterDef } from '../../../model/index.js'

/** Gas per transaction execution unit (TEU): compiled code takes 10 ns per unit of gas and 0.5 us per TEU. */
export const GAS_PER_TEU = 50
/** Minimum of the gas limit, below which not even an empty call would fit. */
const GAS_PER_TX_MIN = 100_000
const GAS_PER_TX_MAX = 5_000_000

/** Maximum gas of a call. */
export const CONTRACT_GAS_PER_TX: ParameterDef<number> = {
  name: 'contract_gas_per_tx',
  schema: varint,
  fallback: 2_000_000,
  activationDelay: 1,
  check: (value) =>
    value < GAS_PER_TX_MIN || value > GAS_PER_TX_MAX
      ? `contract_gas_per_tx must be between ${GAS_PER_TX_MIN} and ${GAS_PER_TX_MAX}`
      : undefined,
}
/** Accounts that may register and deploy: holders of CanDeployContract, or all. */
export const CONTRACT_DEPLOY_POLICY: ParameterDef<'permission' | 'open'> = {
  name: 'contract_deploy_policy',
  schema: unitEnum('ContractDeployPolicy', { permission: 0, open: 1 }),
  fallback: 'permission',
  activationDelay: 1,
}
