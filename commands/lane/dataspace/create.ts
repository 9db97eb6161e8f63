import { Args, Flags } from '@oclif/core'
import { writeFlags } from '../../../src/cli/command/flags.js'
import { LaneCommand } from '../../../src/cli/lane/command.js'
import { dataspaceFields, dataspaceFlags, dataspacesOf, setDataspaces } from '../../../src/cli/lane/dataspace.js'
import { dataspaceOf } from '../../../src/cli/lane/lane.js'

export default class LaneDataspaceCreate extends LaneCommand {
  static override description =
    `Add a dataspace; it takes effect two heights later, and can have domains once one of its lanes is active.
The key must hold CanManageLanes.`
  static override examples = [
    '<%= config.bin %> lane dataspace create 7 --alias securities --restricted --key-file admin.json',
  ]
  static override args = {
    dataspace: Args.string({ description: 'number of the dataspace', required: true, ignoreStdin: true }),
  }
  static override flags = {
    alias: Flags.string({ description: 'name of the dataspace', required: true }),
    ...dataspaceFlags,
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(LaneDataspaceCreate)
    const id = dataspaceOf(args.dataspace)
    const plain = { id, fault_tolerance: 1, restricted: false, relayers: [] }
    await this.change(flags, (latest, { read }) =>
      setDataspaces(read, [...dataspacesOf(latest), { ...plain, ...dataspaceFields(flags) }]),
    )
  }
}
