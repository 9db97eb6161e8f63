/** Owns the error codes of contracts. */
import { answered, CONTRACT_TRAP_NUMBER, declareErrors, type ErrorDef, EXIT } from '../../../model/index.js'
import { CONTRACT_IDS } from './records.js'

const BASE = CONTRACT_IDS.first
const refused = (number: number, means: string, hint: string) => answered(number, 422, EXIT.rejected, means, hint)

export const errors = declareErrors({
  contract_invalid: refused(
    BASE,
    'The module does not match the profile, or the manifest does not match the module.',
    'The text gives the byte or the field; build with `causeway contract build`.',
  ),
  contract_limit: refused(
    BASE + 1,
    'The call requests more gas than the chain allows, or a contract has reached a limit.',
    'The parameter contract_gas_per_tx is the maximum gas of a call.',
  ),
  contract_trap: refused(
    CONTRACT_TRAP_NUMBER,
    'The contract trapped; the outcome has the trap code.',
    'Run `causeway contract simulate`, which shows where the call trapped.',
  ),
  contract_not_found: refused(
    BASE + 3,
    'The contract or artifact does not exist.',
    '`causeway contract show` accepts an address or an alias.',
  ),
  contract_in_use: refused(BASE + 4, 'The artifact is in use by contracts.', 'Deactivate them first.'),
  contract_not_owner: refused(
    BASE + 5,
    'Only the owner of the contract may do this.',
    '`causeway contract show` shows the owner.',
  ),
  contract_not_upgradable: refused(
    BASE + 6,
    'The contract cannot hand over its state.',
    'The old contract must be active, hold the alias, have the same owner, and be `upgradable` in its manifest.',
  ),
  contract_abi: refused(
    BASE + 7,
    'The manifest is for another contract ABI than that of the network.',
    'Build again with the release of the network.',
  ),
})

declare module '../../../model/error-catalogue.js' {
  interface ErrorRegistry extends Record<keyof typeof errors, ErrorDef> {}
}
