import { Args } from '@oclif/core'
import { BaseCommand } from '../../src/cli/base-command.js'
import { usageError } from '../../src/cli/failure.js'
import { writeFlags } from '../../src/cli/flags.js'
import { changeLanes, laneFlags, laneOf, updateTwin } from '../../src/cli/lane.js'

const STORAGE = { 'full-replica': 'FullReplica', 'commitment-only': 'CommitmentOnly', 'split-replica': 'SplitReplica' }

export default class LaneAdd extends BaseCommand {
  static override description = `Add a lane; it acts two heights on, and takes transactions once a rule names it.
The key must hold CanManageLanes. A number is used once: that of a retired lane is gone.`
  static override examples = [
    '<%= config.bin %> lane add 3 --alias settlement --settles usd#cash --key-file admin.json',
    '<%= config.bin %> lane add 4 --alias bulk --capacity 20000 --key-file admin.json',
  ]
  static override args = { lane: Args.string({ description: 'number, 0 to 999', required: true, ignoreStdin: true }) }
  static override flags = { ...laneFlags, ...writeFlags }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(LaneAdd)
    if (!/^\d{1,20}$/.test(flags.dataspace)) throw usageError('--dataspace: expected the number of a dataspace')
    const lane = {
      id: laneOf(args.lane),
      dataspace: flags.dataspace,
      alias: flags.alias,
      visibility: flags.restricted ? 'Restricted' : 'Public',
      storage: STORAGE[flags.storage],
      proof_scheme: 'MerkleBlake3',
      settlement: flags.settles ?? [],
      teu_capacity: flags.capacity,
      metadata: {},
    }
    const settings = await this.settings(flags)
    const context = { settings, out: this.out, silent: this.silent, wait: flags.wait, dryRun: flags['dry-run'] }
    await changeLanes(context, updateTwin({ add: [lane] }))
  }
}
