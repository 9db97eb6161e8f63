import { BaseCommand } from '../../src/cli/command/base-command.js'
import { callArg } from '../../src/cli/conference/forms.js'
import { followSubject, noteAbsentCall } from '../../src/cli/conference/watch.js'
import { tailFlags } from '../../src/cli/gateway/tail.js'

export default class ConferenceWatch extends BaseCommand {
  static override description = 'Print events of a call as they are committed, one line each, NDJSON with --json.'
  static override examples = ['<%= config.bin %> conference watch bank:standup']
  static override args = callArg
  static override flags = tailFlags

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ConferenceWatch)
    const isWanted = (value: Readonly<Record<string, unknown>>): boolean => value.call === args.call
    const settings = await this.settings(flags)
    await noteAbsentCall(settings, this.out, args.call)
    this.exitWith(await followSubject(settings, this.out, 'conference', flags.limit, isWanted))
  }
}
