import { Args } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'

export default class ConfigValidate extends BaseCommand {
  static override description =
    `Check a node configuration: every fault at once, with its line and, for unknown keys, what may be meant.
Environment variables CAUSEWAY_NODE__SECTION__KEY count, as they do for the node. Exits 3 when there is a fault.`
  static override examples = ['<%= config.bin %> config validate node.toml']
  static override args = {
    file: Args.string({ description: 'configuration', default: 'node.toml', ignoreStdin: true }),
  }

  async run(): Promise<void> {
    const { args } = await this.parse(ConfigValidate)
    const { loadNodeConfig } = await import('../../src/node/config/index.js')
    const { genesis, dataDir } = await loadNodeConfig(args.file)
    this.out.result(
      { file: args.file, valid: true, genesis_hash: genesis.hash, data_dir: dataDir },
      `${args.file}: valid`,
    )
  }
}
