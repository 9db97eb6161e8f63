/**
 * Owns the comparison with a crash-fault-tolerant store: four etcd processes on the same machine, with the same kind of
 * load, if etcd is installed.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Agent, request } from 'undici'
import { freePorts } from '../support/ports.js'

const run = promisify(execFile)
const MEMBERS = 4
const WRITES = 20_000
/** Size of a value in bytes, equal to a signed transfer. */
const VALUE_BYTES = 271
const CONNECTIONS = 32
const READY_MS = 15_000

const base64 = (text: string): string => Buffer.from(text).toString('base64')

/** Writes per second of a four-member etcd through its JSON gateway; undefined if it is not installed. */
export async function benchEtcd() {
  const version = await run('etcd', ['--version']).then(
    ({ stdout }) => stdout.split('\n')[0],
    () => undefined,
  )
  if (version === undefined) return { installed: false }
  const folder = await mkdtemp(join(tmpdir(), 'causeway-etcd-'))
  const members = await Promise.all(
    Array.from({ length: MEMBERS }, async (_, index) => ({
      name: `m${index}`,
      client: `http://127.0.0.1:${await freePorts(1)}`,
      peer: `http://127.0.0.1:${await freePorts(1)}`,
    })),
  )
  const cluster = members.map((one) => `${one.name}=${one.peer}`).join(',')
  const children: ChildProcess[] = members.map((one) =>
    spawn(
      'etcd',
      [
        ...['--name', one.name, '--data-dir', join(folder, one.name), '--log-level', 'error'],
        ...['--listen-client-urls', one.client, '--advertise-client-urls', one.client],
        ...['--listen-peer-urls', one.peer, '--initial-advertise-peer-urls', one.peer],
        ...['--initial-cluster', cluster, '--initial-cluster-state', 'new'],
      ],
      { stdio: 'ignore' },
    ),
  )
  const agent = new Agent({ connections: CONNECTIONS, pipelining: 1 })
  const put = async (index: number): Promise<void> => {
    const answer = await request(`${members[index % MEMBERS]?.client}/v3/kv/put`, {
      method: 'POST',
      dispatcher: agent,
      body: JSON.stringify({
        key: base64(`transfer/${index}`),
        value: Buffer.alloc(VALUE_BYTES, index).toString('base64'),
      }),
    })
    await answer.body.dump()
    if (answer.statusCode !== 200) throw new Error(`etcd answered ${answer.statusCode}`)
  }
  try {
    const deadline = performance.now() + READY_MS
    for (;;) {
      try {
        await put(0)
        break
      } catch (error) {
        if (performance.now() > deadline) throw error
        await new Promise((resolve) => setTimeout(resolve, 200))
      }
    }
    const started = performance.now()
    let next = 1
    await Promise.all(
      Array.from({ length: CONNECTIONS * MEMBERS }, async () => {
        for (let index = next++; index <= WRITES; index = next++) await put(index)
      }),
    )
    return { installed: true, version, members: MEMBERS, perSecond: (WRITES * 1_000) / (performance.now() - started) }
  } finally {
    for (const child of children) child.kill('SIGKILL')
    await agent.close()
    await rm(folder, { recursive: true, force: true })
  }
}
