import { BaseCommand } from '../src/cli/command/base-command.js'
import { usageError } from '../src/cli/terminal/failure.js'

export default class HelpCommand extends BaseCommand {
  static override description =
    `Show the help of a command, of a group of commands, or of a topic: exit-codes, environment.
Without arguments: all groups and commands.`
  static override examples = [
    '<%= config.bin %> help tx build',
    '<%= config.bin %> help exit-codes',
    '<%= config.bin %> help environment',
  ]
  // Any number of words; flags are refused below.
  static override strict = false

  async run(): Promise<void> {
    const { argv } = await this.parse(HelpCommand)
    const words = argv.map(String)
    const flag = words.find((word) => word.startsWith('-'))
    if (flag !== undefined) throw usageError(`help does not have the flag ${flag}`, 'causeway help --help')
    const { helpText } = await import('../src/cli/command/help.js')
    const text = await helpText(this.config, words)
    this.out.result({ topic: words.join(' '), text }, text)
  }
}
