/** Owns the following of what happens to calls or relays, line by line. */
import type { Output } from '../command/output.js'
import { withStreams } from '../gateway/gateway.js'
import { eventLine, follow } from '../gateway/tail.js'
import type { Settings } from '../settings/settings.js'

/** Prints the events of a subject that are wanted; the exit code. */
export async function followSubject(
  settings: Settings,
  out: Output,
  subject: string,
  limit: number | undefined,
  isWanted: (value: Readonly<Record<string, unknown>>) => boolean,
): Promise<number> {
  const { streamEvent } = await import('../../api/index.js')
  return withStreams(settings, async (client) => {
    const codec = await client.codec()
    const request = { filters: [{ subject }], transport: 'websocket' as const }
    async function* wanted(signal: AbortSignal) {
      for await (const item of client.events({ ...request, signal })) {
        if (item.kind === 'gap') continue
        const { event } = item.value
        const value = event.kind === 'data' ? event.value.event.value : undefined
        if (isWanted((value ?? {}) as Readonly<Record<string, unknown>>)) yield item.value
      }
    }
    return follow(wanted, limit, (item) => {
      const twin = streamEvent.toJson(item, codec)
      out.line(twin, eventLine(item, twin))
    })
  })
}
