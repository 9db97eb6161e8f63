import { Flags } from '@oclif/core'
import { ListCommand } from '../../../src/cli/command/list-command.js'
import { textOf, type View } from '../../../src/cli/gateway/gateway.js'
import { pageFlags } from '../../../src/cli/gateway/pages.js'
import { accountFlag, assetFlag } from '../../../src/cli/input/texts.js'
import { isoTime } from '../../../src/cli/text/figures.js'

export default class LedgerTxList extends ListCommand {
  static override description = `List committed transactions, newest first, optionally filtered.
One transaction: \`tx get\`; movements of an account: \`ledger statement\`.`
  static override examples = [
    '<%= config.bin %> ledger tx list --limit 20',
    '<%= config.bin %> ledger tx list --account alice@bank --outcome rejected',
    '<%= config.bin %> ledger tx list --asset eur#bank --kind Transfer --all --json',
  ]
  static override flags = {
    account: accountFlag({ description: 'signed by this account, address or alias' }),
    kind: Flags.string({ description: 'with an instruction of this kind, such as Transfer' }),
    asset: assetFlag({ description: 'with a movement of this asset, name#domain' }),
    outcome: Flags.option({ options: ['approved', 'rejected'] as const, description: 'with this outcome' })(),
    ...pageFlags,
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(LedgerTxList)
    const { account: authority, kind, asset: definition, outcome } = flags
    const columns = {
      HEIGHT: 'height',
      TIME: ({ time_ms: timeMs }: View) => isoTime(timeMs),
      HASH: 'hash',
      OUTCOME: ({ rejection }: View) => (rejection === null ? 'approved' : `rejected [${textOf(rejection)}]`),
      SIGNER: 'authority',
    }
    const query = { authority, kind, definition, outcome }
    await this.list(flags, ({ explorer }) => explorer.transactions, columns, { query })
  }
}
