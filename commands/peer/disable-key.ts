import { Args, Flags } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { confirm } from '../../src/cli/terminal/ask.js'
import { instructions as peers } from '../../src/features/peers/schema.js'

export default class PeerDisableKey extends LedgerCommand {
  static override description =
    `Disable a consensus key permanently, for example a lost one: it cannot sign from two heights later on.
A peer without another key then has no vote. Needs CanManageConsensusKeys, or the account of the peer's network key.`
  static override examples = ['<%= config.bin %> peer disable-key ea0130... --key-file admin.json --yes']
  static override args = {
    key: Args.string({ description: 'consensus key (ea0130...), or its key file', required: true, ignoreStdin: true }),
  }
  static override flags = {
    force: Flags.boolean({
      description: 'even if fewer than a quorum of the remaining validators signed recently',
      default: false,
    }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(PeerDisableKey)
    const { peerKeyOf } = await import('../../src/node/genesis/index.js')
    const key = await peerKeyOf(args.key)
    if (!flags.yes) await confirm(`The key ${key} can never sign again.`, 'disable', flags['no-input'])
    // Confirmed above: nobody is asked twice.
    await this.send({ ...flags, yes: true }, ({ read }) => [
      read(peers.disableConsensusKey, { key, force: flags.force }),
    ])
  }
}
