import { BaseCommand } from '../../src/cli/command/base-command.js'
import { askGateway, textOf, viewsOf } from '../../src/cli/gateway/gateway.js'
import { pairs } from '../../src/cli/terminal/output.js'

export default class RuntimeAbi extends BaseCommand {
  static override description = `Show the active ABI of the network: number, hash, features,
and the ABIs that the release of this node supports.`
  static override examples = ['<%= config.bin %> runtime abi', '<%= config.bin %> runtime abi --json']

  async run(): Promise<void> {
    const { flags } = await this.parse(RuntimeAbi)
    const settings = await this.settings(flags)
    const found = await askGateway(settings, ({ upgrades }) => upgrades.abi)
    const features = viewsOf(found.features)
    const text = pairs([
      ['abi', textOf(found.abi_version) ?? ''],
      ['hash', textOf(found.abi_hash) ?? ''],
      ['supported ABIs', ((found.supported_abis ?? []) as readonly number[]).join(', ')],
      ...features.map((one) => [`feature ${textOf(one.name)}`, textOf(one.hash) ?? ''] as const),
    ])
    this.out.result(found, text)
  }
}
