import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { explainSettings } from '../../src/cli/settings/explain.js'
import { usageError } from '../../src/cli/terminal/failure.js'
import { pairs, table } from '../../src/cli/terminal/output.js'

export default class ConfigExplain extends BaseCommand {
  static override description = `Show the value of a setting and its source.
gateway, timeout, key_file and signer_command are settings of the commands: flag, variable, project file, profile, local network or
default. Any other key belongs to the node configuration: file, variable or default. Without a key: all settings of the commands.`
  static override examples = [
    '<%= config.bin %> config explain gateway',
    '<%= config.bin %> config explain gateway.listen --config node.toml',
    '<%= config.bin %> config explain',
  ]
  static override args = { key: Args.string({ description: 'setting', ignoreStdin: true }) }
  static override flags = {
    config: Flags.string({
      char: 'c',
      description: 'configuration of a node (TOML), for its keys',
      default: 'node.toml',
      helpValue: 'FILE',
    }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ConfigExplain)
    const settings = await explainSettings(flags)
    if (args.key === undefined) {
      const rows = settings.map((one) => [one.key, one.value ?? '(none)', one.source])
      return this.out.result({ settings }, table(['KEY', 'VALUE', 'SOURCE'], rows))
    }
    const own = settings.find((one) => one.key === args.key)
    if (own !== undefined) {
      return this.out.result(
        own,
        pairs([
          ['value', own.value ?? '(none)'],
          ['source', own.source],
        ]),
      )
    }
    const { explainNodeKey, nearest, NODE_KEYS } = await import('../../src/node/config/index.js')
    const view = await explainNodeKey(args.key, flags.config)
    if (view === undefined) {
      const known = [...settings.map((one) => one.key), ...NODE_KEYS.map((def) => def.path.join('.'))]
      const guess = nearest(args.key, known)
      throw usageError(`unknown setting ${args.key}`, guess === undefined ? undefined : `Did you mean ${guess}?`)
    }
    this.out.result(
      view,
      pairs([
        ['key', view.key],
        ['value', JSON.stringify(view.value) ?? '(absent)'],
        ['source', view.source],
        ['default', view.default === undefined ? undefined : JSON.stringify(view.default)],
        ['variable', view.variable],
        ['meaning', view.doc],
      ]),
    )
  }
}
