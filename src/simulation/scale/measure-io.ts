/** Owns the measured costs of I/O of the main thread: writes to TLS connections, and jobs for other threads. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { type ConnectionOptions, connect, createServer, type TLSSocket } from 'node:tls'
import { Worker } from 'node:worker_threads'
import type { Costs } from './costs.js'
import { quantile } from './tally.js'

/** Messages of one measurement: enough for compilation, and to average out a millisecond of noise. */
const SMALL_MESSAGES = 1_500
const LARGE_MESSAGES = 40
/** Bytes of a vote, and of a part of a payload. */
const SMALL_BYTES = 256
const LARGE_BYTES = 256 * 1024
const JOBS = 1_000

/** Processor time of this process in ns: all of its threads, including system time. */
function spentNs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) * 1_000
}

/** TLS settings with a pre-shared key; the cost per byte does not depend on the handshake. */
const TLS = { maxVersion: 'TLSv1.2', ciphers: 'PSK-AES256-GCM-SHA384' } as const
const SHARED_KEY = Buffer.alloc(32, 1)

/** Per message: the median time of the write, and all processor time of both ends, in ns. */
interface Exchange {
  readonly writeNs: number
  readonly totalNs: number
}

/** Send messages from one socket to the other, one after the other. */
async function exchange(from: TLSSocket, to: TLSSocket, bytes: number, messages: number): Promise<Exchange> {
  const body = Buffer.alloc(bytes)
  let got = 0
  let arrived = (): void => {}
  const onData = (chunk: Buffer): void => {
    got += chunk.length
    if (got >= bytes) arrived()
  }
  to.on('data', onData)
  const writesMs: number[] = []
  const beforeNs = spentNs()
  for (let message = 0; message < messages; message++) {
    got = 0
    const done = new Promise<void>((resolve) => {
      arrived = resolve
    })
    const startedMs = performance.now()
    from.write(body)
    writesMs.push(performance.now() - startedMs)
    await done
  }
  const totalNs = (spentNs() - beforeNs) / messages
  to.off('data', onData)
  return { writeNs: quantile(writesMs, 0.5) * 1e6, totalNs }
}

/** Costs of messages on a loopback connection. */
async function measureLinks(): Promise<Pick<Costs, 'writeNs' | 'writeKibNs' | 'readNs' | 'readKibNs'>> {
  const server = createServer({ ...TLS, pskCallback: () => SHARED_KEY })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const options: ConnectionOptions = {
    ...TLS,
    host: '127.0.0.1',
    port: (server.address() as AddressInfo).port,
    pskCallback: () => ({ psk: SHARED_KEY, identity: 'scale' }),
    checkServerIdentity: () => undefined,
  }
  const client = connect(options)
  try {
    const [[accepted]] = await Promise.all([once(server, 'secureConnection'), once(client, 'secureConnect')])
    const other = accepted as TLSSocket
    client.setNoDelay(true)
    // The first round is a warm-up for the compiler.
    await exchange(client, other, SMALL_BYTES, SMALL_MESSAGES / 3)
    const small = await exchange(client, other, SMALL_BYTES, SMALL_MESSAGES)
    await exchange(client, other, LARGE_BYTES, LARGE_MESSAGES / 4)
    const large = await exchange(client, other, LARGE_BYTES, LARGE_MESSAGES)
    // Both ends process the same bytes.
    const kibNs = (Math.max(0, large.totalNs - small.totalNs) * 1_024) / (LARGE_BYTES - SMALL_BYTES) / 2
    const readNs = Math.max(0, small.totalNs - small.writeNs)
    return { writeNs: small.writeNs, writeKibNs: kibNs, readNs, readKibNs: kibNs }
  } finally {
    client.destroy()
    server.close()
  }
}

/** Cost of a job for another thread: half the processor time of a round trip. */
async function measureHandoff(): Promise<Pick<Costs, 'handoffNs'>> {
  const source = `const { parentPort } = require('node:worker_threads'); parentPort.on('message', (one) => parentPort.postMessage(one))`
  const worker = new Worker(source, { eval: true })
  const trip = async (jobs: number): Promise<void> => {
    for (let job = 0; job < jobs; job++) {
      const answered = once(worker, 'message')
      worker.postMessage(new Uint8Array(SMALL_BYTES))
      await answered
    }
  }
  try {
    await trip(JOBS / 4)
    const beforeNs = spentNs()
    await trip(JOBS)
    return { handoffNs: (spentNs() - beforeNs) / JOBS / 2 }
  } finally {
    await worker.terminate()
  }
}

export const measureIo = async (): Promise<
  Pick<Costs, 'writeNs' | 'writeKibNs' | 'readNs' | 'readKibNs' | 'handoffNs'>
> => ({ ...(await measureLinks()), ...(await measureHandoff()) })
