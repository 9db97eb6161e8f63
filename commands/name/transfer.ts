import { Args } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { accountFlag } from '../../src/cli/input/texts.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { canonicalName } from '../../src/cli/names/forms.js'
import { instructions as names } from '../../src/features/names/schema/instructions.js'

export default class NameTransfer extends LedgerCommand {
  static override description = `Transfer names to another owner.
Each resolves to its new owner from then on; its manager and its records are removed.`
  static override examples = [
    '<%= config.bin %> name transfer desk@bank --to bob@bank --key-file alice.json',
    '<%= config.bin %> name transfer desk@bank de-sk@bank --to bob@bank --key-file alice.json',
  ]
  static override strict = false
  static override args = {
    name: Args.string({ description: 'names, as path@domain; at most 8', required: true, ignoreStdin: true }),
  }
  static override flags = {
    to: accountFlag({ description: 'new owner: address or alias', required: true }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(NameTransfer)
    const list = await Promise.all(argv.map((text) => canonicalName(String(text))))
    await this.send(flags, async ({ account, read }) => [
      read(names.transferName, { names: list, to: await account(flags.to) }),
    ])
  }
}
