import { Args, Flags } from '@oclif/core'
import { writeFlags } from '../../../src/cli/command/flags.js'
import { LaneCommand } from '../../../src/cli/lane/command.js'
import {
  dataspaceFields,
  dataspaceFlags,
  dataspacesOf,
  placeOf,
  setDataspaces,
} from '../../../src/cli/lane/dataspace.js'
import { dataspaceOf } from '../../../src/cli/lane/lane.js'
import { usageError } from '../../../src/cli/terminal/failure.js'

export default class LaneDataspaceSet extends LaneCommand {
  static override description = 'Change the alias, the access, the fault tolerance or the relayers of a dataspace.'
  static override examples = [
    '<%= config.bin %> lane dataspace set 7 --no-restricted --key-file admin.json',
    '<%= config.bin %> lane dataspace set 7 --fault-tolerance 2 --key-file admin.json',
  ]
  static override args = {
    dataspace: Args.string({ description: 'number of the dataspace', required: true, ignoreStdin: true }),
  }
  static override flags = {
    alias: Flags.string({ description: 'new name of the dataspace' }),
    ...dataspaceFlags,
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(LaneDataspaceSet)
    const id = dataspaceOf(args.dataspace)
    const fields = dataspaceFields(flags)
    if (Object.keys(fields).length === 0) throw usageError('no change is given: give at least one flag')
    await this.change(flags, (latest, { read }) => {
      const all = dataspacesOf(latest)
      const at = placeOf(all, id)
      return setDataspaces(read, all.with(at, { ...all[at], ...fields }))
    })
  }
}
