/**
 * Owns large payloads: their compact form, rebuilding from the queue, and records for peers (docs/design/consensus.md
 * 7).
 */
import type { CodecContext } from '../../codec/index.js'
import {
  type EffectOf,
  type PayloadBreakdown,
  type PlacedRecord,
  RECORD_RESPONSE_BYTES,
  SHARES_MAX,
} from '../../consensus/index.js'
import {
  BLOCK_ENTRIES_MAX,
  compactBody,
  composeBody,
  type Evidence,
  keyString,
  type QuorumCertificate,
  type RawEntry,
  signedHash,
  signedTransaction,
  transactionId,
  unreadBody,
} from '../../model/index.js'
import type { QueuedTransaction, TransactionQueue } from '../../queue/index.js'
import type { SignedSlice } from '../ledger/slices.js'

/** Compact form of a payload, from which members rebuild it. */
export const compactFormOf = (
  parentCertificate: QuorumCertificate | undefined,
  evidence: readonly Evidence[],
  drawn: readonly QueuedTransaction[],
): Buffer =>
  compactBody.encode({
    parentCertificate,
    evidence,
    entries: drawn.map((one) => ({ ...one.route, signedHash: one.signedHash })),
  })

/** Shares of lanes and dataspaces in a payload; above the maximum count the last share includes the rest. */
export function sharesOf(drawn: readonly QueuedTransaction[]): PayloadBreakdown[] {
  const shares = new Map<string, PayloadBreakdown>()
  let last = ''
  for (const { route, bytes, teu } of drawn) {
    const own = `${route.lane}:${route.dataspace}`
    const key = shares.has(own) || shares.size < SHARES_MAX ? own : last
    last = key
    const before = shares.get(key) ?? { ...route, transactions: 0, payloadBytes: 0, teu: 0 }
    shares.set(key, {
      ...before,
      transactions: before.transactions + 1,
      payloadBytes: before.payloadBytes + bytes.length,
      teu: before.teu + teu,
    })
  }
  return [...shares.values()]
}

/** Rebuilt payload, or the indexes of missing records; both empty for an invalid form. */
export interface Rebuilt {
  readonly body: Buffer | undefined
  readonly missing: readonly number[]
  /** Transactions of the payload, if all of them came from the queue, where they were decoded and verified. */
  readonly queued: readonly QueuedTransaction[] | undefined
  readonly parentCertificate: QuorumCertificate | undefined
  readonly evidence: readonly Evidence[]
}

const NOTHING: Rebuilt = {
  body: undefined,
  missing: [],
  queued: undefined,
  parentCertificate: undefined,
  evidence: [],
}

/**
 * Rebuild a payload from the queue and from records sent by peers, each checked against its hash. A form with a
 * duplicate record, or more bytes than its header, is invalid and never composed.
 */
export function rebuild(effect: Omit<EffectOf<'rebuild'>, 'job'>, queue: TransactionQueue): Rebuilt {
  const decoded = compactBody.decode(effect.compact)
  if (!decoded.ok) return NOTHING
  const { parentCertificate, evidence, entries } = decoded.value
  const sent = new Map(effect.records.map((one) => [keyString(signedHash(one.bytes)), one.bytes]))
  const queued: QueuedTransaction[] = []
  const missing: number[] = []
  const raw: RawEntry[] = []
  const named = new Set<string>()
  let recordBytes = 0
  for (const [place, { lane, dataspace, signedHash: wanted }] of entries.entries()) {
    const name = keyString(wanted)
    if (named.has(name)) return NOTHING
    named.add(name)
    const own = queue.withSignedHash(wanted)
    const bytes = own?.bytes ?? sent.get(name)
    recordBytes += bytes?.length ?? 0
    if (recordBytes > effect.payloadBytes) return NOTHING
    if (own !== undefined) queued.push(own)
    if (bytes === undefined) missing.push(place)
    else raw.push({ lane, dataspace, bytes })
  }
  if (missing.length > 0) return { ...NOTHING, missing }
  return {
    body: composeBody(parentCertificate, evidence, raw),
    missing,
    queued: queued.length === entries.length ? queued : undefined,
    parentCertificate,
    evidence,
  }
}

/** Transactions of a payload, the transactions that may need verification, and its evidence. */
export interface PayloadContent {
  readonly slices: readonly { readonly id: Buffer; readonly signedHash: Buffer }[]
  readonly unverified: readonly SignedSlice[]
  readonly parentCertificate: QuorumCertificate | undefined
  readonly evidence: readonly Evidence[]
}

/**
 * Content of a payload; undefined for malformed bytes, or more than `count` transactions. A queued record was decoded
 * and verified on admission: it is identified by the hash of the whole record, including signatures. All others are
 * decoded here, and still need verification.
 */
export function payloadContent(
  body: Uint8Array,
  queue: Pick<TransactionQueue, 'withSignedHash'>,
  codec: CodecContext,
  count = BLOCK_ENTRIES_MAX,
): PayloadContent | undefined {
  const decoded = unreadBody.decode(body, codec)
  if (!decoded.ok) return undefined
  const { parentCertificate, evidence, entries } = decoded.value
  if (entries.length > count) return undefined
  const slices: { readonly id: Buffer; readonly signedHash: Buffer }[] = []
  const unverified: SignedSlice[] = []
  for (const { record } of entries) {
    const recordHash = signedHash(record)
    const queued = queue.withSignedHash(recordHash)
    if (queued !== undefined) {
      slices.push(queued)
      continue
    }
    const read = signedTransaction.decode(record, codec)
    if (!read.ok) return undefined
    const signed = read.value
    const slice = { id: transactionId(signed.payload.bytes), signedHash: recordHash, bytes: record, signed }
    slices.push(slice)
    unverified.push(slice)
  }
  return { slices, unverified, parentCertificate, evidence }
}

/** Records at the given positions of a payload, as many as fit in a response. */
export function recordsAt(body: Uint8Array, places: readonly number[]): PlacedRecord[] {
  if (places.length === 0) return []
  const decoded = unreadBody.decode(body)
  if (!decoded.ok) return []
  const found: PlacedRecord[] = []
  let total = 0
  for (const place of new Set(places)) {
    const bytes = decoded.value.entries[place]?.record
    if (bytes === undefined) continue
    total += bytes.length
    if (found.length > 0 && total > RECORD_RESPONSE_BYTES) break
    found.push({ place, bytes })
  }
  return found
}
