import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../../../src/cli/base-command.js'
import { writeFlags } from '../../../src/cli/flags.js'

export default class IsoBindIban extends BaseCommand {
  static override description = `Bind an IBAN to an account, so that payments to and from it can be booked.
The key must own the home domain of the account. A bound IBAN is refused unless --replace is given.`
  static override examples = [
    '<%= config.bin %> iso bind iban BE24290035852938 --account alice@bank --key-file admin.json',
  ]
  static override args = { iban: Args.string({ description: 'IBAN', required: true, ignoreStdin: true }) }
  static override flags = {
    account: Flags.string({ description: 'address or alias of the account', required: true }),
    replace: Flags.boolean({ description: 'unbind it first from the account that has it' }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(IsoBindIban)
    const { bindIban, ibanOf, withReplaceHint } = await import('../../../src/cli/iso-bind.js')
    const iban = ibanOf(args.iban)
    const settings = await this.settings(flags)
    const { resolveAccount, submitInstructions } = await import('../../../src/cli/submit.js')
    const context = { settings, out: this.out, silent: this.silent, wait: flags.wait, dryRun: flags['dry-run'] }
    await withReplaceHint(
      submitInstructions(context, async ({ client }) =>
        bindIban(iban, await resolveAccount(client, flags.account), flags.replace),
      ),
    )
  }
}
