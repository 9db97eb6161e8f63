import { Args, Flags } from '@oclif/core'
import { writeFlags } from '../../../src/cli/command/flags.js'
import { withGateway } from '../../../src/cli/gateway/gateway.js'
import { accountFlag } from '../../../src/cli/input/texts.js'
import { LedgerCommand } from '../../../src/cli/ledger/command.js'

export default class IsoBindIban extends LedgerCommand {
  static override description = `Bind an IBAN to an account, so that payments to and from it can be booked.
The key must own the home domain of the account. A bound IBAN is refused unless --replace is given.`
  static override examples = [
    '<%= config.bin %> iso bind iban BE24290035852938 --account alice@bank --key-file admin.json',
  ]
  static override args = { iban: Args.string({ description: 'IBAN', required: true, ignoreStdin: true }) }
  static override flags = {
    account: accountFlag({ description: 'address or alias of the account', required: true }),
    replace: Flags.boolean({ description: 'unbind it first from its current account' }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(IsoBindIban)
    const { bindIban, ibanOf, withReplaceHint } = await import('../../../src/cli/iso/bind.js')
    const iban = ibanOf(args.iban)
    await withReplaceHint(
      this.send(flags, async ({ account, read }) => bindIban(read, iban, await account(flags.account), flags.replace)),
      `IBAN ${iban}`,
      async () =>
        withGateway(await this.settings(flags), async (client) => {
          const { resolveAccount } = await import('../../../src/cli/transaction/resolve.js')
          return `account ${await resolveAccount(client, `iban:${iban}`)}`
        }),
    )
  }
}
