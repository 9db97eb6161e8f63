/** Owns the base class of commands: global flags, output, errors with their exit codes, settings. */
import { Command, Flags, type Interfaces } from '@oclif/core'
import { resolveSettings, type SettingFlags, type Settings } from '../settings/settings.js'
import { failureOf, usageError } from '../terminal/failure.js'
import type { Progressed, Unit } from '../terminal/meter.js'
import { Output } from '../terminal/output.js'
import { withBar } from '../terminal/progress-bar.js'
import { usageText } from '../terminal/usage-text.js'

const GLOBAL = 'GLOBAL'

/** Flag with a text; an empty value is treated as an unset variable of a script, not as the absence of the flag. */
const textFlag = (name: string, description: string) =>
  Flags.string({
    description,
    helpGroup: GLOBAL,
    parse: async (text) => {
      if (text === '') throw usageError(`--${name} is empty`, 'Give a value, or omit the flag.')
      return text
    },
  })

/** Flags of every command. */
export const globalFlags = {
  json: Flags.boolean({ description: 'print the result as JSON', helpGroup: GLOBAL }),
  quiet: Flags.boolean({ description: 'print no notes', helpGroup: GLOBAL }),
  verbose: Flags.boolean({
    description: 'print complete records: absent fields too, and bytes in Base64',
    helpGroup: GLOBAL,
  }),
  'no-color': Flags.boolean({ description: 'print without colours', helpGroup: GLOBAL }),
  'no-input': Flags.boolean({ description: 'never prompt', helpGroup: GLOBAL }),
  profile: textFlag('profile', 'profile with gateway, key file and timeout'),
  gateway: textFlag('gateway', 'URL of a node (CAUSEWAY_GATEWAY)'),
  timeout: textFlag('timeout', 'maximum wait, such as 500ms, 30s, 2m'),
  insecure: Flags.boolean({
    description: 'allow sending a token over plain http to another machine',
    helpGroup: GLOBAL,
  }),
  'key-file': textFlag('key-file', 'signing key (CAUSEWAY_KEY_FILE)'),
  'signer-command': textFlag('signer-command', 'program that holds the signing key (CAUSEWAY_SIGNER_COMMAND)'),
}

/** True if the words before `--` contain the flag. */
function hasFlag(argv: readonly string[], flag: string): boolean {
  const end = argv.indexOf('--')
  return (end < 0 ? argv : argv.slice(0, end)).includes(flag)
}

/** Base class of all commands. */
export abstract class BaseCommand extends Command {
  static override baseFlags = globalFlags
  private output: Output | undefined

  /** Output of this command; known before the flags are parsed, because parsing may fail. */
  protected get out(): Output {
    const has = (flag: string): boolean => hasFlag(this.argv, flag)
    this.output ??= new Output(has('--json'), has('--quiet'), has('--verbose'))
    return this.output
  }

  /** True if progress and questions are suppressed. */
  protected get silent(): boolean {
    return hasFlag(this.argv, '--quiet')
  }

  /** Run long work with a progress bar: on a terminal, and never with --quiet or --json. */
  protected withBar<T>(label: string, unit: Unit, work: (report: (now: Progressed) => void) => Promise<T>): Promise<T> {
    return withBar({ label, unit, silent: this.silent || this.out.json }, work)
  }

  /** Gateway, timeout and key file of this run. */
  protected settings(flags: SettingFlags): Promise<Settings> {
    return resolveSettings(flags)
  }

  /** Set the exit code of a command that has printed its result. */
  protected exitWith(code: number): void {
    process.exitCode = code
  }

  /** Parse flags and arguments. Throws `usage` for a required flag with an empty value, and for the bare errors of argument parsers. */
  protected override async parse<
    F extends Interfaces.OutputFlags<Interfaces.FlagInput>,
    B extends Interfaces.OutputFlags<Interfaces.FlagInput>,
    A extends Interfaces.OutputArgs<Interfaces.ArgInput>,
  >(options?: Interfaces.Input<F, B, A>, argv?: string[]): Promise<Interfaces.ParserOutput<F, B, A>> {
    try {
      const parsed = await super.parse<F, B, A>(options, argv)
      for (const [name, value] of Object.entries(parsed.flags)) {
        const isRequired = options?.flags?.[name]?.required === true
        if (isRequired && value === '') throw usageError(`--${name} is empty`, 'Give a value.')
      }
      return parsed
    } catch (error) {
      throw error instanceof Error && error.constructor === Error ? usageError(usageText(error)) : error
    }
  }

  protected override async catch(error: Error): Promise<void> {
    const exit = (error as { code?: string; oclif?: { exit?: number } }).code === 'EEXIT'
    if (exit) {
      process.exitCode = (error as { oclif?: { exit?: number } }).oclif?.exit ?? 0
      return
    }
    const failure = failureOf(error, (this.id ?? '').replaceAll(':', ' '))
    process.exitCode = failure.exit
    this.out.failed(failure)
    if (failure.stack !== undefined && process.env.CAUSEWAY_DEBUG !== undefined) {
      process.stderr.write(`${failure.stack}\n`)
    }
  }
}
