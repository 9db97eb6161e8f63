/** Owns the ceiling: four processes that only decode, verify, execute, hash into the state tree and append the same transfers. */
import { fork } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SHARED_MACHINE } from '../../src/cli/localnet/process.js'

/** Number of processes, as many as the network has validators: each executes everything. */
const PROCESSES = 4

export interface CeilingFigures {
  readonly perSecond: number
  readonly transfersPerBlock: number
}

/** Run the prepared files through four ledgers at once; the slowest one counts. */
export async function benchCeiling(files: {
  readonly genesis: string
  readonly funding: string
  /** Transfers before the measured ones. */
  readonly warm: string
  readonly transfers: string
  readonly count: number
  readonly transfersPerBlock: number
}): Promise<CeilingFigures> {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-ceiling-'))
  const script = new URL('./ceiling-node.js', import.meta.url).pathname
  try {
    const children = await Promise.all(
      Array.from({ length: PROCESSES }, async (_, index) => {
        const data = join(folder, String(index))
        await mkdir(data)
        const words = [data, files.genesis, files.funding, files.warm, files.transfers, String(files.transfersPerBlock)]
        const child = fork(script, words, { execArgv: SHARED_MACHINE })
        await new Promise<void>((resolve, reject) => {
          child.once('message', () => resolve())
          child.once('exit', (code) => reject(new Error(`a ceiling process ended with ${code}`)))
        })
        return child
      }),
    )
    const seconds = await Promise.all(
      children.map(
        (child) =>
          new Promise<number>((resolve, reject) => {
            child.once('message', (message: { seconds: number; rejected: number }) => {
              if (message.rejected > 0) reject(new Error(`${message.rejected} transfers were rejected`))
              else resolve(message.seconds)
            })
            child.once('exit', (code) => reject(new Error(`a ceiling process ended with ${code}`)))
            child.send('go')
          }),
      ),
    )
    return { perSecond: files.count / Math.max(...seconds), transfersPerBlock: files.transfersPerBlock }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
