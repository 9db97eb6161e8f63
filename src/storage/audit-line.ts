/** Owns one line of the audit log: its canonical JSON, its position in the hash chain, and its parser. */
import { hash } from '../crypto/index.js'
import type { AuditEntry, AuditValue } from '../model/index.js'

/** `prev` of the first line of a segment, which has no predecessor. */
export const NO_LINE = '0'.repeat(64)
/** Action of the first line of every segment; its fields give the reason of the segment. */
export const SEGMENT_START = 'audit_segment_start'

/** Position of a line. */
export interface AuditPlace {
  /** Sequence number, from 1, consecutive within a segment. */
  readonly sequence: number
  /** Time of writing, in ms since the Unix epoch. */
  readonly timeMs: number
  /** Hash of the previous line, 64 hex digits. */
  readonly prev: string
}

/** Parsed line. */
export interface AuditLine extends AuditPlace {
  readonly entry: AuditEntry
  readonly hash: string
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/**
 * Text of a line without its newline, and its hash.
 *
 * Keys are in a fixed order, keys of `fields` in code-unit order, without blanks; `hash` is hash("audit", prev, text),
 * where the text is the line without its member `hash` and `prev` are the 32 bytes.
 */
export function auditLine(place: AuditPlace, entry: AuditEntry): { readonly text: string; readonly hash: string } {
  const fields = Object.entries(entry.fields)
    .toSorted(([a], [b]) => compare(a, b))
    .map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
  const members = [
    `"sequence":${place.sequence}`,
    `"time_ms":${place.timeMs}`,
    `"action":${JSON.stringify(entry.action)}`,
    `"actor":${JSON.stringify(entry.actor)}`,
    `"fields":{${fields.join(',')}}`,
    `"prev":"${place.prev}"`,
  ].join(',')
  const digest = hash('audit', Buffer.from(place.prev, 'hex'), Buffer.from(`{${members}}`)).toString('hex')
  return { text: `{${members},"hash":"${digest}"}`, hash: digest }
}

const isValue = (value: unknown): value is AuditValue =>
  value === null || ['string', 'number', 'boolean'].includes(typeof value)

/** Parse a line; undefined unless it is exactly the output of `auditLine`. */
export function readAuditLine(text: string): AuditLine | undefined {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return undefined
  }
  if (typeof json !== 'object' || json === null) return undefined
  const { sequence, time_ms: timeMs, action, actor, fields, prev, hash: digest } = json as Record<string, unknown>
  if (!Number.isSafeInteger(sequence) || !Number.isSafeInteger(timeMs)) return undefined
  if (typeof action !== 'string' || typeof actor !== 'string' || typeof digest !== 'string') return undefined
  if (typeof prev !== 'string' || !/^[0-9a-f]{64}$/.test(prev)) return undefined
  if (typeof fields !== 'object' || fields === null || !Object.values(fields).every(isValue)) return undefined
  const place = { sequence: sequence as number, timeMs: timeMs as number, prev }
  const entry: AuditEntry = { action, actor, fields: fields as Record<string, AuditValue> }
  // Rendered again: any other byte or hash gives another text.
  return auditLine(place, entry).text === text ? { ...place, entry, hash: digest } : undefined
}
