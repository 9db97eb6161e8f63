import { Flags } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { instructions as staking } from '../../src/features/staking/schema/instructions.js'

export default class StakingAttest extends LedgerCommand {
  static override description =
    `Prove that the node of a validator is in sync, by the root of one of the last 64 headers.
The key is the network key of the node. Nodes do this automatically while \`[staking] auto\` is on.`
  static override examples = [
    '<%= config.bin %> staking attest --height 1200 --state-root 77aa... --key-file network.json',
  ]
  static override flags = {
    height: Flags.integer({ description: 'height of the header', required: true, min: 1 }),
    'state-root': Flags.string({ description: 'its state root, 64 hex digits', required: true }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(StakingAttest)
    const { height, 'state-root': root } = flags
    await this.send(flags, ({ read }) => [read(staking.attestReady, { height, state_root: root.toLowerCase() })])
  }
}
