/**
 * Data held for observers: bounded for all of them together, whatever their number, and the slowest of them end first.
 */
import { describe, expect, it } from 'vitest'
import {
  OBSERVER_LINKS_MAX,
  OBSERVERS_PARTS_MAX_BYTES,
  OBSERVERS_QUEUE_MAX_BYTES,
} from '../../../src/network/limits.js'
import type { Link } from '../../../src/network/link.js'
import { ObserverLinks } from '../../../src/network/observers.js'

const MIB = 1024 * 1024

/** Links that hold what they are given, until they end. */
class Fakes {
  readonly open: { name: string; remote: string; waitingBytes: number; partBytes: number; destroy: () => void }[] = []
  readonly observers = new ObserverLinks(() => this.open as unknown as readonly Link[])

  add(name: string): void {
    const link = { name, remote: name, waitingBytes: 0, partBytes: 0, destroy: () => this.remove(name) }
    this.open.push(link)
  }

  of(name: string) {
    const found = this.open.find((one) => one.name === name)
    if (found === undefined) throw new Error(`${name} has no link`)
    return found
  }

  /** Queues a message; true where it was taken. */
  send(name: string, bytes: number): boolean {
    const link = this.of(name)
    const taken = this.observers.hasBudget(link as unknown as Link, bytes)
    if (taken) link.waitingBytes += bytes
    return taken
  }

  get waiting(): number {
    return this.open.reduce((sum, { waitingBytes }) => sum + waitingBytes, 0)
  }

  private remove(name: string): void {
    const at = this.open.findIndex((one) => one.name === name)
    if (at >= 0) this.open.splice(at, 1)
  }
}

describe('observers that do not read from their links', () => {
  it.each([1, 2, 30, OBSERVER_LINKS_MAX])('together buffer at most the limit, with %i observers', (count) => {
    const fakes = new Fakes()
    for (let at = 0; at < count; at += 1) fakes.add(`o${at}`)
    for (let round = 0; round < 64; round += 1) {
      for (const { name } of [...fakes.open]) {
        if (fakes.open.some((one) => one.name === name)) fakes.send(name, 4 * MIB)
        expect(fakes.waiting).toBeLessThanOrEqual(OBSERVERS_QUEUE_MAX_BYTES)
      }
    }
  })

  it('are disconnected to free buffer space for an observer that reads', () => {
    const fakes = new Fakes()
    for (let at = 0; at < 8; at += 1) fakes.add(`slow ${at}`)
    for (let at = 0; at < 8; at += 1) fakes.send(`slow ${at}`, OBSERVERS_QUEUE_MAX_BYTES / 8)
    fakes.add('reader')
    for (let message = 0; message < 100; message += 1) {
      expect(fakes.send('reader', 4 * MIB)).toBe(true)
      fakes.of('reader').waitingBytes = 0
    }
    expect(fakes.open.length).toBeGreaterThan(7)
  })

  it('are denied more than their share at the limit, but stay connected', () => {
    const fakes = new Fakes()
    for (const name of ['a', 'b']) fakes.add(name)
    expect(fakes.send('a', OBSERVERS_QUEUE_MAX_BYTES / 2)).toBe(true)
    expect(fakes.send('b', OBSERVERS_QUEUE_MAX_BYTES / 2)).toBe(true)
    expect([fakes.send('a', 1), fakes.send('b', 1)]).toEqual([false, false])
    expect(fakes.open.length).toBe(2)
    fakes.of('a').waitingBytes = 0
    expect(fakes.send('b', 1)).toBe(true)
  })
})

describe('observers with unfinished messages', () => {
  it('lose the largest links if all of them together exceed the limit', () => {
    const fakes = new Fakes()
    for (let at = 0; at < 4; at += 1) {
      fakes.add(`o${at}`)
      fakes.of(`o${at}`).partBytes = OBSERVERS_PARTS_MAX_BYTES / 4
      fakes.observers.received()
    }
    expect(fakes.open.length).toBe(4)
    fakes.of('o2').partBytes += MIB
    fakes.observers.received()
    expect(fakes.open.map(({ name }) => name)).toEqual(['o0', 'o1', 'o3'])
  })
})

describe('the number of observer links', () => {
  it('is limited', () => {
    const fakes = new Fakes()
    for (let at = 0; at < OBSERVER_LINKS_MAX; at += 1) {
      expect(fakes.observers.hasRoom).toBe(true)
      fakes.add(`o${at}`)
    }
    expect(fakes.observers.hasRoom).toBe(false)
  })
})
