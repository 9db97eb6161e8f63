import { Args } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { LaneCommand } from '../../src/cli/lane/command.js'
import { dataspaceOf, laneFlags, laneOf, updateLanes } from '../../src/cli/lane/lane.js'

const STORAGE = { 'full-replica': 'FullReplica', 'commitment-only': 'CommitmentOnly', 'split-replica': 'SplitReplica' }

export default class LaneCreate extends LaneCommand {
  static override description =
    `Add a lane; it takes effect two heights later, and receives transactions once a rule names it.
The key must hold CanManageLanes. The number of a retired lane cannot be used again.`
  static override examples = [
    '<%= config.bin %> lane create 3 --alias settlement --settles usd#cash --key-file admin.json',
    '<%= config.bin %> lane create 4 --alias bulk --capacity 20000 --key-file admin.json',
  ]
  static override args = { lane: Args.string({ description: 'number, 0 to 999', required: true, ignoreStdin: true }) }
  static override flags = { ...laneFlags, ...writeFlags }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(LaneCreate)
    const lane = {
      id: laneOf(args.lane),
      dataspace: dataspaceOf(flags.dataspace, '--dataspace'),
      alias: flags.alias,
      visibility: flags.restricted ? 'Restricted' : 'Public',
      storage: STORAGE[flags.storage],
      proof_scheme: 'MerkleBlake3',
      settlement: flags.settles ?? [],
      teu_capacity: flags.capacity,
      metadata: {},
    }
    await this.change(flags, (_latest, { read }) => updateLanes(read, { add: [lane] }))
  }
}
