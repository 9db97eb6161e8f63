import { Flags } from '@oclif/core'
import { ListCommand } from '../../src/cli/command/list-command.js'
import { pageFlags } from '../../src/cli/gateway/pages.js'

export default class ConferenceList extends ListCommand {
  static override description = 'List calls in the order of their ids.'
  static override examples = [
    '<%= config.bin %> conference list',
    '<%= config.bin %> conference list --domain bank --status active',
  ]
  static override flags = {
    domain: Flags.string({ description: 'only calls of this domain' }),
    status: Flags.option({ options: ['active', 'ended'] as const, description: 'only calls with this status' })(),
    ...pageFlags,
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(ConferenceList)
    const { domain, status } = flags
    const columns = {
      CALL: 'id',
      HOST: 'call.host',
      MODE: 'call.privacy_mode',
      STATUS: 'call.status',
      MEMBERS: 'call.member_count',
    }
    await this.list(flags, ({ conference }) => conference.calls, columns, { query: { domain, status } })
  }
}
