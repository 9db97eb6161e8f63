import { resolve } from 'node:path'
import { Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { nodeConfigFlags, nodeConfigPath } from '../../src/cli/command/flags.js'

export default class NodeRestore extends BaseCommand {
  static override description = `Restore a backup into the data directory, which must be absent or empty.
The node then syncs missing blocks. A validator abstains at first, since earlier votes may be lost.`
  static override examples = ['<%= config.bin %> node restore --config node.toml --backup /backup/node-1']
  static override flags = {
    ...nodeConfigFlags,
    backup: Flags.string({
      aliases: ['from'],
      deprecateAliases: true,
      description: 'folder of the backup',
      required: true,
      helpValue: 'DIR',
    }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(NodeRestore)
    const { loadNodeConfig } = await import('../../src/node/config/index.js')
    const { restoreBackup } = await import('../../src/node/offline/backup.js')
    const config = await loadNodeConfig(nodeConfigPath(flags))
    const from = resolve(flags.backup)
    await this.withBar('copying', 'bytes', (report) =>
      restoreBackup(from, config.dataDir, (done, total) => report({ done, total })),
    )
    this.out.result({ data_dir: config.dataDir, backup: from }, `${from} copied to ${config.dataDir}`)
  }
}
