/** Owns the help of `--help`: the help of oclif, with the program's error for unknown commands. */
import { Errors, Help } from '@oclif/core'
import { renamed } from './renamed.js'
import { endWith, unknownCommand } from './unknown-command.js'

/** Help of the program. Registered in package.json as `helpClass`. */
export class ProgramHelp extends Help {
  override async showHelp(argv: string[]): Promise<void> {
    try {
      await super.showHelp(argv)
    } catch (error) {
      // The help of oclif throws a CLIError only for an unknown command.
      if (!(error instanceof Errors.CLIError)) throw error
      const former = renamed(argv)
      if (former !== undefined) return super.showHelp(former.words)
      const flags = argv.findIndex((word) => word.startsWith('-'))
      endWith(unknownCommand(this.config, (flags < 0 ? argv : argv.slice(0, flags)).join(':')), argv)
    }
  }
}
