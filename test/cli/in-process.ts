/** Owns the running of commands in the process of the tests: many of them in the time that one program takes to start. */
import { Readable } from 'node:stream'
import { Config, Errors, run as runOclif } from '@oclif/core'
import { vi } from 'vitest'
import { emptyFolder } from '../support/temporary.js'
import { causeway, environmentOf, ROOT, type Run, type RunOptions } from './run.js'

/** Output and exit code of a command. */
export interface Printed {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Does something with the standard streams and exit code of a program; mocks and the exit code are put back. */
async function printing(work: () => Promise<unknown>, input: string | Uint8Array = ''): Promise<Printed> {
  const printed: Record<'stdout' | 'stderr', Buffer[]> = { stdout: [], stderr: [] }
  for (const name of ['stdout', 'stderr'] as const) {
    vi.spyOn(process[name], 'write').mockImplementation((part, encoding, written?: () => void) => {
      printed[name].push(Buffer.from(part as Uint8Array))
      const done = typeof encoding === 'function' ? encoding : written
      done?.()
      return true
    })
  }
  vi.spyOn(process, 'stdin', 'get').mockReturnValue(
    Readable.from([Buffer.from(input)], { objectMode: false }) as typeof process.stdin,
  )
  vi.spyOn(process, 'exit').mockImplementation((code) => {
    throw new Errors.ExitError(Number(code ?? 0))
  })
  const ended = (code: number | string | undefined): Printed => ({
    code: Number(code ?? 0),
    stdout: Buffer.concat(printed.stdout).toString(),
    stderr: Buffer.concat(printed.stderr).toString(),
  })
  process.exitCode = undefined
  // `node start` and `signer start` narrow it; the next file of this worker makes files of its own.
  const umask = process.umask()
  try {
    await work()
    return ended(process.exitCode)
  } catch (error) {
    // Commands throw the errors of the oclif in their bundle, which is another copy than that of this file.
    const { oclif, code } = error as Partial<Errors.ExitError>
    if (code !== 'EEXIT') throw error
    return ended(oclif?.exit)
  } finally {
    process.umask(umask)
    process.exitCode = undefined
    vi.restoreAllMocks()
  }
}

/** Runs a command of a loaded configuration, in an empty folder and with the environment of the test. */
export async function runHere(config: Config, id: string, words: readonly string[]): Promise<Printed> {
  const folder = process.cwd()
  process.chdir(emptyFolder())
  try {
    return await printing(() => config.runCommand(id, [...words]))
  } finally {
    process.chdir(folder)
  }
}

/** True while a command has folder, environment and streams of this process. */
let isBusy = false

/**
 * Runs `causeway` with these words as `causeway` of `run.ts` does, in this process; in one of its own while another run is
 * under way here. For what a command answers; how a program starts, ends and meets its pipes takes a process.
 */
export async function causewayHere(
  words: readonly string[],
  options: Pick<RunOptions, 'cwd' | 'env' | 'input'> = {},
): Promise<Run> {
  if (isBusy) return causeway(words, options)
  isBusy = true
  const [env, folder] = [process.env, process.cwd()]
  process.env = { ...environmentOf(options), NODE_ENV: 'production' }
  process.chdir(options.cwd ?? emptyFolder())
  try {
    const config = await Config.load({ root: ROOT, userPlugins: false })
    const printed = await printing(() => runOclif([...words], config), options.input)
    return { ...printed, json: () => JSON.parse(printed.stdout) }
  } finally {
    process.chdir(folder)
    process.env = env
    isBusy = false
  }
}
