import { Args } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { accountFlag } from '../../src/cli/input/texts.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { objectOf } from '../../src/cli/ledger/forms.js'
import { instructions as permissions } from '../../src/features/permissions/schema.js'

export default class LedgerSetOwner extends LedgerCommand {
  static override description = 'Transfer a domain, an asset definition or an NFT to another account.'
  static override examples = [
    '<%= config.bin %> ledger set-owner shop --to bob@bank --key-file alice.json',
    '<%= config.bin %> ledger set-owner usd#bank --to treasury@bank',
  ]
  static override args = {
    object: Args.string({ description: 'domain, name#domain or name$domain', required: true, ignoreStdin: true }),
  }
  static override flags = {
    to: accountFlag({ description: 'new owner', required: true }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(LedgerSetOwner)
    await this.send(flags, async (drafting) => [
      drafting.read(permissions.transferOwnership, {
        object: await objectOf(args.object, drafting),
        to: await drafting.account(flags.to),
      }),
    ])
  }
}
