/** Webhooks of a node that closes while its store is read late. */
import { expect, it, vi } from 'vitest'
import { Feed } from '../../../src/events/feed.js'
import { openNotify } from '../../../src/features/notify/node/open.js'
import type { ServiceContext } from '../../../src/features/service.js'
import { openWebhooks } from '../../../src/features/webhooks/node/open.js'
import { MemoryStore } from '../../support/memory-store.js'
import { CODEC, FakeNode } from '../gateway/support.js'

/** A store whose reads wait until the test ends them; then they fail. */
class SlowStore extends MemoryStore {
  reads = 0
  fail: () => void = () => undefined

  override list(): Promise<never> {
    this.reads += 1
    return new Promise((_, reject) => {
      this.fail = () => reject(new Error('the store is closed'))
    })
  }
}

const SERVICES = {
  webhooks: (context: ServiceContext) => openWebhooks(context, { owners: [] }),
  notifications: async (context: ServiceContext) =>
    openNotify(context, { enabled: true, subject: 'mailto:a@b.c', upstream: undefined }),
}

it.each(Object.keys(SERVICES) as (keyof typeof SERVICES)[])('%s stop reading when the node closes', async (name) => {
  vi.useFakeTimers()
  try {
    const { services } = new FakeNode()
    const integrations = new SlowStore(new Map(), Buffer.alloc(32, 9))
    const logged = vi.fn()
    const feed = new Feed(services.history, CODEC)
    const context = { services, feed, integrations, outbound: {}, logger: { error: logged } }
    const running = await SERVICES[name](context as unknown as ServiceContext)
    const resumed = running.resume?.()
    const closed = running.close?.()
    integrations.fail()
    await Promise.all([resumed, closed])
    await vi.advanceTimersByTimeAsync(60_000)
    expect([integrations.reads, logged.mock.calls]).toEqual([1, []])
  } finally {
    vi.useRealTimers()
  }
})
