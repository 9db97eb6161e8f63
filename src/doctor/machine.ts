/** Owns the checks of the machine: runtime, native libraries, disk, open files, ports. */
import { readFile, statfs } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname } from 'node:path'
import { formatHostPort, type HostPort } from '../node/config/index.js'
import { type Finding, fail, ok, type Patient, skip, warn } from './check.js'

/** Oldest runtime that is tested. */
const NODE_MIN = [20, 19] as const
/** Free space below which a node should not start, and below which it is worth a warning, in MiB. */
const DISK_FAIL_MIB = 256
const DISK_WARN_MIB = 5_120
/** Open files: connections of clients and peers, plus those of the database. */
const OPEN_FILES_MIN = 4_096

/** Runtime and the native libraries that make it fast. */
export async function checkRuntime(): Promise<Finding[]> {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const old = major < NODE_MIN[0] || (major === NODE_MIN[0] && minor < NODE_MIN[1])
  const findings = [
    old
      ? fail('node', `Node ${process.versions.node}`, `Install Node ${NODE_MIN.join('.')} or later.`)
      : ok('node', `Node ${process.versions.node}`),
  ]
  const { loadBls } = await import('../crypto/bls-load.js')
  const { loadFastEd25519 } = await import('../crypto/ed25519.js')
  const bls = await loadBls()
  findings.push(
    bls.name === 'blst'
      ? ok('bls', 'votes are verified by the native library')
      : warn('bls', 'no native BLS library for this platform: votes are verified in JavaScript, 25 to 45 times slower'),
  )
  if (await loadFastEd25519()) findings.push(ok('ed25519', 'transactions are verified by the native library'))
  else findings.push(ok('ed25519', 'transactions are verified by the runtime'))
  return findings
}

/** Free space of the file system of the data directory. */
export async function checkDisk({ config }: Patient): Promise<Finding[]> {
  if (config === undefined) return [skip('disk', 'needs the configuration')]
  const room = await statfs(config.dataDir).catch(() => statfs(dirname(config.dataDir)).catch(() => undefined))
  if (room === undefined) return [skip('disk', `${config.dataDir}: the file system cannot be asked`)]
  const freeMib = Math.floor((room.bavail * room.bsize) / 2 ** 20)
  const text = `${config.dataDir}: ${freeMib} MiB free`
  if (freeMib < DISK_FAIL_MIB) return [fail('disk', text, `A node needs ${DISK_FAIL_MIB} MiB at least.`)]
  return [freeMib < DISK_WARN_MIB ? warn('disk', text, `Less than ${DISK_WARN_MIB} MiB fill soon.`) : ok('disk', text)]
}

/** The limit of open files, where the system tells it. */
export async function checkOpenFiles(): Promise<Finding[]> {
  const text = await readFile('/proc/self/limits', 'latin1').catch(() => '')
  const limit = Number(/^Max open files\s+(\d+)/m.exec(text)?.[1] ?? Number.NaN)
  if (Number.isNaN(limit)) return []
  return limit < OPEN_FILES_MIN
    ? [warn('open_files', `at most ${limit} open files`, `ulimit -n ${OPEN_FILES_MIN}`)]
    : [ok('open_files', `at most ${limit} open files`)]
}

/** True when this process could listen there; otherwise the reason of the system. */
const canListen = ({ host, port }: HostPort): Promise<true | string> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(true)))
  })

/** Listen addresses of a node that does not run: nobody else has them. */
export async function checkPorts({ config, running }: Patient): Promise<Finding[]> {
  if (config === undefined) return [skip('ports', 'needs the configuration')]
  if (running) return []
  const findings: Finding[] = []
  for (const [name, address] of [
    ['network.listen', config.network.listen],
    ['gateway.listen', config.gateway.listen],
  ] as const) {
    const verdict = await canListen(address)
    const text = `${name} ${formatHostPort(address)}`
    if (verdict === true) findings.push(ok('ports', `${text}: free`))
    else if (verdict === 'EADDRINUSE') findings.push(fail('ports', `${text}: another program listens there`))
    else findings.push(fail('ports', `${text}: this machine cannot listen there (${verdict})`))
  }
  return findings
}
