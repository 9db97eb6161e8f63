import { Args } from '@oclif/core'
import { writeFlags } from '../../../src/cli/command/flags.js'
import { LaneCommand } from '../../../src/cli/lane/command.js'
import { dataspacesOf, placeOf, setDataspaces } from '../../../src/cli/lane/dataspace.js'
import { dataspaceOf } from '../../../src/cli/lane/lane.js'

export default class LaneDataspaceRemove extends LaneCommand {
  static override description = `Remove a dataspace without domains, active lanes and rules.
The key must hold CanManageLanes. Permissions to use it are removed with it.`
  static override examples = ['<%= config.bin %> lane dataspace remove 7 --key-file admin.json']
  static override args = {
    dataspace: Args.string({ description: 'number of the dataspace', required: true, ignoreStdin: true }),
  }
  static override flags = { ...writeFlags }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(LaneDataspaceRemove)
    const id = dataspaceOf(args.dataspace)
    await this.change(flags, (latest, { read }) => {
      const all = dataspacesOf(latest)
      return setDataspaces(read, all.toSpliced(placeOf(all, id), 1))
    })
  }
}
