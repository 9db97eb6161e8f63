/** Owns the help of `--help`: that of oclif, with our error for unknown commands. */
import { Errors, Help } from '@oclif/core'
import { endWith, unknownCommand } from './unknown-command.js'

/** Help of the program. Registered in package.json as `helpClass`. */
export class ProgramHelp extends Help {
  override async showHelp(argv: string[]): Promise<void> {
    try {
      await super.showHelp(argv)
    } catch (error) {
      // The one error of its own: a command that is not there, in a form of its own.
      if (!(error instanceof Errors.CLIError)) throw error
      const flags = argv.findIndex((word) => word.startsWith('-'))
      endWith(unknownCommand(this.config, (flags < 0 ? argv : argv.slice(0, flags)).join(':')), argv)
    }
  }
}
