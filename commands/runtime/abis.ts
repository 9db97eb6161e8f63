import { BaseCommand } from '../../src/cli/command/base-command.js'
import { askGateway, textOf, viewsOf } from '../../src/cli/gateway/gateway.js'
import { pairs } from '../../src/cli/terminal/output.js'

export default class RuntimeAbis extends BaseCommand {
  static override description = `List the ABIs that the release of this node supports, with their hashes.
An upgrade proposal gives both.`
  static override examples = ['<%= config.bin %> runtime abis', '<%= config.bin %> runtime abis --json']

  async run(): Promise<void> {
    const { flags } = await this.parse(RuntimeAbis)
    const settings = await this.settings(flags)
    const found = await askGateway(settings, ({ upgrades }) => upgrades.abis)
    const items = viewsOf(found.items)
    this.out.result(found, pairs(items.map((one) => [`ABI ${textOf(one.abi_version)}`, textOf(one.abi_hash) ?? ''])))
  }
}
