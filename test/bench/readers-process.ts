/**
 * Owns the reading process of a benchmark: it opens streams, counts events, and reports the counts of every reader at
 * the end.
 */
import { Agent, get } from 'node:http'
import { WebSocket } from 'ws'
import type { ReaderCounts, ReadersPlan } from './readers.js'

/** Number of readers opened concurrently. */
const OPENED_AT_ONCE = 25

interface Reader {
  readonly kind: keyof ReadersPlan['counts']
  bytes: number
  blocks: number
  lagged: number
  disconnected: boolean
}

const readers: Reader[] = []
let closing = false

/** Number of occurrences of a text in bytes; readers do not parse, so that they do not dominate the measurement. */
function countOf(bytes: Buffer, text: string): number {
  let found = 0
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + text.length)) found += 1
  return found
}

function openSse(url: string, reader: Reader): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent: new Agent({ keepAlive: false }) }, (response) => {
      if (response.statusCode !== 200) return reject(new Error(`${url} answers ${response.statusCode}`))
      response.on('data', (bytes: Buffer) => {
        reader.bytes += bytes.length
        reader.blocks += countOf(bytes, 'event: block\n')
        reader.lagged += countOf(bytes, 'event: lagged\n')
      })
      response.on('close', () => {
        reader.disconnected ||= !closing
      })
      resolve()
    })
    request.on('error', (error) => (closing ? resolve() : reject(error)))
  })
}

function openSocket(url: string, start: string, reader: Reader): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, { perMessageDeflate: false })
    socket.once('open', () => socket.send(start))
    socket.on('message', (data: Buffer) => {
      reader.bytes += data.length
      if (data.includes('"Subscribed"')) resolve()
      else if (data.includes('"Lagged"')) reader.lagged += 1
      else if (data.includes('"event":{"Block"')) reader.blocks += 1
    })
    socket.on('error', reject)
    socket.on('close', () => {
      reader.disconnected ||= !closing
    })
  })
}

function open(kind: Reader['kind'], gateway: string): Promise<void> {
  const reader: Reader = { kind, bytes: 0, blocks: 0, lagged: 0, disconnected: false }
  readers.push(reader)
  if (kind === 'sse') return openSse(`${gateway}/v1/events/sse?category=block`, reader)
  const start = kind === 'unfiltered' ? '{"filters":[]}' : '{"filters":[{"category":"Block"}]}'
  return openSocket(`${gateway.replace(/^http/, 'ws')}/events`, start, reader)
}

function countsOf(kind: Reader['kind']): ReaderCounts {
  const own = readers.filter((reader) => reader.kind === kind)
  const blocks = own.map((reader) => reader.blocks)
  return {
    readers: own.length,
    blocksLeast: Math.min(...blocks),
    blocksMost: Math.max(...blocks),
    megabytes: own.reduce((sum, reader) => sum + reader.bytes, 0) / 1e6,
    lagNotices: own.reduce((sum, reader) => sum + reader.lagged, 0),
    disconnected: own.filter((reader) => reader.disconnected).length,
  }
}

const plan = JSON.parse(process.argv[2] ?? '') as ReadersPlan
const kinds = Object.keys(plan.counts) as Reader['kind'][]
const wanted = kinds.flatMap((kind) => Array.from({ length: plan.counts[kind] }, () => kind))
for (let at = 0; at < wanted.length; at += OPENED_AT_ONCE) {
  const opening = wanted.slice(at, at + OPENED_AT_ONCE)
  await Promise.all(opening.map((kind, place) => open(kind, plan.gateways[(at + place) % plan.gateways.length]!)))
}
process.send?.({ type: 'ready' })
const [openMs, used] = [performance.now(), process.cpuUsage()]
await new Promise((resolve) => process.once('message', resolve))
closing = true
const { user, system } = process.cpuUsage(used)
const cores = (user + system) / 1_000 / (performance.now() - openMs)
const counts = Object.fromEntries(kinds.map((kind) => [kind, countsOf(kind)]))
process.send?.({ type: 'done', counts, cores }, () => process.exit(0))
