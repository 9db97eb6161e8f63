/**
 * Owns the lock of a data directory: held by one process, whose liveness is determined by its id and start time.
 *
 * The lock file is written under another name and linked into place, so it is never seen incomplete. A stale lock is
 * replaced by the process that creates the claim file of exactly that lock. The state database also holds a kernel
 * lock.
 */
import { randomBytes } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { link, realpath, rename, stat, unlink, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { sleep } from '../base/sleep.js'
import { errorCode } from '../base/thrown.js'
import { readRegular } from '../files/bounded-file.js'
import { LedgerError } from '../model/index.js'
import { LOCK_LOOK_MS, LOCK_STALE_MS, LOCK_TOUCH_MS } from './limits.js'

/** File name inside a data directory. */
export const LOCK_FILE = 'lock'
/** Maximum size of a lock file, in bytes; a record has about 200. */
const LOCK_MAX_BYTES = 4_096

/** Use of a locked folder: a node handles signals, while a signal ends a command. */
export type LockUse = 'node' | 'command' | 'signer'
const USES: ReadonlySet<unknown> = new Set<LockUse>(['node', 'command', 'signer'])

interface LockRecord {
  readonly pid: number
  /** Start of the process in clock ticks since boot, which distinguishes it from a later process with the same id. */
  readonly started: string
  /** Machine and process namespace; process ids of another place have no meaning here. */
  readonly place: string
  readonly token: string
  /** Absent in records of earlier releases. */
  readonly use?: LockUse | undefined
}

/** Process that holds a folder. */
export interface LockHolder {
  readonly pid: number
  /** Undefined if its release does not record it. */
  readonly use: LockUse | undefined
  /** True if held on another machine or in another container, so that its process id has no meaning here. */
  readonly isElsewhere: boolean
}

/** Lock held by this process. */
export interface HeldLock {
  /**
   * Throw `data_dir_locked` unless this holder still has the lock: another machine or container takes over a lock that
   * was not touched for long, even if this process was only suspended. Reads the file.
   */
  assertHeld(): void
  release(): Promise<void>
}

/**
 * Directories held by this process; its own id in a lock file would otherwise look like another live holder with an
 * unknown use.
 */
const held = new Set<string>()

/**
 * Fields of /proc/PID/stat after the name, which may contain any bytes. The state is the first field, the start time
 * the twentieth.
 */
function statOf(pid: number): readonly string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return []
  }
}

const startOf = (pid: number): string | undefined => statOf(pid)[19]
const isZombie = (pid: number): boolean => ['Z', 'X'].includes(statOf(pid)[0] ?? '')

function ownPlace(): string {
  try {
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()} ${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return hostname()
  }
}

function isRunning(pid: number, started: string): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (errorCode(error) === 'ESRCH') return false
  }
  // A killed process that its parent has not reaped yet holds nothing.
  if (isZombie(pid)) return false
  const now = startOf(pid)
  return now === undefined || started === '' || now === started
}

/** Token of the lock in a file; undefined if the file has no readable lock. */
function tokenIn(path: string): string | undefined {
  try {
    return (JSON.parse(readFileSync(path, 'utf8')) as Partial<LockRecord>).token
  } catch {
    return undefined
  }
}

async function readLock(path: string): Promise<LockRecord | undefined> {
  let text: string
  try {
    text = (await readRegular(path, LOCK_MAX_BYTES)).toString('utf8')
  } catch (error) {
    if (error instanceof LedgerError && error.code === 'file_missing') return undefined
    throw error
  }
  try {
    const { pid, started, place, token, use } = JSON.parse(text) as Partial<LockRecord>
    if (typeof pid === 'number' && pid > 0 && typeof token === 'string') {
      const known = use !== undefined && USES.has(use) ? use : undefined
      return { pid, started: String(started ?? ''), place: String(place ?? ''), token, use: known }
    }
  } catch {
    // Falls through: locks are linked into place complete, so this is another file without a live holder.
  }
  return { pid: 0, started: '', place: '', token: `unreadable-${text.length}` }
}

async function isAlive(path: string, lock: LockRecord): Promise<boolean> {
  if (lock.pid === 0) return false
  return lock.place === ownPlace() ? isRunning(lock.pid, lock.started) : isFresh(await touchedAt(path))
}

/** Time of the last touch of a lock, in ms; undefined if the lock is gone. */
const touchedAt = (path: string): Promise<number | undefined> =>
  stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => undefined,
  )

/**
 * True if a lock was touched recently. A time in the future comes from a clock that was set back, or from another
 * clock; the next touch corrects it.
 */
