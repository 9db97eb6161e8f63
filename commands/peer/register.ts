import { Args, Flags } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import type { Json } from '../../src/codec/index.js'
import { instructions as peers } from '../../src/features/peers/schema.js'

export default class PeerRegister extends LedgerCommand {
  static override description =
    `Register a peer in the running network, by the card that its host created with \`causeway init\`.
A validator votes two heights later. Start the node first, so that it can sync once the other peers
know it. Refused if fewer than the new quorum signed recently, unless --force. Needs CanManagePeers.`
  static override examples = [
    '<%= config.bin %> peer register bank-e/card.json --key-file admin.json',
    '<%= config.bin %> peer register auditor/card.json --key-file admin.json',
  ]
  static override args = { card: Args.string({ description: 'card of the peer', required: true, ignoreStdin: true }) }
  static override flags = {
    force: Flags.boolean({
      description: 'even if fewer than a quorum of the new validators signed recently',
      default: false,
    }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(PeerRegister)
    const { readPeerCard } = await import('../../src/node/genesis/index.js')
    const { name: _name, ...peer } = await readPeerCard(args.card)
    const record: Json = { ...peer, addresses: [...peer.addresses] }
    await this.send(flags, ({ read }) => [read(peers.registerPeer, { peer: record, force: flags.force })])
  }
}
