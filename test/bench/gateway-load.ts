/**
 * Owns the client process of the gateway benchmark: prepared requests over persistent connections, as fast as responses
 * arrive.
 */
import { connect, type Socket } from 'node:net'
import { TRANSACTION_FRAME } from '../../src/api/frames.js'
import { readRecords } from './records-file.js'

const END_OF_HEAD = Buffer.from('\r\n\r\n')
const LENGTH = /\r\ncontent-length: (\d+)/i

/** Result of one run. */
export interface LoadResult {
  readonly seconds: number
  /** Number of responses by status. */
  readonly statuses: readonly (readonly [number, number])[]
}

const [file = '', port = '0', connections = '1'] = process.argv.slice(2)
const host = `127.0.0.1:${port}`
const requests = (await readRecords(file)).map(({ bytes }) => {
  const body = TRANSACTION_FRAME.wrap(bytes)
  const head = `POST /transaction HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/x-codec\r\ncontent-length: ${body.length}\r\n\r\n`
  return Buffer.concat([Buffer.from(head, 'latin1'), body])
})

async function opened(): Promise<Socket> {
  const socket = connect({ port: Number(port), host: '127.0.0.1', noDelay: true })
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  return socket
}

/** Send requests `from` to `to`, one at a time on each connection. */
async function run(sockets: readonly Socket[], from: number, to: number): Promise<LoadResult> {
  const statuses = new Map<number, number>()
  let next = from
  const serve = (socket: Socket): Promise<void> =>
    new Promise((resolve, reject) => {
      let held: Buffer = Buffer.alloc(0)
      const send = (): void => {
        const request = next < to ? requests[next++] : undefined
        if (request !== undefined) socket.write(request)
        else {
          socket.off('data', take).off('error', reject).off('close', closed)
          resolve()
        }
      }
      const closed = (): void => reject(new Error('the gateway closed a connection'))
      const take = (bytes: Buffer): void => {
        held = held.length === 0 ? bytes : Buffer.concat([held, bytes])
        const end = held.indexOf(END_OF_HEAD)
        if (end < 0) return
        const head = held.toString('latin1', 0, end)
        if (held.length < end + END_OF_HEAD.length + Number(LENGTH.exec(head)?.[1] ?? 0)) return
        const status = Number(head.slice(9, 12))
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        held = Buffer.alloc(0)
        send()
      }
      socket.on('data', take).on('error', reject).on('close', closed)
      send()
    })
  const started = performance.now()
  await Promise.all(sockets.map(serve))
  return { seconds: (performance.now() - started) / 1_000, statuses: [...statuses] }
}

const sockets = await Promise.all(Array.from({ length: Number(connections) }, opened))
process.on('message', ({ from, to }: { from: number; to: number }) => {
  run(sockets, from, to).then(
    (result) => process.send?.(result),
    (error: Error) => {
      process.stderr.write(`${error.stack}\n`)
      process.exit(1)
    },
  )
})
process.once('disconnect', () => {
  for (const socket of sockets) socket.destroy()
})
process.send?.('ready')
