import { Args } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'

export default class ConfigCheck extends BaseCommand {
  static override description =
    `Check a node configuration and print all faults, with their lines and, for unknown keys, a suggestion.
Environment variables CAUSEWAY_NODE__SECTION__KEY are included, as for the node. Exits 3 if there is a fault.`
  static override examples = ['<%= config.bin %> config check node.toml']
  static override args = {
    file: Args.string({ description: 'configuration', default: 'node.toml', ignoreStdin: true }),
  }

  async run(): Promise<void> {
    const { args } = await this.parse(ConfigCheck)
    const { loadNodeConfig } = await import('../../src/node/config/index.js')
    const { genesis, dataDir } = await loadNodeConfig(args.file)
    this.out.result(
      { file: args.file, valid: true, genesis_hash: genesis.hash, data_dir: dataDir },
      `${args.file}: valid`,
    )
  }
}
