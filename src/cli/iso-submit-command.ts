/** Owns what the commands that submit a payment message share: argument, flags and the way to the result. */
import { Args, Flags } from '@oclif/core'
import { BaseCommand } from './base-command.js'
import { waitFlag } from './flags.js'
import { readInput } from './input.js'
import { runSubmit } from './iso.js'

/** What a message of any family ends with. */
export const SUBMIT_EXITS =
  'Exits 0 when settled (ACSC), 6 when rejected (RJCT) or when the id is used by another message, 8 when still pending.'

/** The base of `iso submit FAMILY`. */
export abstract class IsoSubmitCommand extends BaseCommand {
  static override args = {
    file: Args.string({ description: 'message, or - for standard input', required: true, ignoreStdin: true }),
  }
  static override flags = {
    ...waitFlag,
    watch: Flags.boolean({ description: 'print each status as it is reached (NDJSON with --json)' }),
  }

  /** Reads the message, submits it and follows it; the exit code says how it ended. */
  protected async submit(family: 'pacs008' | 'pacs009'): Promise<void> {
    // The parser sees own properties of a class alone: the one that declares them, not the one that inherits them.
    const { args, flags } = await this.parse(IsoSubmitCommand)
    const settings = await this.settings(flags)
    const body = await readInput(args.file)
    const options = { family, body, wait: flags.wait, silent: this.silent, watch: flags.watch }
    this.exitWith(await runSubmit(settings, this.out, options))
  }
}
