import { BaseCommand } from '../../src/cli/command/base-command.js'
import { followSubject } from '../../src/cli/conference/watch.js'
import { tailFlags } from '../../src/cli/gateway/tail.js'
import { lotArg } from '../../src/cli/rwa/forms.js'

export default class RwaWatch extends BaseCommand {
  static override description = 'Print the events of a lot as they are committed, one line each, NDJSON with --json.'
  static override examples = ['<%= config.bin %> rwa watch gold#bank/1']
  static override args = lotArg
  static override flags = tailFlags

  async run(): Promise<void> {
    const { args, flags } = await this.parse(RwaWatch)
    const names = ({ lot, parent, parents }: Readonly<Record<string, unknown>>): boolean =>
      [lot, parent, ...(Array.isArray(parents) ? parents : [])].includes(args.lot)
    const settings = await this.settings(flags)
    this.exitWith(await followSubject(settings, this.out, 'rwa', flags.limit, names))
  }
}
