import { Flags } from '@oclif/core'
import { sleep } from '../../src/base/sleep.js'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { amountsOf, NO_NAMES } from '../../src/cli/gateway/directory.js'
import { getView, withStreams } from '../../src/cli/gateway/gateway.js'
import { agreementArgs, agreementId, partyFlag } from '../../src/cli/repo/forms.js'
import { changeLine, statusText } from '../../src/cli/repo/show.js'
import { INTERRUPTED, interruptible } from '../../src/cli/terminal/interrupt.js'
import { leaveWithReader } from '../../src/cli/terminal/standard-output.js'
import type { Json } from '../../src/codec/index.js'

/** Delay between two polls of an agreement, in ms. */
const LOOK_MS = 500

export default class RepoWatch extends BaseCommand {
  static override description = 'Print each change of an agreement, one line each, NDJSON with --json.'
  static override examples = ['<%= config.bin %> repo watch R1', '<%= config.bin %> repo watch R1 --until closed']
  static override args = agreementArgs
  static override flags = {
    ...partyFlag,
    until: Flags.option({
      options: ['waiting', 'open', 'late', 'defaulted', 'closed'] as const,
      description: 'exit once it has this status',
    })(),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(RepoWatch)
    const settings = await this.settings(flags)
    leaveWithReader()
    const exit = await withStreams(settings, async (client) => {
      const id = await agreementId(client, args.agreement, flags.account)
      return interruptible(async (signal) => {
        for (let shown = ''; !signal.aborted; ) {
          const view = await getView(client, ({ repo }) => repo.agreement, { params: { id } })
          const change = changeLine(view)
          if (change !== shown) {
            const names = this.out.json ? NO_NAMES : await amountsOf(client, view as Json)
            this.out.line(view as Json, changeLine(view, names))
          }
          shown = change
          if (statusText(view) === flags.until) return 0
          await sleep(LOOK_MS, { signal })
        }
        return INTERRUPTED
      })
    })
    this.exitWith(exit)
  }
}
