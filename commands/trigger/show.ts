import { Args } from '@oclif/core'
import { ReadCommand } from '../../src/cli/command/read-command.js'
import { textOf, type View } from '../../src/cli/gateway/gateway.js'

export default class TriggerShow extends ReadCommand {
  static override description = 'Show a trigger: its condition, instructions and remaining runs.'
  static override examples = [
    '<%= config.bin %> trigger show trigger1',
    '<%= config.bin %> trigger show trigger1 --json',
  ]
  static override args = {
    trigger: Args.string({ description: 'name of the trigger', required: true, ignoreStdin: true }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(TriggerShow)
    const fields = {
      trigger: 'id',
      authority: 'authority',
      filter: 'filter',
      instructions: 'instructions',
      repeats: ({ repeats }: View) => textOf(repeats) ?? 'unlimited',
      enabled: 'enabled',
      failures: 'failures',
      due: 'due_ms',
    }
    await this.showFields(flags, ({ triggers }) => triggers.trigger, { params: { id: args.trigger } }, fields)
  }
}
