/** Owns the start of notifications on a node; they follow the chain from its current head. */

import { type AnyHandler, type HandlerReply, handle } from '../../../api/handler.js'
import { collectFrom } from '../../../api/metrics.js'
import type { NodeServices } from '../../../api/services.js'
import { SYSTEM_CLOCKS } from '../../../base/clocks.js'
import { type AccountId, LedgerError } from '../../../model/index.js'
import { OUTBOUND_TIMEOUT_MS, Outbound } from '../../../network/outbound/outbound.js'
import { systemResolver } from '../../../network/outbound/resolver.js'
import type { RunningService, ServiceContext } from '../../service.js'
import * as routes from '../schema.js'
import type { NotifyConfig } from './config.js'
import { Devices } from './devices.js'
import { STEP_MS, STORE_WAIT_MS } from './limits.js'
import { Members } from './members.js'
import { notifyMetrics } from './metrics.js'
import { DeviceRecords } from './records.js'
import { Sender } from './sender.js'
import { Vapid } from './web-push.js'

/** Any address is allowed, because the operator configures the upstream. */
const ANYWHERE = { allow: ['0.0.0.0/0', '::/0'], deny: [], allowHttp: true }

const reply = <T>(result: T | LedgerError): HandlerReply<T> | LedgerError =>
  result instanceof LedgerError ? result : { value: result }

function notifyHandlers(devices: Devices, vapid: () => Promise<Vapid>): ReadonlyMap<string, AnyHandler<NodeServices>> {
  return new Map([
    handle(routes.registerRoute, async ({ caller, body, services }) =>
      reply(await devices.register(caller, body, services)),
    ),
    handle(routes.listRoute, ({ caller }) => ({ value: { items: devices.list(caller) } })),
    handle(routes.removeRoute, async ({ caller, params }) => reply(await devices.remove(caller, params.id))),
    handle(routes.testRoute, async ({ caller, params }) => reply(await devices.test(caller, params.id))),
    handle(routes.keyRoute, async () => ({ value: { key: (await vapid()).publicKey } })),
  ])
}

/** Follower of the chain that notifies devices about blocks, one after the other. */
class Follower {
  private next: number
  private running: Promise<void> | undefined

  constructor(
    private readonly parts: {
      readonly context: Pick<ServiceContext, 'services' | 'feed'>
      readonly devices: Devices
      readonly members: Members
      readonly onError: (error: unknown) => void
    },
  ) {
    this.next = parts.context.services.height() + 1
  }

  wake(): void {
    this.running ??= this.run()
      .catch(this.parts.onError)
      .finally(() => {
        this.running = undefined
      })
  }

  async stop(): Promise<void> {
    await this.running
  }

  private async run(): Promise<void> {
    const { context, devices, members } = this.parts
    const { services, feed } = context
    while (this.next <= services.height()) {
      // Without devices no block is read: earlier events are never sent later.
      if (devices.size === 0) {
        this.next = services.height() + 1
        return
      }
      const blocks = await feed.from(this.next)
      for (const { height, eventItems } of blocks) {
        this.next = height + 1
        members.begin()
        for (const item of eventItems) {
          const { event } = item.record
          if (event.kind === 'data' && event.value.event.kind === 'multisigChanged') {
            members.remove((event.value.event.value as { readonly account: AccountId }).account)
          }
          await devices.notify(item)
        }
      }
      if (blocks.length === 0) return
    }
  }
}

export function openNotify(context: ServiceContext, { subject, upstream }: NotifyConfig): RunningService {
  const { services, integrations, outbound, logger } = context
  const { codec, addressPrefix } = services.info
  const { wallMs, monotonicMs } = SYSTEM_CLOCKS
  const onError = (error: unknown): void => logger.error({ err: error }, 'notifications failed')
  const metrics = notifyMetrics(services.metrics)
  const records = new DeviceRecords(integrations, codec)
  let key: Promise<Vapid> | undefined
  const vapid = (): Promise<Vapid> => {
    key ??= records.vapidSecret().then(
      (secret) => new Vapid(secret, subject, wallMs),
      (error: unknown) => {
        key = undefined
        throw error
      },
    )
    return key
  }
  const own =
    upstream === undefined
      ? undefined
      : { config: upstream, outbound: new Outbound(ANYWHERE, OUTBOUND_TIMEOUT_MS, systemResolver) }
  const sender = new Sender({ outbound, upstream: own, vapid, addressPrefix })
  const members: Members = new Members(services, () => devices.wantsApprovals)
  const devices: Devices = new Devices({
    services,
    records,
    outbound,
    sender,
    hasUpstream: own !== undefined,
    membersOf: (account) => members.of(account),
    wallMs,
    monotonicMs,
    onSent: (platform, result) => metrics.sent.inc({ platform, result }),
    onError,
  })
  collectFrom(metrics.devices, () => devices.size)
  const follower = new Follower({ context, devices, members, onError })
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  // If the store fails now, it is read later: notifications must not prevent the start of a node.
  const start = (): Promise<void> =>
    devices.start().catch((error: unknown) => {
      if (isClosed) return
      onError(error)
      timer = setTimeout(() => void start(), STORE_WAIT_MS).unref()
    })
  const steps = setInterval(() => {
    if (devices.queue.size > 0) devices.queue.step()
    void devices.sweep().catch(onError)
  }, STEP_MS).unref()
  const unsubscribe = services.onCommit(() => follower.wake())
  return {
    handlers: notifyHandlers(devices, vapid),
    resume: start,
    async close() {
      isClosed = true
      clearTimeout(timer)
      clearInterval(steps)
      unsubscribe()
      await follower.stop()
      await own?.outbound.close()
    },
  }
}
