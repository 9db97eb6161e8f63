import { Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { table } from '../../src/cli/command/output.js'
import { textOf } from '../../src/cli/gateway/gateway.js'
import { listItems, pageFlags } from '../../src/cli/gateway/pages.js'

export default class NftList extends BaseCommand {
  static override description = 'List NFTs in the order of their ids.'
  static override examples = ['<%= config.bin %> nft list', '<%= config.bin %> nft list --owner alice@bank --json']
  static override flags = {
    owner: Flags.string({ description: 'of this account only' }),
    domain: Flags.string({ description: 'of this domain only' }),
    ...pageFlags,
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(NftList)
    const filter = { owner: flags.owner, domain: flags.domain }
    const found = await listItems(await this.settings(flags), ({ nfts }) => nfts.nfts, flags.limit, filter)
    const rows = found.items.map((one) => [textOf(one.id) ?? '', textOf(one.owned_by) ?? ''])
    this.out.result(found, table(['NFT', 'OWNER'], rows))
  }
}
