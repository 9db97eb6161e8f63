/** Connections to a signer whose other side has proved nothing: silent ones keep no node out. */
import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { expect, it } from 'vitest'
import { Handshakes } from '../../../src/signer/handshakes.js'
import { HANDSHAKES_MAX, HANDSHAKES_PER_ADDRESS_MAX } from '../../../src/signer/limits.js'

let ports = 0
class FakeSocket extends EventEmitter {
  readonly remotePort: number
  destroyed = false
  constructor(readonly remoteAddress: string) {
    super()
    ports += 1
    this.remotePort = ports
  }
  destroy(): void {
    this.destroyed = true
    this.emit('close')
  }
}

/** Opens silent connections from an address. */
function silent(handshakes: Handshakes, address: string, count: number): FakeSocket[] {
  const sockets = Array.from({ length: count }, () => new FakeSocket(address))
  for (const socket of sockets) handshakes.add(socket as unknown as Socket)
  return sockets
}
const open = (sockets: readonly FakeSocket[]): number => sockets.filter(({ destroyed }) => !destroyed).length

it('silent connections from one address close only each other, not those from another address', () => {
  const handshakes = new Handshakes()
  const [node] = silent(handshakes, '10.0.0.1', 1)
  const flood = silent(handshakes, '10.0.0.2', 1_000)
  expect([open(flood), node?.destroyed]).toEqual([HANDSHAKES_PER_ADDRESS_MAX, false])
})

it('silent connections from many addresses are closed before one from an address with few connections', () => {
  const handshakes = new Handshakes()
  const [node] = silent(handshakes, '10.0.0.1', 1)
  const floods = Array.from({ length: 100 }, (_, index) => silent(handshakes, `10.0.1.${index}`, 20))
  expect(node?.destroyed).toBe(false)
  expect(open(floods.flat())).toBe(HANDSHAKES_MAX - 1)
})

it('a new connection is accepted at the limit of its address, and a finished handshake frees its slot', () => {
  const handshakes = new Handshakes(() => 0)
  const held = silent(handshakes, '10.0.0.1', HANDSHAKES_PER_ADDRESS_MAX)
  const [next] = silent(handshakes, '10.0.0.1', 1)
  expect([next?.destroyed, open(held)]).toEqual([false, HANDSHAKES_PER_ADDRESS_MAX - 1])
  handshakes.done(next as unknown as Socket)
  silent(handshakes, '10.0.0.1', 1)
  expect(open(held)).toBe(HANDSHAKES_PER_ADDRESS_MAX - 1)
})
