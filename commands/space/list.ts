import { Flags } from '@oclif/core'
import { ListCommand } from '../../src/cli/command/list-command.js'
import { pageFlags } from '../../src/cli/gateway/pages.js'
import { accountFlag } from '../../src/cli/input/texts.js'

export default class SpaceList extends ListCommand {
  static override description = 'List manifests of guests, by dataspace and account.'
  static override examples = [
    '<%= config.bin %> space list',
    '<%= config.bin %> space list --dataspace 7 --status active',
    '<%= config.bin %> space list --account alice@bank --json',
  ]
  static override flags = {
    dataspace: Flags.string({ description: 'only manifests of this dataspace' }),
    account: accountFlag({ description: 'only manifests of this guest: address or alias' }),
    status: Flags.option({
      options: ['pending', 'active', 'expired', 'revoked'] as const,
      description: 'only manifests with this status',
    })(),
    ...pageFlags,
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(SpaceList)
    const { dataspace, account, status } = flags
    const columns = {
      DATASPACE: 'dataspace',
      ACCOUNT: 'account',
      STATUS: 'status',
      VERSION: 'version',
      FROM: 'active_from_ms',
      EXPIRES: 'expires_ms',
    }
    await this.list(flags, ({ spaces }) => spaces.manifests, columns, { query: { dataspace, account, status } })
  }
}
