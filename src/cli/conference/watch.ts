/** Owns line-by-line output of events of calls or relays. */
import { LedgerError } from '../../model/errors.js'
import { getJson, withGateway, withStreams } from '../gateway/gateway.js'
import { eventLine, follow } from '../gateway/tail.js'
import type { Settings } from '../settings/settings.js'
import type { Output } from '../terminal/output.js'

/** Print a note if a call does not exist; its events are still awaited, since it may be created. */
export async function noteAbsentCall(settings: Settings, out: Output, call: string): Promise<void> {
  try {
    await withGateway(settings, (client) =>
      getJson(client, ({ conference }) => conference.call, { params: { id: call } }),
    )
  } catch (error) {
    if (!(error instanceof LedgerError) || error.code !== 'not_found') throw error
    out.note(`call ${call} does not exist yet: waiting for it`)
  }
}

/** Print the matching events of a subject; returns the exit code. */
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
      const jsonForm = streamEvent.toJson(item, codec)
      out.line(jsonForm, eventLine(item, jsonForm))
    })
  })
}
