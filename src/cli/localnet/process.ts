/** Owns the operating-system processes of a local network: starting, finding, stopping. */
import { spawn } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { definedFields } from '../../base/defined-fields.js'
import { sleep } from '../../base/sleep.js'
import { errorCode } from '../../base/thrown.js'
import { openAnew, replaceFile } from '../../files/write-file.js'
import type { LocalPeer } from '../settings/localnet-record.js'

/**
 * Options for several nodes on one machine: one helper thread of the runtime each instead of four that compete for the
 * cores, a heap that is collected when it has doubled, and young generations of 24 MiB. `src/node/ledger/remote.ts`
 * sets the last two for the ledger as well.
 */
export const SHARED_MACHINE = ['--v8-pool-size=1', '--max-old-space-size=1024', '--max-semi-space-size=8']
/**
 * Allocator settings of a node process. The database allocates from several threads; with an arena per thread, memory
 * freed in one arena cannot be reused by the others. A block of transactions needs more than 128 KiB; if the allocator
 * raised its threshold by itself, such allocations would be placed in the arenas between small ones and could not be
 * returned. Effective only if set before the process starts.
 */
export const ALLOCATOR = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072' }
/** File with the process id, in the folder of a peer. */
const PID_FILE = 'node.pid'
/** Output of the process besides its log. */
export const OUTPUT_FILE = 'output.txt'
const POLL_MS = 50
/** Time for the system to remove an ended process, in ms. */
const REAP_MS = 2_000

/** True if a process with this id runs and, if the system reports it, was started with this argument. */
async function isAlive(pid: number, word: string): Promise<boolean> {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (errorCode(error) !== 'EPERM') return false
  }
  if (process.platform !== 'linux') return true
  // Ids are reused: another program may have this one. A zombie has an empty command line.
  const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  return line.split('\0').includes(word)
}

/** Process id in a file; undefined unless a process with this id runs that was started with this argument. */
export async function pidFrom(path: string, word: string): Promise<number | undefined> {
  const text = await readFile(path, 'utf8').catch(() => '')
  const pid = Number(text.trim())
  if (!Number.isSafeInteger(pid) || pid < 2) return undefined
  return (await isAlive(pid, word)) ? pid : undefined
}

/** Process id of a running peer; undefined if it does not run. */
export const pidOf = (peer: LocalPeer): Promise<number | undefined> => pidFrom(join(peer.folder, PID_FILE), peer.config)

/** Started process: its id, and its outcome while the caller waits. */
export interface Started {
  readonly peer: LocalPeer
  readonly pid: number
  /** Exit code or signal name once the process ended; undefined while it runs. */
  ended(): number | string | undefined
  /** Allow this program to end before the process. */
  release(): void
}

/** Start the daemon of a peer, detached: it outlives this program and the terminal. */
export async function startPeer(peer: LocalPeer, executable: string): Promise<Started> {
  const output = await openAnew(join(peer.folder, OUTPUT_FILE))
  try {
    // The keys are created with the folder, so the declaration of a first start is true once; the mark beside them
    // prevents a second use.
    const words = ['node', 'start', '--config', peer.config, '--first-start']
    const child = spawn(process.execPath, [...SHARED_MACHINE, executable, ...words], {
      cwd: peer.folder,
      // Behind a proxy, a peer listens at another address than the one that peers dial.
      env: {
        ...ALLOCATOR,
        ...process.env,
        ...definedFields({ CAUSEWAY_NODE__NETWORK__LISTEN: peer.listen }),
      },
      detached: true,
      stdio: ['ignore', output.fd, output.fd],
    })
    let outcome: number | string | undefined
    child.once('exit', (code, signal) => {
      outcome = code ?? signal ?? 1
    })
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve)
      child.once('error', reject)
    })
    const { pid } = child
    if (pid === undefined) throw new Error('a spawned process has no id')
    await replaceFile(join(peer.folder, PID_FILE), `${pid}\n`)
    return { peer, pid, ended: () => outcome, release: () => child.unref() }
  } finally {
    await output.close()
  }
}

/** Last output lines of a peer besides its log, which contain the reason of a failed start. */
export async function outputTail(peer: LocalPeer, lines: number): Promise<string> {
  const text = await readFile(join(peer.folder, OUTPUT_FILE), 'utf8').catch(() => '')
  return text.trimEnd().split('\n').slice(-lines).join('\n')
}

const send = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error
  }
}

/** End of a peer process. */
export interface Ended {
  readonly name: string
  readonly how: 'not_running' | 'stopped' | 'killed'
}

/** True while the system lists the process, including an unreaped one. */
function exists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return errorCode(error) === 'EPERM'
  }
}

/** Wait until ended processes have released their files and locks; the wait for an unreaped one is bounded. */
async function gone(pids: readonly number[]): Promise<void> {
  const deadlineMs = performance.now() + REAP_MS
  while (pids.some(exists) && performance.now() < deadlineMs) {
    await sleep(POLL_MS)
  }
}

/** Kill a process without unfinished work, and wait until it is gone. */
export async function stopProcess(pid: number): Promise<void> {
  send(pid, 'SIGKILL')
  await gone([pid])
}

/** Stop peers: SIGTERM to all, and SIGKILL to peers that still run after the grace time. */
export async function stopPeers(peers: readonly LocalPeer[], graceMs: number): Promise<Ended[]> {
  const running = new Map<LocalPeer, number>()
  for (const peer of peers) {
    const pid = await pidOf(peer)
    if (pid !== undefined) running.set(peer, pid)
  }
  for (const pid of running.values()) send(pid, 'SIGTERM')
  const killed = new Set<LocalPeer>()
  const deadlineMs = performance.now() + graceMs
  for (;;) {
    const left: LocalPeer[] = []
    for (const peer of running.keys()) if ((await pidOf(peer)) !== undefined) left.push(peer)
    if (left.length === 0) break
    if (performance.now() > deadlineMs) {
      for (const peer of left) {
        const pid = running.get(peer)
        if (pid !== undefined) send(pid, 'SIGKILL')
        killed.add(peer)
      }
    }
    await sleep(POLL_MS)
  }
  await gone([...running.values()])
  for (const peer of peers) await rm(join(peer.folder, PID_FILE), { force: true })
  return peers.map((peer) => ({
    name: peer.name,
    how: !running.has(peer) ? 'not_running' : killed.has(peer) ? 'killed' : 'stopped',
  }))
}
