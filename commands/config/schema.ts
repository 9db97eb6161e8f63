import { BaseCommand } from '../../src/cli/command/base-command.js'

export default class ConfigSchema extends BaseCommand {
  static override description =
    'Print the JSON Schema of the node configuration, for editors that complete and check TOML.'
  static override examples = ['<%= config.bin %> config schema > node.schema.json']

  async run(): Promise<void> {
    await this.parse(ConfigSchema)
    const { nodeConfigJsonSchema } = await import('../../src/node/config/index.js')
    const schema = nodeConfigJsonSchema()
    this.out.result(schema, JSON.stringify(schema, null, 2))
  }
}
