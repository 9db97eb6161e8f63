/** Owns the base class of commands: global flags, output, errors with their exit codes, settings. */
import { Command, Flags } from '@oclif/core'
import { resolveSettings, type SettingFlags, type Settings } from '../settings/settings.js'
import { failureOf } from './failure.js'
import type { Progressed, Unit } from './meter.js'
import { Output } from './output.js'
import { withBar } from './progress-bar.js'

const GLOBAL = 'GLOBAL'

/** Flags that every command takes. */
export const globalFlags = {
  json: Flags.boolean({ description: 'print the result as JSON', helpGroup: GLOBAL }),
  quiet: Flags.boolean({ description: 'print no remarks', helpGroup: GLOBAL }),
  'no-color': Flags.boolean({ description: 'print no colours', helpGroup: GLOBAL }),
  'no-input': Flags.boolean({ description: 'never prompt', helpGroup: GLOBAL }),
  profile: Flags.string({ description: 'profile with gateway, key file and timeout', helpGroup: GLOBAL }),
  gateway: Flags.string({ description: 'URL of a node (CAUSEWAY_GATEWAY)', helpGroup: GLOBAL }),
  timeout: Flags.string({ description: 'longest wait, such as 500ms, 30s, 2m', helpGroup: GLOBAL }),
  insecure: Flags.boolean({
    description: 'allow a token over plain http to another machine',
    helpGroup: GLOBAL,
  }),
  'key-file': Flags.string({ description: 'key that signs (CAUSEWAY_KEY_FILE)', helpGroup: GLOBAL }),
  'signer-command': Flags.string({
    description: 'program that holds the key that signs (CAUSEWAY_SIGNER_COMMAND)',
    helpGroup: GLOBAL,
  }),
}

/** True when the words before `--` hold the flag. */
function hasFlag(argv: readonly string[], flag: string): boolean {
  const end = argv.indexOf('--')
  return (end < 0 ? argv : argv.slice(0, end)).includes(flag)
}

/** The base of all commands. */
export abstract class BaseCommand extends Command {
  static override baseFlags = globalFlags
  private output: Output | undefined

  /** Output of this command; known before the flags are parsed, because parsing may fail. */
  protected get out(): Output {
    this.output ??= new Output(hasFlag(this.argv, '--json'), hasFlag(this.argv, '--quiet'))
    return this.output
  }

  /** True when progress and questions make no sense. */
  protected get silent(): boolean {
    return hasFlag(this.argv, '--quiet')
  }

  /** Runs long work behind a bar: on a terminal, and never with --quiet or --json. */
  protected withBar<T>(label: string, unit: Unit, work: (say: (now: Progressed) => void) => Promise<T>): Promise<T> {
    return withBar({ label, unit, silent: this.silent || this.out.json }, work)
  }

  /** Gateway, timeout and key file of this run. */
  protected settings(flags: SettingFlags): Promise<Settings> {
    return resolveSettings(flags)
  }

  /** Sets the exit code of a command that printed its result. */
  protected exitWith(code: number): void {
    process.exitCode = code
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
