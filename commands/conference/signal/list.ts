import { Flags } from '@oclif/core'
import { ListCommand } from '../../../src/cli/command/list-command.js'
import { callArg } from '../../../src/cli/conference/forms.js'
import { pageFlags } from '../../../src/cli/gateway/pages.js'

export default class ConferenceSignalList extends ListCommand {
  static override description = 'List the signals of a call in their order; binary bodies are shown by their size.'
  static override examples = ['<%= config.bin %> conference signal list bank:standup --kind chat']
  static override args = callArg
  static override flags = {
    kind: Flags.string({ description: 'only signals of this kind' }),
    'after-ms': Flags.integer({ description: 'only signals after this time, ms since the Unix epoch', min: 0 }),
    ...pageFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ConferenceSignalList)
    const texts = { params: { id: args.call }, query: { kind: flags.kind, after_ms: flags['after-ms'] } }
    const columns = { AT: 'at_ms', KIND: 'kind', FROM: 'from', BODY: 'body' }
    await this.list(flags, ({ conference }) => conference.signals, columns, texts)
  }
}
