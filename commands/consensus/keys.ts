import { Flags } from '@oclif/core'
import { ReadCommand } from '../../src/cli/command/read-command.js'

export default class ConsensusKeys extends ReadCommand {
  static override description = `Show the consensus keys in effect.
With --all every key ever used, with its status and its heights; with --by-peer one line per peer.`
  static override examples = ['<%= config.bin %> consensus keys', '<%= config.bin %> consensus keys --all --json']
  static override flags = {
    all: Flags.boolean({ description: 'include retired and pending keys', exclusive: ['by-peer'] }),
    'by-peer': Flags.boolean({ description: 'the active key of each peer' }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(ConsensusKeys)
    const name = flags.all ? 'keyLifecycle' : flags['by-peer'] ? 'blsKeys' : 'consensusKeys'
    await this.show(flags, ({ peers }) => peers[name])
  }
}
