/** Runs the built program as a person would, and gives what it printed. */
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { emptyFolder } from '../support/temporary.js'

/** The folder of the repository. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** The program of this tree. */
export const EXECUTABLE = join(ROOT, 'bin', 'run.js')

/** Output and end of a run. */
export interface Run {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
  /** Standard output as JSON. */
  json(): Record<string, never>
}

/** Options of a run. */
export interface RunOptions {
  /** Default: an empty folder, because the folder of the repository may contain the network of a developer. */
  readonly cwd?: string
  /** Another build of the program than the one of this tree. */
  readonly executable?: string
  readonly env?: Readonly<Record<string, string>>
  /** Standard input; a slow producer waits before it writes. */
  readonly input?: string | Uint8Array
  readonly inputDelayMs?: number
  /** Another user to run as; only root may do that. */
  readonly uid?: number
  readonly gid?: number
}

/** A user whom nothing belongs to. */
export const UNPRIVILEGED = { uid: 65_534, gid: 65_534 } as const
/** Why no run can be made as another user; undefined if it can: by root, if others may read this folder. */
export function unprivilegedMissing(): string | undefined {
  if (process.getuid?.() !== 0) return 'only root runs programs as another user'
  const run = spawnSync(process.execPath, [EXECUTABLE, '--version'], { ...UNPRIVILEGED, cwd: emptyFolder() })
  return run.status === 0 ? undefined : 'another user cannot read this folder'
}

/** Environment of a run: nothing of the machine's own settings. */
export const environmentOf = ({ env }: RunOptions): Record<string, string> => ({
  PATH: process.env.PATH ?? '',
  HOME: '/nonexistent',
  ...env,
})

/** Starts `causeway` with these words in a process of its own. */
export function startCauseway(
  words: readonly string[],
  options: Omit<RunOptions, 'input' | 'inputDelayMs'> = {},
): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [options.executable ?? EXECUTABLE, ...words], {
    cwd: options.cwd ?? emptyFolder(),
    env: environmentOf(options),
    ...(options.uid === undefined ? {} : { uid: options.uid }),
    ...(options.gid === undefined ? {} : { gid: options.gid }),
  })
}

/** Runs `causeway` with these words in a process of its own. */
export function causeway(words: readonly string[], options: RunOptions = {}): Promise<Run> {
  return new Promise((resolve, reject) => {
    const child = startCauseway(words, options)
    const out: Buffer[] = []
    const err: Buffer[] = []
    child.stdout.on('data', (part: Buffer) => out.push(part))
    child.stderr.on('data', (part: Buffer) => err.push(part))
    child.once('error', reject)
    child.once('close', (code) => {
      const stdout = Buffer.concat(out).toString('utf8')
      resolve({ code, stdout, stderr: Buffer.concat(err).toString('utf8'), json: () => JSON.parse(stdout) })
    })
    // A command that does not read its input may end before it is written.
    child.stdin.on('error', () => {})
    setTimeout(() => child.stdin.end(options.input ?? ''), options.inputDelayMs ?? 0)
  })
}
