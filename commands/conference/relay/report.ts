import { Args, Flags } from '@oclif/core'
import { writeFlags } from '../../../src/cli/command/flags.js'
import { callArg } from '../../../src/cli/conference/forms.js'
import { accountArg } from '../../../src/cli/input/texts.js'
import { LedgerCommand } from '../../../src/cli/ledger/command.js'
import { instructions as conferences } from '../../../src/features/conference/schema/instructions.js'

const WORDS = { healthy: 'Healthy', degraded: 'Degraded', unavailable: 'Unavailable' } as const

/** A report from the clock of this machine could be later than the block that takes it. */
const CLOCK_SLACK_MS = 1_000

export default class ConferenceRelayReport extends LedgerCommand {
  static override description = 'Report the health of a relay of a call, as the host of the call.'
  static override examples = [
    '<%= config.bin %> conference relay report bank:standup relay1@bank unavailable --notes "no answer" --key-file alice.json',
  ]
  static override args = {
    ...callArg,
    relay: accountArg({ description: 'relay in the manifest of the call', required: true, ignoreStdin: true }),
    status: Args.string({
      description: 'health of the relay',
      required: true,
      options: Object.keys(WORDS),
      ignoreStdin: true,
    }),
  }
  static override flags = {
    notes: Flags.string({ description: 'remark, at most 512 bytes' }),
    'reported-at-ms': Flags.integer({
      description: 'time of the observation, ms since the Unix epoch (default: a second ago)',
      min: 0,
    }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ConferenceRelayReport)
    const { notes = null, 'reported-at-ms': at = Date.now() - CLOCK_SLACK_MS } = flags
    await this.send(flags, async ({ account, read }) => [
      read(conferences.reportConferenceRelayHealth, {
        call: args.call,
        relay_id: await account(args.relay),
        status: WORDS[args.status as keyof typeof WORDS],
        reported_at_ms: at,
        notes,
      }),
    ])
  }
}
