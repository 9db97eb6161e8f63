/** Owns the running of a command in the process of the tests: many of them in the time that one program takes to start. */
import type { Config } from '@oclif/core'
import { vi } from 'vitest'

/** What a command printed and ended with. */
export interface Printed {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs a command of a loaded configuration; mocks and the exit code of the process are put back. */
export async function runHere(config: Config, id: string, words: readonly string[]): Promise<Printed> {
  const printed = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    vi.spyOn(process[name], 'write').mockImplementation((part) => {
      printed[name] += Buffer.from(part as Uint8Array).toString()
      return true
    })
  }
  process.exitCode = undefined
  try {
    await config.runCommand(id, [...words])
    return { ...printed, code: Number(process.exitCode ?? 0) }
  } finally {
    process.exitCode = undefined
    vi.restoreAllMocks()
  }
}
