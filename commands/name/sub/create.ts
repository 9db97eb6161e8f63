import { Flags } from '@oclif/core'
import { writeFlags } from '../../../src/cli/command/flags.js'
import { accountFlag } from '../../../src/cli/input/texts.js'
import { LedgerCommand } from '../../../src/cli/ledger/command.js'
import { nameArg, nameOf } from '../../../src/cli/names/forms.js'
import { instructions as names } from '../../../src/features/names/schema/instructions.js'
import { nameText, parentOf } from '../../../src/model/index.js'

export default class NameSubCreate extends LedgerCommand {
  static override description = 'Create a subname, as the holder of the name above it.'
  static override examples = [
    '<%= config.bin %> name sub create pay.desk@bank --account bob@bank --key-file alice.json',
    '<%= config.bin %> name sub create pay.desk@bank --owner bob@bank --expires 30d --key-file alice.json',
  ]
  static override args = nameArg
  static override flags = {
    account: accountFlag({ description: 'account that the name resolves to (default: the owner)' }),
    owner: accountFlag({ description: 'owner (default: the account of the key)' }),
    expires: Flags.string({ description: 'life, such as 30d (default: that of the name above)' }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(NameSubCreate)
    const { usageError } = await import('../../../src/cli/terminal/failure.js')
    const { parseLedgerDuration } = await import('../../../src/cli/input/duration.js')
    const name = await nameOf(args.name)
    const parent = parentOf(name)
    if (parent === undefined) throw usageError(`${args.name} is not below a name`, 'Write, for example, pay.desk@bank.')
    const label = name.label.slice(0, name.label.indexOf('.'))
    const { expires } = flags
    const expiresMs = expires === undefined ? null : Date.now() + parseLedgerDuration(expires, '--expires')
    await this.send(flags, async ({ account, read }) => [
      read(names.createSubname, {
        parent: nameText(parent),
        label,
        owner: await account(flags.owner),
        account: flags.account === undefined ? null : await account(flags.account),
        expires_ms: expiresMs,
      }),
    ])
  }
}
