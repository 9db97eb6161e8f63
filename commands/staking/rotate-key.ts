import { writeFlags } from '../../src/cli/command/flags.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { boundKeys, nodeKeyFlags } from '../../src/cli/staking/node-keys.js'
import { instructions as staking } from '../../src/features/staking/schema/instructions.js'

export default class StakingRotateKey extends LedgerCommand {
  static override description = `Replace the voting key of a validator, from the next epoch whose snapshot counts it.
Configure both keys on the node before: \`keys.next_validator\` is the new one.`
  static override examples = [
    '<%= config.bin %> staking rotate-key --validator-key keys/next.json --network-key keys/network.json --key-file val.json',
  ]
  static override flags = { ...nodeKeyFlags, ...writeFlags }

  async run(): Promise<void> {
    const { flags } = await this.parse(StakingRotateKey)
    await this.send(flags, async ({ address, client, read }) => {
      const { chain } = await client.chain()
      const { key, pop, binding } = await boundKeys(flags, chain, address)
      return [read(staking.rotateValidatorKey, { key, pop, binding })]
    })
  }
}
