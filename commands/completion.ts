import { Args } from '@oclif/core'
import { BaseCommand } from '../src/cli/command/base-command.js'
import { completionScript, SHELLS, type Shell } from '../src/cli/command/completion.js'

export default class Completion extends BaseCommand {
  static override description = `Print a script that completes commands, flags and their values in your shell.
The script is self-contained: completion does not start a program.`
  static override examples = [
    'source <(<%= config.bin %> completion bash)',
    '<%= config.bin %> completion zsh > ~/.zfunc/_causeway',
    '<%= config.bin %> completion fish > ~/.config/fish/completions/causeway.fish',
  ]
  static override args = {
    shell: Args.string({ options: [...SHELLS], description: 'your shell', required: true, ignoreStdin: true }),
  }

  async run(): Promise<void> {
    const { args } = await this.parse(Completion)
    const commands = this.config.commands
      .filter(({ hidden }) => hidden !== true)
      .map(({ id, summary, description, flags }) => ({
        words: id.replaceAll(':', ' '),
        summary: (summary ?? description ?? '').split('\n')[0] ?? '',
        flags: Object.values(flags).map((flag) => ({
          name: flag.name,
          summary: flag.description ?? '',
          options: flag.type === 'option' ? (flag.options ?? []) : [],
          takesValue: flag.type === 'option',
        })),
      }))
      .toSorted((left, right) => (left.words < right.words ? -1 : 1))
    const script = completionScript(args.shell as Shell, commands)
    this.out.result({ shell: args.shell, script }, script)
  }
}
