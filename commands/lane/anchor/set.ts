import { Args, Flags } from '@oclif/core'
import { writeFlags } from '../../../src/cli/command/flags.js'
import { hashOf, heightOf } from '../../../src/cli/lane/lane.js'
import { LedgerCommand } from '../../../src/cli/ledger/command.js'
import { usageError } from '../../../src/cli/terminal/failure.js'
import { instructions as lanes } from '../../../src/features/lanes/schema/instructions.js'

export default class LaneAnchorSet extends LedgerCommand {
  static override description =
    `Trust a committee of another chain at one height, so that its relay envelopes of that height are accepted.
Each accepted envelope anchors the committee of the height after it. Take the committee from the signed genesis of that chain,
if its validators are still those of genesis, or give chain hash and committee hash. The key must hold CanManageRelayAnchors.`
  static override examples = [
    '<%= config.bin %> lane anchor set 120 --genesis other/genesis.signed --key-file admin.json',
    '<%= config.bin %> lane anchor set 120 --chain-hash 77aa... --committee 4be1... --key-file admin.json',
  ]
  static override args = {
    height: Args.string({ description: 'height of the other chain', required: true, ignoreStdin: true }),
  }
  static override flags = {
    genesis: Flags.string({ description: 'signed genesis of the other chain', helpValue: 'FILE' }),
    'chain-hash': Flags.string({ description: 'hash of the other chain, as its envelopes name it', helpValue: 'HASH' }),
    committee: Flags.string({ description: 'hash of its committee at the height', helpValue: 'HASH' }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(LaneAnchorSet)
    const height = heightOf(args.height)
    const anchor = await this.anchor(height, flags)
    await this.send(flags, ({ read }) => [read(lanes.setRelayAnchor, { ...anchor, height })])
  }

  private async anchor(
    height: number,
    flags: { readonly genesis?: string | undefined; 'chain-hash'?: string | undefined; committee?: string | undefined },
  ): Promise<{ readonly chain_hash: string; readonly committee_hash: string }> {
    const { genesis, committee, 'chain-hash': chainHash } = flags
    if (genesis === undefined) {
      if (chainHash === undefined || committee === undefined) {
        throw usageError('no trust anchor: give --genesis FILE, or --chain-hash HASH with --committee HASH')
      }
      return { chain_hash: hashOf(chainHash, '--chain-hash'), committee_hash: hashOf(committee, '--committee') }
    }
    if (chainHash !== undefined || committee !== undefined) {
      throw usageError('--genesis contains both hashes: omit --chain-hash and --committee')
    }
    const { committeeOfGenesis } = await import('../../../src/cli/lane/envelope.js')
    const { NEWEST_ABI } = await import('../../../src/features/abi.js')
    const { readGenesisFile } = await import('../../../src/node/genesis/index.js')
    return committeeOfGenesis(await readGenesisFile(NEWEST_ABI, genesis), height)
  }
}
