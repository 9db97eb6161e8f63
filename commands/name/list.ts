import { Flags } from '@oclif/core'
import { ListCommand } from '../../src/cli/command/list-command.js'
import { pageFlags } from '../../src/cli/gateway/pages.js'
import { parseLedgerDuration } from '../../src/cli/input/duration.js'
import { accountFlag } from '../../src/cli/input/texts.js'
import { NAME_STANDINGS, type NameStanding } from '../../src/model/index.js'

export default class NameList extends ListCommand {
  static override description = 'List names in the order of their domains and labels.'
  static override examples = [
    '<%= config.bin %> name list --domain bank --standing grace',
    '<%= config.bin %> name list --owner alice@bank --expiring-within 30d --json',
  ]
  static override flags = {
    domain: Flags.string({ description: 'only names of this domain' }),
    owner: accountFlag({ description: 'only names of this owner: address or alias' }),
    standing: Flags.option({
      options: Object.keys(NAME_STANDINGS) as NameStanding[],
      description: 'only names of this standing',
    })(),
    'expiring-within': Flags.string({ description: 'only leases that end within this time, such as 30d' }),
    ...pageFlags,
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(NameList)
    const { domain, owner, standing, 'expiring-within': within } = flags
    const expiring = within === undefined ? undefined : Date.now() + parseLedgerDuration(within, '--expiring-within')
    const columns = {
      NAME: 'name',
      KIND: 'kind',
      STANDING: 'standing',
      OWNER: 'owner',
      ACCOUNT: 'account',
      EXPIRES: 'expires_ms',
    }
    const query = { domain, owner, standing, expiring_before_ms: expiring }
    await this.list(flags, ({ names }) => names.names, columns, { texts: { query } })
  }
}
