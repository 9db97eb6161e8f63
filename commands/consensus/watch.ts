import { WatchCommand } from '../../src/cli/watch/base.js'
import { watchFlags } from '../../src/cli/watch/command.js'

export default class ConsensusWatch extends WatchCommand {
  static override description = 'Same as `causeway watch`.'
  static override examples = ['<%= config.bin %> consensus watch --once']
  static override flags = watchFlags

  async run(): Promise<void> {
    const { flags } = await this.parse(ConsensusWatch)
    await this.watch(flags)
  }
}
