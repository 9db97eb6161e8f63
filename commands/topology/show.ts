import { Args } from '@oclif/core'
import { shortId } from '../../src/base/ids.js'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { table } from '../../src/cli/terminal/output.js'

/** Sizes that the quorum table shows. */
const TABLE_SIZES = [1, 2, 3, 4, 5, 6, 7, 10]

export default class TopologyShow extends BaseCommand {
  static override description = 'Show the peers of a topology and the quorum table.'
  static override examples = ['<%= config.bin %> topology show topology.json', '<%= config.bin %> topology show --json']
  static override args = {
    file: Args.string({ description: 'topology file', default: 'topology.json', ignoreStdin: true }),
  }

  async run(): Promise<void> {
    const { args } = await this.parse(TopologyShow)
    const { entryOf, quorumRow, readTopology } = await import('../../src/node/genesis/index.js')
    const peers = (await readTopology(args.file)).map(entryOf)
    const own = quorumRow(peers.filter((one) => one.role === 'Validator').length)
    const sizes = [...new Set([...TABLE_SIZES, own.validators])].sort((a, b) => a - b).map(quorumRow)
    const text = [
      table(
        ['NAME', 'ROLE', 'KEY', 'NETWORK KEY', 'ADDRESSES'],
        peers.map((one) => [one.name, one.role, shortId(one.key), shortId(one.network_key), one.addresses.join(' ')]),
      ),
      '',
      table(
        ['VALIDATORS', 'SURVIVES', 'COMMITTEE', 'QUORUM', 'STANDBY'],
        sizes.map((row) => [
          `${row.validators}${row.validators === own.validators ? ' <- this topology' : ''}`,
          String(row.faults),
          String(row.committee),
          String(row.quorum),
          String(row.spare),
        ]),
      ),
      '4, 7, 10 are the useful sizes; 5 and 6 add spares, not tolerance; with 2 or 3 any failure stops the network.',
    ].join('\n')
    this.out.result({ peers, quorum: own }, text)
  }
}
