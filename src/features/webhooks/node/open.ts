/** Owns the start of webhooks on a node. */
import { collectFrom } from '../../../api/metrics.js'
import type { NodeServices } from '../../../api/services.js'
import { SYSTEM_CLOCKS } from '../../../base/clocks.js'
import type { AccountId } from '../../../model/index.js'
import type { ConfiguredAccount, RunningService, ServiceContext } from '../../service.js'
import { isRegistered } from '../../texts.js'
import { ANY_OWNER, type WebhookConfig } from './config.js'
import { DeadMessages } from './dead-messages.js'
import { webhookHandlers } from './handlers.js'
import { Hooks } from './hooks.js'
import { STORE_WAIT_MS } from './limits.js'
import { webhookMetrics } from './metrics.js'
import { HookRecords } from './records.js'

export async function openWebhooks(context: ServiceContext, config: WebhookConfig): Promise<RunningService> {
  const { services, feed, integrations, outbound, operators, logger } = context
  const { codec, chain } = services.info
  const { wallMs } = SYSTEM_CLOCKS
  const named: ConfiguredAccount[] = []
  for (const [at, owner] of config.owners.entries()) {
    if (owner !== ANY_OWNER) named.push(await context.resolveAccount(`webhooks.owners[${at}]`, owner))
  }
  const allowsAnyOwner = config.owners.includes(ANY_OWNER)
  const owners = {
    has: async (one: AccountId, asked: NodeServices): Promise<boolean> =>
      named.some(({ id }) => id === one) || (allowsAnyOwner && (await isRegistered(asked, one))),
  }
  const metrics = webhookMetrics(services.metrics)
  const onError = (error: unknown): void => logger.error({ err: error }, 'webhooks failed')
  const records = new HookRecords(integrations, codec)
  const hooks = new Hooks({
    services,
    feed,
    records,
    outbound,
    metrics,
    owners,
    operators,
    ...SYSTEM_CLOCKS,
    random: Math.random,
    onError,
  })
  collectFrom(metrics.lag, () => hooks.lag())
  let timer: NodeJS.Timeout | undefined
  // Until the webhooks are loaded, each may be far behind.
  let isStarted = false
  let isClosed = false
  let starting: Promise<void> = Promise.resolve()
  services.history.keepFrom(() => (isStarted ? services.height() + 1 - hooks.lag() : 0))
  // If the store fails now, it is read later: webhooks must not prevent the start of a node.
  const start = (): Promise<void> => {
    starting = hooks.start().then(
      () => {
        isStarted = true
      },
      (error: unknown) => {
        if (isClosed) return
        onError(error)
        timer = setTimeout(() => void start(), STORE_WAIT_MS).unref()
      },
    )
    return starting
  }
  const unsubscribe = services.onCommit(() => hooks.wake())
  return {
    handlers: webhookHandlers(hooks, new DeadMessages(feed, chain), { chain, wallMs }),
    resume: start,
    async close() {
      isClosed = true
      clearTimeout(timer)
      unsubscribe()
      // Webhooks loaded late would otherwise continue to run.
      await starting
      await hooks.stop()
    },
  }
}
