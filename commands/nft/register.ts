import { Args, Flags } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { metadataOf } from '../../src/cli/ledger/forms.js'
import { instructions as nfts } from '../../src/features/nfts/schema.js'

export default class NftRegister extends LedgerCommand {
  static override description =
    'Register an NFT in a domain and own it, as the owner of the domain or a holder of CanRegisterNft.'
  static override examples = ['<%= config.bin %> nft register deed$bank --meta parcel=17 --key-file admin.json']
  static override args = {
    nft: Args.string({ description: 'NFT name$domain', required: true, ignoreStdin: true }),
  }
  static override flags = {
    meta: Flags.string({ description: 'metadata key=value; may be repeated', multiple: true, helpValue: 'KEY=VALUE' }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(NftRegister)
    await this.send(flags, ({ read }) => [read(nfts.registerNft, { id: args.nft, content: metadataOf(flags.meta) })])
  }
}
