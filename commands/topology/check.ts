import { Args } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { counted } from '../../src/cli/terminal/output.js'

export default class TopologyCheck extends BaseCommand {
  static override description =
    `Check a topology file: keys, proofs of possession, addresses, duplicates, number of validators.
Prints all faults.`
  static override examples = ['<%= config.bin %> topology check topology.json']
  static override args = {
    file: Args.string({ description: 'topology file', default: 'topology.json', ignoreStdin: true }),
  }

  async run(): Promise<void> {
    const { args } = await this.parse(TopologyCheck)
    const { quorumRow, readTopology, sizeAdvice } = await import('../../src/node/genesis/index.js')
    const peers = await readTopology(args.file)
    const row = quorumRow(peers.filter((one) => one.peer.role === 'validator').length)
    const advice = sizeAdvice(row.validators)
    const text = `${args.file}: ${counted(row.validators, 'validator')}, quorum ${row.quorum}, survives ${row.faults} faulty`
    this.out.result({ file: args.file, ...row, advice }, text)
    if (advice !== undefined) this.out.note(`note: ${advice}`)
  }
}
