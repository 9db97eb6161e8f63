import { Args } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { accountFlag } from '../../src/cli/input/texts.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { instructions as permissions } from '../../src/features/permissions/schema.js'

export default class NftTransfer extends LedgerCommand {
  static override description = 'Transfer an NFT to another account.'
  static override examples = ['<%= config.bin %> nft transfer deed$bank --to bob@bank --key-file alice.json']
  static override args = {
    nft: Args.string({ description: 'NFT name$domain', required: true, ignoreStdin: true }),
  }
  static override flags = {
    to: accountFlag({ description: 'new owner', required: true }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(NftTransfer)
    await this.send(flags, async ({ account, read }) => [
      read(permissions.transferOwnership, { object: { Nft: args.nft }, to: await account(flags.to) }),
    ])
  }
}
