/** Resolution of names that strangers choose: by name servers, within a time, in no queue of the process. */
import { createSocket, type Socket } from 'node:dgram'
import { lookup } from 'node:dns/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { nameResolver } from '../../../src/network/outbound/resolver.js'

const sockets: Socket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) await new Promise<void>((resolve) => socket.close(resolve))
})

/** A name server; `answer` gives the bytes of an answer to those of a question, or none. */
async function nameServer(
  answer: (question: Buffer) => Buffer | undefined,
): Promise<{ place: string; asked: () => number }> {
  const socket = createSocket('udp4')
  sockets.push(socket)
  let asked = 0
  socket.on('message', (question, { port, address }) => {
    asked += 1
    const bytes = answer(question)
    if (bytes !== undefined) socket.send(bytes, port, address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  return { place: `127.0.0.1:${socket.address().port}`, asked: () => asked }
}

/** Answers questions for IPv4 addresses with one, others with none. */
function addressed(question: Buffer): Buffer {
  const end = question.indexOf(0, 12) + 5
  const isV4 = question.readUInt16BE(end - 4) === 1
  const head = Buffer.from(question.subarray(0, end))
  head.writeUInt16BE(0x8180, 2)
  head.writeUInt16BE(isV4 ? 1 : 0, 6)
  head.writeUInt32BE(0, 8)
  const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 192, 0, 2, 7])
  return isV4 ? Buffer.concat([head, record]) : head
}

describe('a host name', () => {
  it('resolves to the addresses of its name server', async () => {
    const { place } = await nameServer(addressed)
    expect(await nameResolver([place])('hook.example')).toEqual([{ address: '192.0.2.7', family: 4 }])
  })

  it('times out if the name server is silent, without delaying other lookups', async () => {
    const { place, asked } = await nameServer(() => undefined)
    const resolve = nameResolver([place], 200)
    const all = Promise.allSettled(Array.from({ length: 64 }, (_, index) => resolve(`h${index}.slow.example`)))
    // The system's own way, which has a few threads for all lookups and files of the process.
    expect((await lookup('127.0.0.1')).address).toBe('127.0.0.1')
    expect(new Set((await all).map(({ status }) => status))).toEqual(new Set(['rejected']))
    expect(asked()).toBeGreaterThan(0)
  })

  it('of the local machine resolves without a name server', async () => {
    const { place, asked } = await nameServer(() => undefined)
    expect((await nameResolver([place])('localhost')).map(({ address }) => address)).toEqual(['127.0.0.1', '::1'])
    expect(asked()).toBe(0)
  })
})
