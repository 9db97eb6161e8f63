import { Args, Flags } from '@oclif/core'
import { writeFlags } from '../../../src/cli/command/flags.js'
import { LedgerCommand } from '../../../src/cli/ledger/command.js'
import { cutoffOf, holidaysOf, offsetOf, weekendOf } from '../../../src/cli/repo/calendar.js'
import { instructions } from '../../../src/features/repo/schema/instructions.js'

export default class RepoCalendarSet extends LedgerCommand {
  static override description = `Set a calendar of business days; a new one requires CanManageCalendars.
A business date begins at the cut-off of the previous day. Existing agreements keep their dates.`
  static override examples = [
    '<%= config.bin %> repo calendar set target --cutoff 18:00 --offset +01:00 --weekend sat,sun --holidays 2026.json --key-file admin.json',
    '<%= config.bin %> repo calendar set demo --cutoff +2m --key-file admin.json',
  ]
  static override args = { calendar: Args.string({ description: 'name', required: true, ignoreStdin: true }) }
  static override flags = {
    cutoff: Flags.string({ description: 'local time of the cut-off, or a duration from now: +2m', required: true }),
    offset: Flags.string({ description: 'offset of local time from UTC', default: '+00:00' }),
    weekend: Flags.string({ description: 'days of the weekend, such as sat,sun', default: 'none' }),
    holidays: Flags.string({ description: 'JSON list of dates', helpValue: 'FILE' }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(RepoCalendarSet)
    const { readJsonInput } = await import('../../../src/cli/input/json.js')
    const offset = offsetOf(flags.offset)
    const calendar = {
      calendar: args.calendar,
      offset_minutes: offset,
      weekend: weekendOf(flags.weekend),
      cutoff_minute: cutoffOf(flags.cutoff, offset, Date.now()),
      holidays: flags.holidays === undefined ? [] : holidaysOf(await readJsonInput(flags.holidays)),
    }
    await this.send(flags, ({ read }) => [read(instructions.setBusinessCalendar, calendar)])
  }
}
