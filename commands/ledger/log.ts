import { Args, Flags } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { instructions as explorer } from '../../src/features/explorer/schema/log.js'

export default class LedgerLog extends LedgerCommand {
  static override description = 'Write a text into the events of a block; the state does not change.'
  static override examples = ["<%= config.bin %> ledger log 'end of day' --key-file alice.json"]
  static override args = {
    text: Args.string({ description: 'text, at most 1 KiB', required: true, ignoreStdin: true }),
  }
  static override flags = {
    level: Flags.string({
      description: 'level',
      options: ['error', 'warn', 'info', 'debug', 'trace'],
      default: 'info',
    }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(LedgerLog)
    const level = flags.level.replace(/^./, (first) => first.toUpperCase())
    await this.send(flags, ({ read }) => [read(explorer.log, { level, text: args.text })])
  }
}
