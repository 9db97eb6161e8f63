/** Logs that nothing takes, and the signals of daemons: a node goes on without its log, and two signals always end it. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { closeSync, constants, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type FreshPeer, freshPeer } from '../support/fresh-peer.js'
import { LINUX_MISSING, needs } from '../support/needs.js'
import { until } from '../support/ports.js'
import { EXECUTABLE, startCauseway } from './run.js'

/** Log file in the configuration of the peer. */
const LOG_FILE = 'file = "node.log"\n'

let root: string
let peer: FreshPeer
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'causeway-log-'))
  peer = await freshPeer(root, Date.now())
  const text = readFileSync(peer.config, 'utf8')
  expect(text).toContain(LOG_FILE)
  writeFileSync(peer.config, text.replace(LOG_FILE, ''))
})
afterAll(() => rm(root, { recursive: true, force: true }))

const running = new Set<ChildProcess>()
afterEach(() => {
  for (const child of running) child.kill('SIGKILL')
  running.clear()
})

/** End of a process: its exit code, or the signal that ended it. */
type Ending = Promise<number | NodeJS.Signals | null>

/** Starts the node of the peer with a log at `file`, or at its standard output, a descriptor. */
function start(log: { readonly file: string } | { readonly output: number | 'pipe' }): [ChildProcess, Ending] {
  const env = { PATH: process.env.PATH, ...('file' in log ? { CAUSEWAY_NODE__LOG__FILE: log.file } : {}) }
  const output = 'file' in log ? 'ignore' : log.output
  const words = [EXECUTABLE, 'node', 'start', '--first-start', '--config', peer.config]
  const child = spawn(process.execPath, words, {
    env: { ...env, CAUSEWAY_NODE__LOG__LEVEL: 'debug', CAUSEWAY_NODE__TELEMETRY__PROFILE: 'full' },
    stdio: ['ignore', output, 'pipe'],
  })
  running.add(child)
  return [child, new Promise((resolve) => child.once('exit', (code, signal) => resolve(code ?? signal)))]
}

/** Lines that the running node lost, once it serves and has lost at least so many. */
const lostLines = (atLeast: number): Promise<number> =>
  until(`a node that lost ${atLeast} lines of its log`, async () => {
    const answer = await fetch(`http://127.0.0.1:${peer.ports}/metrics`).catch(() => undefined)
    const lost = /^node_log_lines_lost_total (\d+)$/m.exec((await answer?.text()) ?? '')?.[1]
    return lost !== undefined && Number(lost) >= atLeast ? Number(lost) : undefined
  })

describe(
  'a node without a working log continues, counts dropped lines, and stops on request',
  needs(LINUX_MISSING),
  () => {
    test('with a file on a full disk', async () => {
      const [child, ended] = start({ file: '/dev/full' })
      expect(await lostLines(1)).toBeGreaterThan(0)
      child.kill('SIGTERM')
      expect(await ended).toBe(0)
    })

    test('with standard output on a full disk', async () => {
      const [child, ended] = start({ output: openSync('/dev/full', 'w') })
      expect(await lostLines(1)).toBeGreaterThan(0)
      child.kill('SIGTERM')
      expect(await ended).toBe(0)
    })

    test('with a pipe without a reader', async () => {
      const [child, ended] = start({ output: 'pipe' })
      child.stdout?.destroy()
      expect(await lostLines(1)).toBeGreaterThan(0)
      child.kill('SIGTERM')
      expect(await ended).toBe(0)
    })

    test('with a pipe that is full and never read, where only a signal can stop the node', async () => {
      const path = join(root, 'full-pipe')
      spawnSync('mkfifo', [path])
      const held = openSync(path, constants.O_RDWR | constants.O_NONBLOCK)
      expect(() => {
        for (;;) writeSync(held, Buffer.alloc(4096))
      }).toThrow('EAGAIN')
      const [child, ended] = start({ output: openSync(path, constants.O_WRONLY) })
      await lostLines(0)
      child.kill('SIGTERM')
      expect(await ended).toBe('SIGTERM')
      closeSync(held)
    })
  },
)

test('a node opens a new log file on SIGHUP after the old one was moved', async () => {
  const file = join(root, 'node.log')
  const [child, ended] = start({ file })
  await lostLines(0)
  await rename(file, `${file}.1`)
  child.kill('SIGHUP')
  await until('the new log', async () => {
    try {
      return readFileSync(file, 'utf8').includes('the configuration was reloaded') || undefined
    } catch {
      return undefined
    }
  })
  child.kill('SIGTERM')
  expect(await ended).toBe(0)
  expect(readFileSync(`${file}.1`, 'utf8')).toContain('node started')
})

test('two signals terminate a node at once, even if both arrive before the handler runs', async () => {
  const [child, ended] = start({ file: join(root, 'signals.log') })
  await lostLines(0)
  child.kill('SIGSTOP')
  child.kill('SIGTERM')
  child.kill('SIGINT')
  child.kill('SIGCONT')
  expect(['SIGTERM', 'SIGINT']).toContain(await ended)
})

test('SIGUSR1 does not open an inspector', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const asked = new Promise((resolve) => server.once('request', (_, answer) => resolve(answer)))
  const { port } = server.address() as AddressInfo
  const child = startCauseway(['status', '--gateway', `http://127.0.0.1:${port}`])
  let output = ''
  child.stderr.on('data', (part: Buffer) => {
    output += part.toString()
  })
  const ended = new Promise((resolve) => child.once('exit', (code) => resolve(code)))
  await asked
  child.kill('SIGUSR1')
  const answer = (await asked) as ServerResponse
  answer.writeHead(500).end()
  expect(await ended).toBeTypeOf('number')
  expect(output).not.toMatch(/debugger/i)
  server.close()
})
