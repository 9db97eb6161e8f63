import { Args } from '@oclif/core'
import { ReadCommand } from '../../src/cli/command/read-command.js'

export default class NftShow extends ReadCommand {
  static override description = 'Show an NFT with its content.'
  static override examples = ['<%= config.bin %> nft show deed$bank', '<%= config.bin %> nft show deed$bank --json']
  static override args = {
    nft: Args.string({ description: 'NFT name$domain', required: true, ignoreStdin: true }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(NftShow)
    const fields = { nft: 'id', owner: 'owned_by', content: 'content' }
    await this.showFields(flags, ({ nfts }) => nfts.nft, { params: { id: args.nft } }, fields)
  }
}
