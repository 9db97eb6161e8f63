import { Args } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { instructions as nfts } from '../../src/features/nfts/schema.js'

export default class NftUnregister extends LedgerCommand {
  static override description = 'Remove an NFT that the key owns.'
  static override examples = ['<%= config.bin %> nft unregister deed$bank --key-file alice.json']
  static override args = {
    nft: Args.string({ description: 'NFT name$domain', required: true, ignoreStdin: true }),
  }
  static override flags = {
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(NftUnregister)
    await this.send(flags, ({ read }) => [read(nfts.unregisterNft, { id: args.nft })])
  }
}