const isFresh = (touchedMs: number | undefined): boolean =>
  touchedMs !== undefined && Math.abs(Date.now() - touchedMs) < LOCK_STALE_MS

/**
 * Wait until a lock of another place is touched, as a live holder does soon, or is stale. A process that ended with
 * this machine, or with an earlier container, may have touched it just before.
 */
async function isTouched(path: string): Promise<boolean> {
  const first = await touchedAt(path)
  for (let waitedMs = 0; waitedMs < LOCK_STALE_MS && isFresh(first); waitedMs += LOCK_LOOK_MS) {
    await sleep(LOCK_LOOK_MS)
    const now = await touchedAt(path)
    if (now !== first) return now !== undefined
  }
  return false
}

const lockedBy = (folder: string, pid: number, why: string): LedgerError =>
  new LedgerError('data_dir_locked', `${folder} is in use by process ${pid}${why}`, { details: { path: folder, pid } })

/** Holder of a folder; undefined if there is none. */
export async function lockHolder(folder: string): Promise<LockHolder | undefined> {
  const path = join(folder, LOCK_FILE)
  const lock = await readLock(path).catch(() => undefined)
  if (lock === undefined || !(await isAlive(path, lock))) return undefined
  return { pid: lock.pid, use: lock.use, isElsewhere: lock.place !== ownPlace() }
}

/** Acquire the lock of a folder or throw `data_dir_locked` with the id of its holder. */
export async function takeLock(folder: string, use: LockUse): Promise<HeldLock> {
  const real = await realpath(folder)
  if (held.has(real)) throw lockedBy(folder, process.pid, ', which is this one')
  held.add(real)
  try {
    return await takeFile(folder, real, use)
  } catch (error) {
    held.delete(real)
    throw error
  }
}

async function takeFile(folder: string, real: string, use: LockUse): Promise<HeldLock> {
  const path = join(folder, LOCK_FILE)
  const own: LockRecord = {
    pid: process.pid,
    started: startOf(process.pid) ?? '',
    place: ownPlace(),
    token: randomBytes(8).toString('hex'),
    use,
  }
  const fresh = `${path}.${own.token}`
  await writeFile(fresh, `${JSON.stringify(own)}\n`, { mode: 0o600 })
  try {
    await place(folder, path, fresh)
  } finally {
    await unlink(fresh).catch(() => {})
  }
  const isHeld = (): boolean => tokenIn(path) === own.token
  const touch = setInterval(() => {
    // A lock of another holder must not be touched.
    if (isHeld()) utimes(path, new Date(), new Date()).catch(() => {})
  }, LOCK_TOUCH_MS)
  touch.unref()
  return {
    assertHeld: () => {
      if (isHeld()) return
      throw new LedgerError('data_dir_locked', `another process took over ${folder}`, {
        hint: 'Run only one process on a folder. This one was suspended for long, or its clock is behind; do not start it again beside the other one.',
        details: { path: folder },
      })
    },
    release: async () => {
      clearInterval(touch)
      if (isHeld()) await unlink(path).catch(() => {})
      held.delete(real)
    },
  }
}

/** Maximum attempts; each lost attempt means that another process won meanwhile. */
const ATTEMPTS_MAX = 10

async function place(folder: string, path: string, fresh: string): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    try {
      await link(fresh, path)
      return
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error
    }
    const holder = await readLock(path)
    if (holder === undefined) continue
    if (await isAlive(path, holder)) {
      if (holder.place === ownPlace()) throw lockedBy(folder, holder.pid, '')
      if (await isTouched(path)) throw lockedBy(folder, holder.pid, ' of another machine or container')
    }
    if (await replaceStale(path, fresh, holder.token)) return
  }
  throw lockedBy(folder, (await readLock(path))?.pid ?? 0, ' that starts at the same time')
}

/** Replace the lock with this token; false if it changed meanwhile. */
async function replaceStale(path: string, fresh: string, token: string): Promise<boolean> {
  const claim = `${path}.claim-${token.replace(/[^0-9a-z-]/g, '')}`
  try {
    await link(fresh, claim)
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
    // The other claimant either finishes in a moment or has died.
    const other = await readLock(claim)
    if (other !== undefined && !(await isAlive(claim, other))) await unlink(claim).catch(() => {})
    return false
  }
  try {
    if ((await readLock(path))?.token !== token) return false
    await rename(fresh, path)
    return true
  } finally {
    await unlink(claim).catch(() => {})
  }
}
