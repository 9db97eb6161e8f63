/** Owns the start of live telemetry on a node. */
import { handle } from '../../../api/handler.js'
import { collectFrom } from '../../../api/metrics.js'
import { type LiveChanges, streamLive } from '../../../api/stream-source.js'
import { SYSTEM_CLOCKS } from '../../../base/clocks.js'
import { sleep } from '../../../base/sleep.js'
import { CausewayClient } from '../../../client/client.js'
import type { RunningService, ServiceContext } from '../../service.js'
import { LIVE_EVENTS, liveRoute, peersInfoRoute, propagationRoute } from '../schema.js'
import { TelemetryBoard } from './board.js'
import type { TelemetryConfig } from './config.js'
import { ANSWER_MAX_BYTES, ASK_TIMEOUT_MS } from './limits.js'
import { telemetryMetrics } from './metrics.js'
import { Propagation } from './propagation.js'
import { Watch } from './watch.js'
import { WatchedGateway } from './watched-gateway.js'

export function openTelemetry({ services }: ServiceContext, { gateways }: TelemetryConfig): RunningService {
  const { chain } = services.info
  const { wallMs, monotonicMs } = SYSTEM_CLOCKS
  const pause = (ms: number, signal: AbortSignal): Promise<void> => sleep(ms, { signal, ref: false })
  const propagation = new Propagation(services.height())
  const watched = gateways.map((url) => {
    const asking = { timeoutMs: ASK_TIMEOUT_MS, retries: 0, answerMaxBytes: ANSWER_MAX_BYTES }
    const client = new CausewayClient({ gateway: url, pin: { chain }, ...asking })
    const onBlock = (height: number, hash: string, atMs: number): void => propagation.report(url, height, hash, atMs)
    return new WatchedGateway({ url, client, wallMs, monotonicMs, pause, onBlock })
  })
  const board = new TelemetryBoard({ services, gateways: watched, propagation, wallMs, monotonicMs })
  const metrics = telemetryMetrics(services.metrics)
  const watch = new Watch(watched, monotonicMs)
  collectFrom(metrics.gateways, () => {
    watch.read()
    const connected = watched.filter((gateway) => gateway.view().connected).length
    return [
      [{ state: 'connected' }, connected],
      [{ state: 'disconnected' }, watched.length - connected],
    ]
  })
  collectFrom(metrics.spread, () => board.propagation().find((row) => row.peersReported > 1)?.spreadMs ?? 0)
  const unsubscribe = services.onCommit((height) => {
    if (!watch.on) return
    const { commitQc } = services.qc()
    if (commitQc?.height === height)
      propagation.committed(height, Buffer.from(commitQc.subjectBlockHash).toString('hex'))
  })
  const live: Omit<LiveChanges, 'kind'> = {
    schemas: LIVE_EVENTS,
    first: () => board.first(),
    open: (publish) => {
      const release = watch.hold()
      const stop = board.open(publish)
      return () => {
        stop()
        release()
      }
    },
  }
  return {
    handlers: new Map([
      handle(peersInfoRoute, async () => {
        await watch.readAnswered()
        return { value: { items: board.peers() } }
      }),
      handle(propagationRoute, () => {
        watch.read()
        return { value: { items: board.propagation() } }
      }),
    ]),
    streams: new Map([streamLive(liveRoute, live)]),
    resume: () => {
      watch.resume()
      return Promise.resolve()
    },
    async close() {
      unsubscribe()
      await watch.close()
      await Promise.all(watched.map((gateway) => gateway.close()))
    },
  }
}
