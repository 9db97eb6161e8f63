import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { counted } from '../../src/cli/terminal/output.js'
import { LedgerError } from '../../src/model/errors.js'

export default class TopologyRemove extends BaseCommand {
  static override description = `Remove a peer from a topology file, before genesis is signed.
Remove a peer from a running network with \`causeway peer unregister\`.`
  static override examples = [
    '<%= config.bin %> topology remove bank-d',
    '<%= config.bin %> topology remove ea0130a1... --file topology.json',
  ]
  static override args = {
    peer: Args.string({ description: 'name or public key of the peer', required: true, ignoreStdin: true }),
  }
  static override flags = { file: Flags.string({ description: 'topology file', default: 'topology.json' }) }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(TopologyRemove)
    const { changeEntries } = await import('../../src/cli/setup/topology-file.js')
    const wanted = args.peer.toLowerCase()
    const rest = await changeEntries(flags.file, (entries) => {
      const others = entries.filter(({ name, key }) => name !== args.peer && String(key).toLowerCase() !== wanted)
      if (others.length < entries.length) return others
      throw new LedgerError('topology_invalid', `${flags.file}: no peer has the name or key ${args.peer}`, {
        hint: `Peers: ${entries.map(({ name }) => String(name)).join(', ') || 'none'}.`,
      })
    })
    this.out.result(
      { removed: args.peer, peers: rest.length },
      `${flags.file}: removed ${args.peer}, ${counted(rest.length, 'peer')}`,
    )
  }
}
