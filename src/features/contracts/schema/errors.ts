/** Owns the error codes of contracts. */
import { answered, CONTRACT_TRAP_NUMBER, declareErrors, type ErrorDef, EXIT } from '../../../model/index.js'
import { CONTRACT_IDS } from './records.js'

const BASE = CONTRACT_IDS.first
const refused = (number: number, means: string, hint: string) => answered(number, 422, EXIT.rejected, means, hint)

export const errors = declareErrors({
  contract_invalid: refused(
    BASE,
    'The module is not of the profile, or the manifest does not fit it.',
    'The text names the byte or the field; build with `causeway contract build`.',
  ),
  contract_limit: refused(
    BASE + 1,
    'The call asks for more gas than the chain allows, or a contract has reached a bound.',
    'The parameter contract_gas_per_tx is the most gas of a call.',
  ),
  contract_trap: refused(
    CONTRACT_TRAP_NUMBER,
    'The contract did not finish: the outcome names the trap.',
    'Try the call with `causeway contract simulate`: it tells where it stopped.',
  ),
  contract_not_found: refused(
    BASE + 3,
    'There is no such contract or artifact.',
    '`causeway contract show` takes an address or an alias.',
  ),
  contract_in_use: refused(BASE + 4, 'Contracts run the artifact.', 'Deactivate them first.'),
  contract_not_owner: refused(
    BASE + 5,
    'Only the owner of the contract may do this.',
    '`causeway contract show` names the owner.',
  ),
  contract_not_upgradable: refused(
    BASE + 6,
    'The contract cannot hand its state on.',
    'Only an active contract whose manifest says `upgradable`, under the alias, of the same owner, can.',
  ),
  contract_abi: refused(
    BASE + 7,
    'The manifest is for another contract ABI than the network runs.',
    'Build again with the release of the network.',
  ),
})

declare module '../../../model/error-catalogue.js' {
  interface ErrorRegistry extends Record<keyof typeof errors, ErrorDef> {}
}
