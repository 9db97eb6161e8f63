import { BaseCommand } from '../../../src/cli/command/base-command.js'
import { latestOf } from '../../../src/cli/lane/command.js'
import { dataspacesText } from '../../../src/cli/lane/dataspace.js'
import { lifecycleOf } from '../../../src/cli/lane/lane.js'

export default class LaneDataspaceList extends BaseCommand {
  static override description = 'List the dataspaces as of the last change, with the lanes that are bound to them.'
  static override examples = ['<%= config.bin %> lane dataspace list', '<%= config.bin %> lane dataspace list --json']

  async run(): Promise<void> {
    const { flags } = await this.parse(LaneDataspaceList)
    const latest = latestOf(await lifecycleOf(await this.settings(flags)))
    this.out.result(latest.dataspaces ?? [], dataspacesText(latest))
  }
}
