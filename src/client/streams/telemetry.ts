/** Owns live telemetry as an async iterator: the full state first, and again after each reconnection. */
import { isKeyOf } from '../../base/guards.js'
import type { Infer, Schema } from '../../codec/index.js'
import { LIVE_EVENTS, liveRoute } from '../../features/telemetry/schema.js'
import { decodedValue } from '../decoded.js'
import { resuming } from './resume.js'
import { sseMessages } from './sse.js'
import type { StreamTransport } from './streams.js'

type Events = typeof LIVE_EVENTS
/** Event of live telemetry. */
export type TelemetryEvent = {
  readonly [Name in keyof Events]: { readonly event: Name; readonly value: Infer<Events[Name]> }
}[keyof Events]

/** Telemetry events; unknown ones are skipped. */
export function readTelemetry(
  transport: StreamTransport,
  { signal }: { readonly signal?: AbortSignal } = {},
): AsyncGenerator<TelemetryEvent, void> {
  return resuming(async () => {
    const body = await transport.events(liveRoute.path, {}, signal)
    return (async function* (): AsyncGenerator<TelemetryEvent, void> {
      for await (const { event, data } of sseMessages(body)) {
        const schema = isKeyOf(LIVE_EVENTS, event) ? LIVE_EVENTS[event] : undefined
        if (schema === undefined) continue
        const value = decodedValue((schema as Schema<unknown>).parseJson(data))
        yield { event, value } as TelemetryEvent
      }
    })()
  }, signal)
}
