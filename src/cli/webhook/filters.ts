/** Owns the command-line form of webhook filters. */
import type { Json } from '../../codec/index.js'
import { withGateway } from '../gateway/gateway.js'
import { filterFlags, filterOf } from '../gateway/tail.js'
import type { Settings } from '../settings/settings.js'
import { usageError } from '../terminal/failure.js'

const FIELDS = Object.keys(filterFlags)

/**
 * Fields of a filter such as `kind=Transferred,asset=eur#bank`. Throws `usage`, also for a duplicate field, since one
 * of the two would be lost.
 */
export function filterFields(text: string): Readonly<Record<string, string>> {
  const fields = new Map<string, string>()
  for (const part of text.split(',')) {
    const at = part.indexOf('=')
    const name = part.slice(0, at)
    if (at < 1 || !FIELDS.includes(name)) {
      throw usageError(
        `--filter ${text}: "${part}" is not a field of a filter`,
        `Write field=value; fields are ${FIELDS.join(', ')}.`,
      )
    }
    if (fields.has(name)) {
      throw usageError(`--filter ${text}: ${name} is given twice`, 'Give another --filter for an alternative value.')
    }
    fields.set(name, part.slice(at + 1))
  }
  return Object.fromEntries(fields)
}

/** JSON of filters in texts such as `kind=Transferred,asset=eur#bank`. */
export async function filtersJson(settings: Settings, texts: readonly string[]): Promise<Json[]> {
  if (texts.length === 0) return []
  const { eventFilter } = await import('../../api/index.js')
  return withGateway(settings, async (client) => {
    const codec = await client.codec()
    const aliases = client.aliases()
    return aliases.settled(() =>
      texts.map((text) => {
        const filter = filterOf(filterFields(text), aliases.reading(codec), eventFilter)
        if (filter === undefined) throw usageError(`--filter ${text}: a filter must have at least one field`)
        return eventFilter.toJson(filter, codec)
      }),
    )
  })
}
