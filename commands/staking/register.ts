import { Flags } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { boundKeys, nodeKeyFlags } from '../../src/cli/staking/node-keys.js'
import { instructions as staking } from '../../src/features/staking/schema/instructions.js'

export default class StakingRegister extends LedgerCommand {
  static override description = `Register the account of the key as a validator, with the keys of its node.
Bond min_self_bond first. The node signs that it belongs to the account; a node that is already a peer stays registered.`
  static override examples = [
    '<%= config.bin %> staking register --validator-key node/keys/validator.json --network-key node/keys/network.json --address 10.0.0.5:7400 --key-file val.json',
  ]
  static override flags = {
    ...nodeKeyFlags,
    address: Flags.string({ description: 'host:port of its links; may be repeated', multiple: true }),
    'commission-bps': Flags.integer({
      description: 'share of rewards before all others',
      default: 0,
      min: 0,
      max: 10_000,
    }),
    entity: Flags.string({ description: 'owning entity: seats of one entity are limited' }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(StakingRegister)
    await this.send(flags, async ({ address, client, read }) => {
      const { chain } = await client.chain()
      const registration = {
        account: null,
        ...(await boundKeys(flags, chain, address)),
        addresses: flags.address ?? [],
        commission_bps: flags['commission-bps'],
        entity: flags.entity ?? null,
      }
      return [read(staking.registerValidator, registration)]
    })
  }
}
