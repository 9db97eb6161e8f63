/** Owns the base class of commands that submit payment messages: arguments, flags, submission, result. */
import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../command/base-command.js'
import { waitFlag } from '../command/flags.js'
import { readInput } from '../input/input.js'
import { usageError } from '../terminal/failure.js'
import { runSubmit } from './iso.js'

/** Exit codes of a submission of any family. */
export const SUBMIT_EXITS = `Exits 0 when settled (ACSC), 6 when a payment is rejected (RJCT) or when the id is used by another message, 8 when
still pending (held messages are). Several files are sent at once and summed up; with --resume an interrupted run continues where
it stopped, and settled messages are not sent again.`

/** Maximum concurrent files: more would only wait in the node. */
const CONCURRENCY_MAX = 256

/** Base class of `iso submit FAMILY`. */
export abstract class IsoSubmitCommand extends BaseCommand {
  static override args = {
    file: Args.string({
      description: 'message, or - for standard input; several files may be given',
      required: true,
      ignoreStdin: true,
    }),
  }
  static override strict = false
  static override flags = {
    ...waitFlag,
    watch: Flags.boolean({ description: 'print each status as it is reached (NDJSON with --json)' }),
    resume: Flags.string({
      description: 'file of outcomes: new ones are appended, and settled messages in it are skipped',
    }),
    concurrency: Flags.integer({
      description: 'files sent concurrently',
      default: 16,
      min: 1,
      max: CONCURRENCY_MAX,
    }),
  }

  /** Read, submit and follow the messages; the exit code reports the outcome. */
  protected async submit(family: 'pacs008' | 'pacs009'): Promise<void> {
    // The parser sees only own properties of the class that declares them, not inherited ones.
    const { argv, flags } = await this.parse(IsoSubmitCommand)
    const settings = await this.settings(flags)
    const files = argv.map(String)
    if (files.length > 1 && files.includes('-'))
      throw usageError('- cannot be combined with files: standard input is one message')
    const [first = '-'] = files
    if (files.length === 1 && flags.resume === undefined) {
      const body = await readInput(first)
      const options = { family, body, wait: flags.wait, silent: this.silent, watch: flags.watch }
      return this.exitWith(await runSubmit(settings, this.out, options))
    }
    const { runBatch } = await import('./batch.js')
    const { wait, concurrency, resume } = flags
    const options = { family, files, wait, concurrency, resumeFile: resume, silent: this.silent }
    this.exitWith(await runBatch(settings, this.out, options))
  }
}
