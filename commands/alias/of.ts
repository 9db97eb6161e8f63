import { ListCommand } from '../../src/cli/command/list-command.js'
import { pageFlags } from '../../src/cli/gateway/pages.js'
import { accountArg } from '../../src/cli/input/texts.js'

export default class AliasOf extends ListCommand {
  static override description = `List the names of an account.
With the key of the account given by --key-file, its IBANs are listed too.`
  static override examples = [
    '<%= config.bin %> alias of bob@bank',
    '<%= config.bin %> alias of alice@bank --key-file alice.json',
  ]
  static override args = {
    account: accountArg({ description: 'address or alias', required: true, ignoreStdin: true }),
  }
  static override flags = { ...pageFlags }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(AliasOf)
    const columns = { ALIAS: 'alias', KIND: 'kind', STANDING: 'standing', EXPIRES: 'expires_ms' }
    await this.list(flags, ({ names }) => names.aliasesByAccount, columns, { params: { id: args.account } }, true)
  }
}
