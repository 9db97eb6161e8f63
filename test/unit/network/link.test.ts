/** Input that a link accepts from the other side before it ends, with bytes from a socket of the test. */
import { EventEmitter } from 'node:events'
import type { TLSSocket } from 'node:tls'
import { describe, expect, it } from 'vitest'
import { CONTROLS_PER_PING_MAX } from '../../../src/network/limits.js'
import { Link } from '../../../src/network/link.js'
import { type FrameKind, frameHead } from '../../../src/network/wire.js'

/** The socket of a link: bytes come when the test says so, what is written is gone. */
class Wire extends EventEmitter {
  destroyed = false
  setNoDelay(): void {}
  write(): boolean {
    return true
  }
  end(): void {}
  destroy(): void {
    this.destroyed = true
  }
}

/** An open link and the faults that it told. */
function opened(): { readonly link: Link; readonly wire: Wire; readonly faults: string[] } {
  const wire = new Wire()
  const faults: string[] = []
  const link = new Link(wire as unknown as TLSSocket, false, 'peer:1', {
    onControl: () => {},
    onMessage: () => {},
    onPart: () => {},
    onFault: (_link, kind) => void faults.push(kind),
    onClosed: () => {},
  })
  link.open()
  return { link, wire, faults }
}

const frames = (kind: FrameKind, count: number): Buffer =>
  Buffer.concat(Array.from({ length: count }, () => Buffer.concat([frameHead(0, kind, 4), Buffer.alloc(4)])))

describe.each(['ping', 'pong'] as const)('a flood of link control frames: %s', (kind) => {
  it('closes the link, because message budgets do not apply to control frames', () => {
    const { wire, faults } = opened()
    wire.emit('data', frames(kind, CONTROLS_PER_PING_MAX))
    expect(faults).toEqual([])
    wire.emit('data', frames(kind, 1_000))
    expect(faults).toEqual(['protocol'])
    expect(wire.destroyed).toBe(true)
  })

  it('is tolerated at the rate of our own pings', () => {
    const { link, wire, faults } = opened()
    for (let round = 0; round < 10; round++) {
      link.ping(0)
      wire.emit('data', frames(kind, CONTROLS_PER_PING_MAX))
    }
    expect(faults).toEqual([])
  })

  it('closes the link if a frame has an unexpected size', () => {
    const { wire, faults } = opened()
    wire.emit('data', Buffer.concat([frameHead(0, kind, 5), Buffer.alloc(5)]))
    expect(faults).toEqual(['protocol'])
  })
})
