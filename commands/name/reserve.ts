import { Args, Flags } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { instructions as names } from '../../src/features/names/schema/instructions.js'

export default class NameReserve extends LedgerCommand {
  static override description = `Reserve labels, or end their reservations.
Without a domain the labels are protected in every domain, and as ids of domains.`
  static override examples = [
    '<%= config.bin %> name reserve central-bank --domain bank --reason "name of an authority" --key-file admin.json',
    '<%= config.bin %> name reserve acme --domain bank --assignee alice@bank --key-file admin.json',
    '<%= config.bin %> name reserve acme --domain bank --end --key-file admin.json',
  ]
  static override strict = false
  static override args = {
    label: Args.string({ description: 'labels, at most 32', required: true, ignoreStdin: true }),
  }
  static override flags = {
    domain: Flags.string({ description: 'domain (default: all of them)' }),
    assignee: Flags.string({ description: 'account that may have the labels: address or alias (default: none)' }),
    until: Flags.string({ description: 'length of the reservation, such as 90d (default: without end)' }),
    reason: Flags.string({ description: 'reason, at most 128 bytes', default: 'reserved' }),
    end: Flags.boolean({ description: 'end the reservations', exclusive: ['assignee', 'until'] }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(NameReserve)
    const { parseLedgerDuration } = await import('../../src/cli/input/duration.js')
    const labels = argv.map((label) => String(label).toLowerCase())
    const { domain = null, reason, until, assignee, end } = flags
    const untilMs = until === undefined ? null : Date.now() + parseLedgerDuration(until, '--until')
    await this.send(flags, async ({ account, read }) => {
      const to = assignee === undefined ? null : await account(assignee)
      const add = end ? [] : labels.map((label) => ({ label, assignee: to, until_ms: untilMs, reason }))
      return [read(names.reserveNames, { domain, add, remove: end ? labels : [] })]
    })
  }
}
