/** Owns the benchmark of the message reader: parsing and validation, in messages per second on one core. */
import { parseMessage, parsePayment } from '../../src/features/iso20022/message/index.js'
import { envelope009, FLAT_008, pacs008 } from '../fixtures/iso20022/messages.js'

const ROUNDS = 3_000

function rate(bodies: readonly Uint8Array[], read: (body: Uint8Array) => { readonly ok: boolean }): number {
  for (const body of bodies) if (!read(body).ok) throw new Error('a message of the benchmark is refused')
  for (let round = 0; round < ROUNDS / 10; round++) for (const body of bodies) read(body)
  // Processor time of all threads, which other load on the machine does not change.
  const start = process.cpuUsage()
  for (let round = 0; round < ROUNDS; round++) for (const body of bodies) read(body)
  const { user, system } = process.cpuUsage(start)
  return Math.round((ROUNDS * bodies.length * 1_000_000) / (user + system))
}

/** Messages per second of processor time, by form; every body is parsed and validated in full, without caching. */
export function benchIso(): Readonly<Record<string, number>> {
  const xml8 = Buffer.from(pacs008())
  const xml9 = Buffer.from(envelope009())
  const flat = Buffer.from(FLAT_008.join('\n'))
  return {
    pacs008XmlPerSecond: rate([xml8], (body) => parsePayment(body, { family: 'pacs.008' })),
    pacs009XmlPerSecond: rate([xml9], (body) => parsePayment(body, { family: 'pacs.009' })),
    pacs008FlatPerSecond: rate([flat], (body) => parsePayment(body, { family: 'pacs.008' })),
    mixedPerSecond: rate([xml8, xml9], (body) => parseMessage(body)),
  }
}
