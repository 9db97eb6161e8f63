/** Owns texts of the dashboard with names of validators in place of shortened keys. */
import { shortId } from '../../base/ids.js'
import { nameOf } from '../gateway/node-names.js'
import { clean } from '../text/escape.js'
import type { WatchEvent, WatchModel } from './model.js'

/** Placeholder for the middle of a shortened key. */
const SHORTENED = '…'

/** Explanation text with names in place of shortened keys. */
export function named(model: WatchModel, text: string): string {
  let expanded = clean(text)
  if (!expanded.includes(SHORTENED)) return expanded
  for (const key of model.consensus?.committee ?? []) {
    const short = shortId(key)
    if (expanded.includes(short)) expanded = expanded.replaceAll(short, nameOf(model, key))
  }
  return expanded
}

/** Event with current names, since it may have arrived before the peers were known. */
export function namedEvent(model: WatchModel, event: WatchEvent): WatchEvent {
  if (!event.text.includes(SHORTENED)) return event
  const fields = Object.entries(event.fields).map(([field, value]) => [field, namedValue(model, value)])
  return { ...event, text: named(model, event.text), fields: Object.fromEntries(fields) }
}

function namedValue(model: WatchModel, value: unknown): unknown {
  if (typeof value === 'string') return named(model, value)
  return Array.isArray(value) ? value.map((one: unknown) => namedValue(model, one)) : value
}
