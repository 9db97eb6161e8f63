/** Owns the section `staking` of the genesis manifest: initial stakes and candidates. */

import { type Infer, list, numeric, option, struct, u32, withDefaults } from '../../../codec/index.js'
import type { GenesisSection } from '../../../executor/feature.js'
import { accountId, instruction, networkKey, validatorKey } from '../../../model/index.js'
import { instructions } from '../schema/instructions.js'
import {
  blsSignature,
  CANDIDATES_MAX,
  entityName,
  nominationTargets,
  peerAddresses,
  VOTERS_MAX,
} from '../schema/records.js'

const NO_SIGNATURE = Buffer.alloc(96)
const NO_NETWORK_SIGNATURE = Buffer.alloc(64)

const validator_ = struct('GenesisStakingValidator', {
  account: accountId,
  bond: numeric,
  /** Keys of a peer of the topology, or of one that joins later. */
  key: validatorKey,
  pop: blsSignature,
  networkKey,
  addresses: peerAddresses,
  commissionBps: u32,
  entity: option(entityName),
})
const nominator_ = struct('GenesisNominator', { account: accountId, bond: numeric, targets: nominationTargets })
const section_ = struct('GenesisStaking', {
  validators: list(withDefaults(validator_, { addresses: [], commission_bps: 0 }), CANDIDATES_MAX),
  nominators: option(list(nominator_, VOTERS_MAX)),
})

/**
 * Runs after all other instructions, because it stakes assets that they mint. The genesis key replaces the signatures
 * of the nodes.
 */
export const genesisStaking: GenesisSection<Infer<typeof section_>> = {
  section: 'staking',
  schema: section_,
  runsLast: true,
  instructionsOf: ({ validators, nominators = [] }) => [
    ...validators.flatMap(({ account, bond, ...rest }) => [
      instruction(instructions.bondStake, { account, amount: bond }),
      instruction(instructions.registerValidator, {
        account,
        ...rest,
        binding: NO_SIGNATURE,
        networkBinding: NO_NETWORK_SIGNATURE,
      }),
    ]),
    ...nominators.flatMap(({ account, bond, targets }) => [
      instruction(instructions.bondStake, { account, amount: bond }),
      instruction(instructions.nominateValidators, { account, targets }),
    ]),
  ],
}
