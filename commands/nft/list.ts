import { Flags } from '@oclif/core'
import { ListCommand } from '../../src/cli/command/list-command.js'
import { pageFlags } from '../../src/cli/gateway/pages.js'
import { accountFlag } from '../../src/cli/input/texts.js'

export default class NftList extends ListCommand {
  static override description = 'List NFTs in the order of their ids.'
  static override examples = ['<%= config.bin %> nft list', '<%= config.bin %> nft list --owner alice@bank --json']
  static override flags = {
    owner: accountFlag({ description: 'only NFTs of this account' }),
    domain: Flags.string({ description: 'only NFTs of this domain' }),
    ...pageFlags,
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(NftList)
    const { owner, domain } = flags
    await this.list(flags, ({ nfts }) => nfts.nfts, { NFT: 'id', OWNER: 'owned_by' }, { query: { owner, domain } })
  }
}
