import { describe, expect, it } from 'vitest'
import { Gossip, type GossipMessage, gossipMessage } from '../../../src/node/peers/gossip.js'
import { type QueuedTransaction, TransactionQueue } from '../../../src/queue/index.js'

const transaction = (byte: number, enteredAtMs: number): QueuedTransaction => ({
  id: Buffer.alloc(32, byte),
  signedHash: Buffer.alloc(32, byte + 100),
  bytes: Buffer.alloc(200, byte),
  authority: `account ${byte}`,
  route: { lane: 0, dataspace: 0n },
  teu: 240,
  work: 0,
  proofWork: 0,
  expiresAtMs: 1_000_000,
  enteredAtMs,
})

/** Two nodes whose broadcasts and answers can be lost. */
function pair() {
  let nowMs = 0
  const nodes = [0, 1].map(() => ({
    queue: new TransactionQueue(),
    sent: 0,
    bytes: 0,
    last: Buffer.alloc(0) as Buffer,
  }))
  const longestByA = { bytes: 0 }
  /** Bytes that peers may still be answered with. */
  const budget = { bytes: Number.POSITIVE_INFINITY }
  let cut = false
  const faults: { peer: string; kind: string }[] = []
  const gossips: Gossip[] = nodes.map((node, index) => {
    const deliver = (body: Buffer): boolean => {
      node.sent += 1
      node.bytes += body.length
      node.last = body
      if (index === 0) longestByA.bytes = Math.max(longestByA.bytes, body.length)
      if (!cut) gossips[1 - index]?.onMessage(`peer ${index}`, body)
      return true
    }
    return new Gossip({
      transport: {
        send: (_to, _channel, body) => deliver(Buffer.from(body)),
        broadcast: (_channel, body) => Number(deliver(Buffer.from(body))),
      },
      queue: node.queue,
      monotonicMs: () => nowMs,
      wallMs: () => nowMs,
      receive: (_from, records) => {
        for (const record of records) node.queue.push({ ...transaction(record[0] ?? 0, nowMs), bytes: record })
      },
      receiveEvidence: () => {},
      receiveTime: () => {},
      snapshots: { wanted: () => {}, chunkWanted: () => {} },
      conduct: {
        allowsGossip: () => true,
        allowsReply: (_peer, _channel, bytes) => {
          budget.bytes -= bytes
          return budget.bytes >= 0
        },
        fault: (peer, kind) => void faults.push({ peer, kind }),
      },
    })
  })
  const [a, b] = [gossips[0] as Gossip, gossips[1] as Gossip]
  return {
    a,
    b,
    queues: nodes.map((node) => node.queue) as [TransactionQueue, TransactionQueue],
    sentByA: () => nodes[0]?.sent ?? 0,
    bytesByA: () => nodes[0]?.bytes ?? 0,
    longestByA,
    budget,
    lastOfA: () => {
      const decoded = gossipMessage.decode(nodes[0]?.last ?? Buffer.alloc(0))
      return decoded.ok ? decoded.value : undefined
    },
    /** Node 0 gets a message of node 1, whatever that would say itself. */
    sendToA: (message: GossipMessage) => a.onMessage('peer 1', gossipMessage.encode(message)),
    cut: (on: boolean) => {
      cut = on
    },
    at: (ms: number) => {
      nowMs = ms
    },
  }
}

const announced = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('an uncommitted transaction', () => {
  it('is offered again after its announcement was lost, and reaches a peer that requests it', async () => {
    const net = pair()
    const one = transaction(1, 0)
    net.queues[0].push(one)
    net.cut(true)
    net.a.announce(one.bytes)
    await announced()
    expect(net.queues[1].size).toBe(0)
    net.cut(false)
    net.at(1_999)
    net.a.offer(false)
    expect(net.queues[1].size).toBe(0)
    net.at(2_000)
    net.a.offer(false)
    expect(net.queues[1].has(one.id)).toBe(true)
  })

  it('is offered at increasing intervals, up to half a minute', () => {
    const net = pair()
    net.queues[0].push(transaction(1, 0))
    net.cut(true)
    const offeredAt: number[] = []
    for (let ms = 0; ms <= 200_000; ms += 500) {
      net.at(ms)
      const before = net.sentByA()
      net.a.offer(false)
      if (net.sentByA() > before) offeredAt.push(ms)
    }
    const pauses = offeredAt.slice(1).map((ms, index) => ms - (offeredAt[index] ?? 0))
    expect(offeredAt[0]).toBe(2_000)
    expect(pauses.slice(0, 4)).toEqual([4_000, 8_000, 16_000, 30_000])
    expect(Math.max(...pauses)).toBe(30_000)
  })

  it('is offered at once when a view fails, regardless of its age', () => {
    const net = pair()
    const one = transaction(1, 0)
    net.queues[0].push(one)
    net.a.offer(true)
    expect(net.queues[1].has(one.id)).toBe(true)
  })

  it('is sent once in response to a message that requests it a thousand times', () => {
    const net = pair()
    const one = { ...transaction(1, 0), bytes: Buffer.alloc(70 * 1024, 1) }
    net.queues[0].push(one)
    const before = net.bytesByA()
    net.sendToA({ kind: 'want', value: Array.from({ length: 1_024 }, () => one.id) })
    expect(net.bytesByA() - before).toBeLessThan(2 * one.bytes.length)
    net.sendToA({ kind: 'offer', value: Array.from({ length: 1_024 }, () => Buffer.alloc(32, 9)) })
    expect(net.lastOfA()).toEqual({ kind: 'want', value: [Buffer.alloc(32, 9)] })
  })

  it('is sent in batches, with at most four in one response; the rest is offered again', () => {
    const net = pair()
    const all = Array.from({ length: 12 }, (_, at) => ({
      ...transaction(at + 1, 0),
      bytes: Buffer.alloc(900 * 1024, at + 1),
    }))
    for (const one of all) net.queues[0].push(one)
    net.cut(true)
    net.longestByA.bytes = 0
    const before = net.bytesByA()
    net.sendToA({ kind: 'want', value: all.map((one) => one.id) })
    expect(net.longestByA.bytes).toBeLessThan(1024 * 1024 + 1024)
    expect(net.bytesByA() - before).toBeLessThan(4 * 1024 * 1024 + 1024)
    expect(net.bytesByA() - before).toBeGreaterThan(3 * 1024 * 1024)
  })

  it('is sent within the budget of the requesting peer, however often the peer requests it', () => {
    const net = pair()
    const all = [1, 2, 3].map((byte) => ({ ...transaction(byte, 0), bytes: Buffer.alloc(900 * 1024, byte) }))
    for (const one of all) net.queues[0].push(one)
    net.cut(true)
    net.budget.bytes = 2_000 * 1024
    const before = net.bytesByA()
    for (let time = 0; time < 5; time++) net.sendToA({ kind: 'want', value: all.map((one) => one.id) })
    expect(net.bytesByA() - before).toBeGreaterThan(1_800 * 1024)
    expect(net.bytesByA() - before).toBeLessThan(2_000 * 1024)
  })

  it('is not requested by a peer that already has it', () => {
    const net = pair()
    const one = transaction(1, 0)
    for (const queue of net.queues) queue.push(one)
    net.a.offer(true)
    // The offer alone: no record went over the link.
    expect(net.sentByA()).toBe(1)
  })
})
