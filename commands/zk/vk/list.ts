import { Flags } from '@oclif/core'
import { ListCommand } from '../../../src/cli/command/list-command.js'
import { pageFlags } from '../../../src/cli/gateway/pages.js'

export default class ZkVkList extends ListCommand {
  static override description = 'List verifying keys in the order of their ids.'
  static override examples = ['<%= config.bin %> zk vk list', '<%= config.bin %> zk vk list --status active --json']
  static override flags = {
    backend: Flags.string({ description: 'only keys of this backend' }),
    status: Flags.option({
      options: ['proposed', 'active', 'withdrawn'] as const,
      description: 'only keys with this status',
    })(),
    ...pageFlags,
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(ZkVkList)
    const { backend, status } = flags
    const columns = {
      BACKEND: 'id.backend',
      NAME: 'id.name',
      CIRCUIT: 'key.circuit_id',
      VERSION: 'key.version',
      STATUS: 'key.status',
      VERIFIES: 'verifies',
    }
    await this.list(flags, ({ zk }) => zk.verifyingKeys, columns, { query: { backend, status } })
  }
}
