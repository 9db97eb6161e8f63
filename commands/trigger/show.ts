import { Args } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { pairs } from '../../src/cli/command/output.js'
import { askGateway, textOf } from '../../src/cli/gateway/gateway.js'

export default class TriggerShow extends BaseCommand {
  static override description = 'Show a trigger: what sets it off, what it does, how often it still runs.'
  static override examples = [
    '<%= config.bin %> trigger show trigger1',
    '<%= config.bin %> trigger show trigger1 --json',
  ]
  static override args = {
    trigger: Args.string({ description: 'name of the trigger', required: true, ignoreStdin: true }),
  }
  static override flags = {}

  async run(): Promise<void> {
    const { args, flags } = await this.parse(TriggerShow)
    const view = await askGateway(await this.settings(flags), ({ triggers }) => triggers.trigger, {
      params: { id: args.trigger },
    })
    this.out.result(
      view,
      pairs([
        ['trigger', textOf(view.id)],
        ['authority', textOf(view.authority)],
        ['filter', textOf(view.filter)],
        ['instructions', textOf(view.instructions)],
        ['repeats', textOf(view.repeats) ?? 'for ever'],
        ['enabled', textOf(view.enabled)],
        ['failures', textOf(view.failures)],
        ['due (ms)', textOf(view.due_ms)],
      ]),
    )
  }
}
