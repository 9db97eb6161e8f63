import { describe, expect, it } from 'vitest'
import { EventBus } from '../../../src/base/event-bus.js'

interface Events {
  readonly paid: number
  readonly closed: undefined
}

describe('an event bus', () => {
  it('calls the subscribers of an event with its value, in the order of subscription', () => {
    const bus = new EventBus<Events>()
    const calls: string[] = []
    bus.on('paid', (amount) => calls.push(`first ${amount}`))
    bus.on('closed', () => calls.push('closed'))
    bus.on('paid', (amount) => calls.push(`second ${amount}`))
    bus.emit('paid', 7)
    expect(calls).toEqual(['first 7', 'second 7'])
  })

  it('does not call a subscriber after its subscription ended', () => {
    const bus = new EventBus<Events>()
    const calls: number[] = []
    const stop = bus.on('paid', (amount) => calls.push(amount))
    bus.emit('paid', 1)
    stop()
    bus.emit('paid', 2)
    expect(calls).toEqual([1])
  })

  it('throws the error of a subscriber', () => {
    const bus = new EventBus<Events>()
    bus.on('closed', () => {
      throw new Error('disk full')
    })
    expect(() => bus.emit('closed', undefined)).toThrow('disk full')
  })
})
