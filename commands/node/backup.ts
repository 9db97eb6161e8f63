import { resolve } from 'node:path'
import { Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { nodeConfigFlags, nodeConfigPath } from '../../src/cli/command/flags.js'

export default class NodeBackup extends BaseCommand {
  static override description = `Copy the data directory of a stopped node.
The vote log is never part of a backup: a node restored with old votes could contradict its later ones. Keys and
configuration are not in the data directory; back them up separately.`
  static override examples = ['<%= config.bin %> node backup --config node.toml --out /backup/node-1']
  static override flags = {
    ...nodeConfigFlags,
    out: Flags.string({ description: 'folder of the backup, absent or empty', required: true, helpValue: 'DIR' }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(NodeBackup)
    const { loadNodeConfig } = await import('../../src/node/config/index.js')
    const { withDataDir } = await import('../../src/node/offline/offline.js')
    const { backUp } = await import('../../src/node/offline/backup.js')
    const config = await loadNodeConfig(nodeConfigPath(flags))
    const out = resolve(flags.out)
    await this.withBar('copying', 'bytes', (report) =>
      withDataDir(config, undefined, ({ folder }) => backUp(folder, out, (done, total) => report({ done, total }))),
    )
    this.out.result(
      { data_dir: config.dataDir, backup: out },
      `${config.dataDir} copied to ${out}, without its vote log`,
    )
  }
}
