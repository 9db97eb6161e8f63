import { Flags } from '@oclif/core'
import { sleep } from '../../src/base/sleep.js'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { getView, withStreams } from '../../src/cli/gateway/gateway.js'
import { proposalArg } from '../../src/cli/gov/forms.js'
import { changeLine, statusText } from '../../src/cli/gov/show.js'
import { INTERRUPTED, interruptible } from '../../src/cli/terminal/interrupt.js'
import { leaveWithReader } from '../../src/cli/terminal/standard-output.js'
import type { Json } from '../../src/codec/index.js'

/** Delay between two polls of a proposal, in ms. */
const LOOK_MS = 500

export default class GovWatch extends BaseCommand {
  static override description = 'Print each change of a proposal, one line each, NDJSON with --json.'
  static override examples = ['<%= config.bin %> gov watch 1', '<%= config.bin %> gov watch 1 --until enacted']
  static override args = proposalArg
  static override flags = {
    until: Flags.option({
      options: ['voting', 'approved', 'enacted', 'rejected', 'withdrawn', 'cancelled', 'expired', 'failed'] as const,
      description: 'exit once it has this status',
    })(),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(GovWatch)
    const settings = await this.settings(flags)
    leaveWithReader()
    const params = { id: String(args.proposal) }
    const exit = await withStreams(settings, (client) =>
      interruptible(async (signal) => {
        for (let shown = ''; !signal.aborted; ) {
          const view = await getView(client, ({ gov }) => gov.proposal, { params })
          const line = changeLine(view)
          if (line !== shown) this.out.line(view as Json, line)
          shown = line
          if (statusText(view) === flags.until) return 0
          await sleep(LOOK_MS, { signal })
        }
        return INTERRUPTED
      }),
    )
    this.exitWith(exit)
  }
}
