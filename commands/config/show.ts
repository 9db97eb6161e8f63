import { Args } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { table } from '../../src/cli/terminal/output.js'

export default class ConfigShow extends BaseCommand {
  static override description = 'Show every key of a node configuration with its value and its source.'
  static override examples = ['<%= config.bin %> config show node.toml']
  static override args = {
    file: Args.string({ description: 'configuration', default: 'node.toml', ignoreStdin: true }),
  }

  async run(): Promise<void> {
    const { args } = await this.parse(ConfigShow)
    const { explainNodeKey, loadNodeConfig, NODE_KEYS } = await import('../../src/node/config/index.js')
    await loadNodeConfig(args.file)
    const views = []
    for (const def of NODE_KEYS) {
      const view = await explainNodeKey(def.path.join('.'), args.file)
      if (view !== undefined) views.push(view)
    }
    const shown = views.map(({ key, value, source }) => ({ key, value: value ?? null, source }))
    const rows = shown.map((one) => [one.key, one.value === null ? '' : JSON.stringify(one.value), one.source])
    this.out.result({ file: args.file, keys: shown }, table(['KEY', 'VALUE', 'SOURCE'], rows))
  }
}
