/** Owns the checks of the machine: runtime, native libraries, disk, open files, ports. */
import { open, rm, statfs } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { formatHostPort, type HostPort } from '../node/config/index.js'
import { OPEN_FILES_MIN, openFilesLimit, processLimits } from '../node/process/open-files.js'
import { FREE_MIN_MIB } from '../node/snapshot/room.js'
import { APPENDED, exists, writeDurably } from '../storage/index.js'
import { type DiagnosticContext, type Finding, fail, failed, ok, skip, warn } from './check.js'

/** Oldest tested runtime. */
const NODE_MIN = [20, 19] as const
/** Free disk space below which a warning is given, in MiB. */
const DISK_WARN_MIB = 5_120
/**
 * Duration of a sync above which a warning is given, in ms. A height waits for about four sequential writes, which then
 * take a fifth of a second.
 */
const FSYNC_WARN_MS = 50
/** Number of timed writes, and the size of each in bytes: a vote is smaller than a page of the disk. */
const FSYNC_WRITES = 9
const FSYNC_BYTES = 4_096

/** Machine properties used by the checks. */
export interface Machine {
  /** Version of the runtime, such as 20.19.0. */
  readonly nodeVersion: string
  /** Name of the BLS library that loads on this machine. */
  bls(): Promise<'blst' | 'noble'>
  /** True if the native Ed25519 library loads. */
  fastEd25519(): Promise<boolean>
  /** Free bytes of the file system of a folder; throws if there is none. */
  freeBytes(folder: string): Promise<number>
  /** Text of the limits of this process in the format of Linux; empty elsewhere. */
  limits(): Promise<string>
  /** Median time until a small write to a new file in a folder is on the disk, in ms. */
  syncMs(folder: string): Promise<number>
}

/** The machine of this process. */
export const MACHINE: Machine = {
  nodeVersion: process.versions.node,
  bls: async () => (await (await import('../crypto/bls-load.js')).loadBls()).name,
  fastEd25519: async () => (await import('../crypto/ed25519.js')).loadFastEd25519(),
  freeBytes: async (folder) => {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  },
  limits: processLimits,
  syncMs,
}

async function syncMs(folder: string): Promise<number> {
  const path = join(folder, `.doctor-${process.pid}`)
  await (await open(path, 'wx', 0o600)).close()
  const file = await open(path, APPENDED)
  try {
    const times: number[] = []
    for (let at = 0; at < FSYNC_WRITES; at += 1) {
      const startMs = performance.now()
      await writeDurably(file, Buffer.alloc(FSYNC_BYTES), at * FSYNC_BYTES)
      times.push(performance.now() - startMs)
    }
    return times.sort((a, b) => a - b)[FSYNC_WRITES >> 1] ?? 0
  } finally {
    await file.close()
    await rm(path, { force: true })
  }
}

/** Check the runtime and the native libraries. */
export async function checkRuntime(machine: Machine): Promise<Finding[]> {
  const { nodeVersion } = machine
  const [major = 0, minor = 0] = nodeVersion.split('.').map(Number)
  const old = major < NODE_MIN[0] || (major === NODE_MIN[0] && minor < NODE_MIN[1])
  return [
    old
      ? fail('node', `Node ${nodeVersion}`, `Install Node ${NODE_MIN.join('.')} or later.`)
      : ok('node', `Node ${nodeVersion}`),
    (await machine.bls()) === 'blst'
      ? ok('bls', 'votes are verified with the native library')
      : warn('bls', 'no native BLS library for this platform: votes are verified in JavaScript, 25 to 45 times slower'),
    ok('ed25519', `transactions are verified with the ${(await machine.fastEd25519()) ? 'native library' : 'runtime'}`),
  ]
}

/** Check the free space of the file system of the data directory. */
export async function checkDisk({ config }: DiagnosticContext, { freeBytes }: Machine): Promise<Finding[]> {
  if (config === undefined) return [skip('disk', 'needs the configuration')]
  const { dataDir } = config
  const free = await freeBytes(dataDir).catch(() => freeBytes(dirname(dataDir)).catch(() => undefined))
  if (free === undefined) return [skip('disk', `${dataDir}: the file system reports no free space`)]
  const freeMib = Math.floor(free / 2 ** 20)
  const text = `${dataDir}: ${freeMib} MiB free`
  if (freeMib < FREE_MIN_MIB) return [fail('disk', text, `A node needs at least ${FREE_MIN_MIB} MiB.`)]
  return [
    freeMib < DISK_WARN_MIB ? warn('disk', text, `Less than ${DISK_WARN_MIB} MiB can fill up soon.`) : ok('disk', text),
  ]
}

/** Check the time that a vote waits for the disk of the data directory. */
export async function checkSync({ config }: DiagnosticContext, machine: Machine): Promise<Finding[]> {
  if (config === undefined) return [skip('fsync', 'needs the configuration')]
  const { dataDir } = config
  if (!(await exists(dataDir).catch(() => false))) return [skip('fsync', `${dataDir}: does not exist yet`)]
  try {
    const ms = await machine.syncMs(dataDir)
    const text = `${dataDir}: a small write is on the disk after ${ms.toFixed(1)} ms`
    return [
      ms > FSYNC_WARN_MS
        ? warn('fsync', text, 'Votes wait for each write: use a separate or a faster disk.')
        : ok('fsync', text),
    ]
  } catch (error) {
    return [failed('fsync', error)]
  }
}

/** Check the limit of open files, if the system reports it. */
export async function checkOpenFiles(machine: Machine): Promise<Finding[]> {
  const limit = openFilesLimit(await machine.limits())
  if (limit === undefined) return []
  return limit < OPEN_FILES_MIN
    ? [warn('open_files', `at most ${limit} open files`, `ulimit -n ${OPEN_FILES_MIN}`)]
    : [ok('open_files', `at most ${limit} open files`)]
}

/** True if this process can listen at the address; otherwise the error of the system. */
const canListen = ({ host, port }: HostPort): Promise<true | string> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(true)))
  })

/** Check that the listen addresses of a stopped node are free. */
export async function checkPorts({ config, running }: DiagnosticContext): Promise<Finding[]> {
  if (config === undefined) return [skip('ports', 'needs the configuration')]
  if (running) return []
  const findings: Finding[] = []
  for (const [name, address] of [
    ['network.listen', config.network.listen],
    ['gateway.listen', config.gateway.listen],
  ] as const) {
    const result = await canListen(address)
    const text = `${name} ${formatHostPort(address)}`
    if (result === true) findings.push(ok('ports', `${text}: free`))
    else if (result === 'EADDRINUSE') findings.push(fail('ports', `${text}: in use by another program`))
    else findings.push(fail('ports', `${text}: cannot listen there (${result})`))
  }
  return findings
}
