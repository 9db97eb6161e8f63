import { Args, Flags } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { confirm } from '../../src/cli/terminal/ask.js'
import { instructions as peers } from '../../src/features/peers/schema.js'

export default class PeerUnregister extends LedgerCommand {
  static override description = `Remove a peer from the running network: it has no vote two heights later.
Refused if fewer than a quorum of the remaining validators signed recently, unless --force. Needs CanManagePeers.`
  static override examples = ['<%= config.bin %> peer unregister bank-e/card.json --key-file admin.json --yes']
  static override args = {
    peer: Args.string({
      description: 'card, or registered validator key',
      required: true,
      ignoreStdin: true,
    }),
  }
  static override flags = {
    force: Flags.boolean({
      description: 'even if fewer than a quorum of the remaining validators signed recently',
      default: false,
    }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(PeerUnregister)
    const { peerKeyOf } = await import('../../src/node/genesis/index.js')
    const peer = await peerKeyOf(args.peer)
    if (!flags.yes) await confirm(`The peer ${peer} will lose its vote.`, 'remove', flags['no-input'])
    // Confirmed above: nobody is asked twice.
    await this.send({ ...flags, yes: true }, ({ read }) => [read(peers.unregisterPeer, { peer, force: flags.force })])
  }
}
