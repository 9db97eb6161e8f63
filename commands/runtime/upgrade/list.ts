import { BaseCommand } from '../../../src/cli/command/base-command.js'
import { askGateway, textOf, viewOf, viewsOf } from '../../../src/cli/gateway/gateway.js'

export default class RuntimeUpgradeList extends BaseCommand {
  static override description = 'List the upgrades of the network with their windows and status.'
  static override examples = ['<%= config.bin %> runtime upgrade list']

  async run(): Promise<void> {
    const { flags } = await this.parse(RuntimeUpgradeList)
    const settings = await this.settings(flags)
    const found = await askGateway(settings, ({ upgrades }) => upgrades.upgrades)
    const lines = viewsOf(found.items).map((one) => {
      const manifest = viewOf(one.manifest)
      const window = `${textOf(manifest.start_height)} to below ${textOf(manifest.end_height)}`
      return `${textOf(one.id)}  ABI ${textOf(manifest.abi_version)}  ${textOf(one.status)}  window ${window}  ${textOf(manifest.name)}`
    })
    this.out.result(found, lines.length === 0 ? 'no upgrades' : lines.join('\n'))
  }
}
