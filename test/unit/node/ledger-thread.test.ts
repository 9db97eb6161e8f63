/** The main thread's end of the ledger, over a thread that the test plays. */
import { EventEmitter, getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import type { ChannelRequest } from '../../../src/node/ledger/channel.js'
import { CurrentView } from '../../../src/node/ledger/current-view.js'
import { ledgerOf, startLedger } from '../../../src/node/ledger/remote.js'

/** A thread whose ledger is open at once; `answer` is told what it is asked. */
class Thread extends EventEmitter {
  terminated = false

  constructor(private readonly answer: (thread: Thread, request: ChannelRequest) => void) {
    super()
  }
  postMessage(request: ChannelRequest): void {
    this.answer(this, request)
  }
  async terminate(): Promise<number> {
    this.terminated = true
    return 0
  }
}

async function opened(thread: Thread) {
  const lost: Error[] = []
  const opening = ledgerOf(thread as never, new CurrentView(), {
    onReplay: () => {},
    onLost: (error) => lost.push(error),
  })
  thread.emit('message', { notice: 'ready' })
  return { ledger: await opening, lost }
}

describe('the ledger thread', () => {
  it('is terminated if its files fail to close, since it would keep the process alive', async () => {
    const thread = new Thread((self, { id }) => self.emit('message', { id, error: { message: 'the disk is full' } }))
    const { ledger } = await opened(thread)
    await expect(ledger.close()).rejects.toThrow('the disk is full')
    expect(thread.terminated).toBe(true)
  })

  it('is not awaited if it exits while it closes', async () => {
    const thread = new Thread((self) => self.emit('exit', 1))
    const { ledger, lost } = await opened(thread)
    await ledger.close()
    expect([thread.terminated, lost]).toEqual([true, []])
  })

  it('has ended before a failed start is reported, so that the next start can open the files', async () => {
    const thread = new Thread(() => undefined)
    const lost: Error[] = []
    const events = { onReplay: () => {}, onLost: (error: Error) => lost.push(error) }
    const opening = ledgerOf(thread as never, new CurrentView(), events)
    thread.emit('message', { notice: 'failed', error: { code: 'genesis_mismatch', message: 'of another genesis' } })
    await expect(opening).rejects.toMatchObject({ code: 'genesis_mismatch' })
    expect([thread.terminated, lost]).toEqual([true, []])
  })

  it('leaves no listener on the abort signal of its start', async () => {
    const { signal } = new AbortController()
    const data = { folder: '/nowhere', genesisFile: '/nowhere/genesis.bin', cacheBytes: 1024, treeBits: 4 }
    await expect(startLedger(data, { onReplay: () => {}, onLost: () => {} }, signal)).rejects.toThrow()
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })
})
