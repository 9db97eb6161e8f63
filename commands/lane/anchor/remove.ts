import { Args, Flags } from '@oclif/core'
import { writeFlags } from '../../../src/cli/command/flags.js'
import { hashOf, heightOf } from '../../../src/cli/lane/lane.js'
import { LedgerCommand } from '../../../src/cli/ledger/command.js'
import { instructions as lanes } from '../../../src/features/lanes/schema/instructions.js'

export default class LaneAnchorRemove extends LedgerCommand {
  static override description =
    `Revoke trust in the committees of another chain up to a height: give the highest trusted one.
Heights above it stay trusted, and by ABI 1 those below it too. Accepted envelopes stay accepted. The key must hold CanManageRelayAnchors.`
  static override examples = ['<%= config.bin %> lane anchor remove 120 --chain-hash 77aa... --key-file admin.json']
  static override args = {
    height: Args.string({ description: 'height of the other chain', required: true, ignoreStdin: true }),
  }
  static override flags = {
    'chain-hash': Flags.string({ description: 'hash of the other chain', required: true, helpValue: 'HASH' }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(LaneAnchorRemove)
    const chain_hash = hashOf(flags['chain-hash'], '--chain-hash')
    const height = heightOf(args.height)
    await this.send(flags, ({ read }) => [read(lanes.setRelayAnchor, { chain_hash, height, committee_hash: null })])
  }
}
