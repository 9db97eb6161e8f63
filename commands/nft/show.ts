import { Args } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { pairs } from '../../src/cli/command/output.js'
import { askGateway, textOf } from '../../src/cli/gateway/gateway.js'

export default class NftShow extends BaseCommand {
  static override description = 'Show an NFT with its content.'
  static override examples = ['<%= config.bin %> nft show deed$bank', '<%= config.bin %> nft show deed$bank --json']
  static override args = {
    nft: Args.string({ description: 'NFT name$domain', required: true, ignoreStdin: true }),
  }
  static override flags = {}

  async run(): Promise<void> {
    const { args, flags } = await this.parse(NftShow)
    const view = await askGateway(await this.settings(flags), ({ nfts }) => nfts.nft, { params: { id: args.nft } })
    this.out.result(
      view,
      pairs([
        ['nft', textOf(view.id)],
        ['owner', textOf(view.owned_by)],
        ['content', textOf(view.content)],
      ]),
    )
  }
}
