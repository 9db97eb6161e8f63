/**
 * Owns evidence that is not yet in a block: verified once, sent to the peers, passed to the next proposal
 * (docs/design/consensus.md 10).
 */

import type { EvidenceAnswer } from '../../api/services.js'
import { BoundedSet } from '../../base/bounded.js'
import { type CryptoService, hash } from '../../crypto/index.js'
import { FAULTS_PER_PEER_MAX } from '../../executor/index.js'
import { EVIDENCE_PER_BLOCK_MAX, type Evidence, evidence, keyString, type ValidatorKey } from '../../model/index.js'
import type { LedgerPort } from '../ledger/protocol.js'
import { shortName } from '../peers/names.js'
import type { Logger } from '../process/logger.js'
import { verifyEvidence } from './signatures.js'

/**
 * Maximum number of records that wait for a block: sixteen full blocks. Later records are dropped, since the earlier
 * ones suffice.
 */
const PENDING_MAX = 16 * EVIDENCE_PER_BLOCK_MAX
/** Maximum number of records under verification: peers may send any number of forgeries. */
const CHECKING_MAX = 32
/** Maximum number of refused records remembered, so that a repeated forgery costs a hash instead of a pairing. */
const REFUSED_MAX = 1_024
/** Interval after which waiting records are sent to the peers again, in ms: a peer may have been offline. */
const RESEND_MS = 30_000

interface Waiting {
  readonly record: Evidence
  readonly offender: ValidatorKey
  sentAtMs: number
}

export interface EvidencePoolModules {
  readonly ledger: LedgerPort
  readonly crypto: CryptoService
  readonly logger: Logger
  /** Monotonic clock, ms. */
  readonly monotonicMs: () => number
  readonly broadcast: (records: readonly Evidence[]) => void
  /** Called when the first record starts to wait for a block, or the last one no longer does. */
  readonly onChange: () => void
}

export class EvidencePool {
  /** Waiting records by fault: one per kind, offender and height. */
  private readonly waiting = new Map<string, Waiting>()
  private readonly checking = new Set<string>()
  private readonly refused = new BoundedSet<string>(REFUSED_MAX)

  constructor(private readonly modules: EvidencePoolModules) {}

  /** Number of records that wait for a block. */
  get size(): number {
    return this.waiting.size
  }

  /**
   * Validate a record and verify its signatures; a proven fault is stored and sent to all peers. `onForged`: called for
   * an invalid signature, which a correct sender would have detected.
   */
  async offer(record: Evidence, onForged?: () => void): Promise<EvidenceAnswer> {
    const name = keyString(hash('evidence', evidence.encode(record)))
    if (this.refused.has(name)) return { kind: 'refused', detail: 'already refused' }
    if (this.checking.size >= CHECKING_MAX || this.checking.has(name)) return { kind: 'busy' }
    this.checking.add(name)
    try {
      return await this.validate(name, record, onForged)
    } finally {
      this.checking.delete(name)
    }
  }

  private async validate(
    recordName: string,
    record: Evidence,
    onForged: (() => void) | undefined,
  ): Promise<EvidenceAnswer> {
    const { ledger, crypto, logger, monotonicMs, broadcast, onChange } = this.modules
    const { results } = await ledger.evidence({ records: [record] })
    const result = results[0]
    if (result === undefined) throw new Error('the number of results differs from the number of records')
    if (result.kind === 'refused') {
      const { detail, known, early } = result.value
      if (known) return { kind: 'known' }
      // An offender that reports its own fault early must not prevent a valid report later.
      return early ? { kind: 'refused', detail } : this.refuse(recordName, detail)
    }
    const { key, kind, offender, height, view, checks } = result.value
    const name = keyString(key)
    if (this.waiting.has(name)) return { kind: 'known' }
    // A window does not record more faults of one peer: its first ones suffice.
    const own = [...this.waiting.values()].filter((one) => one.offender === offender)
    if (own.length >= FAULTS_PER_PEER_MAX) return { kind: 'known' }
    if (!(await verifyEvidence(crypto, checks))) {
      onForged?.()
      return this.refuse(recordName, 'a signature is invalid')
    }
    if (this.waiting.size >= PENDING_MAX) return { kind: 'busy' }
    logger.warn({ peer: shortName(offender), fault: kind, height, view }, 'validator fault proven')
    this.waiting.set(name, { record, offender, sentAtMs: monotonicMs() })
    broadcast([record])
    onChange()
    return { kind: 'accepted', fault: kind }
  }

  /** Remember a record that no block can hold. */
  private refuse(name: string, detail: string): EvidenceAnswer {
    this.refused.add(name)
    return { kind: 'refused', detail }
  }

  /** Records for the next block, validated together against the state that it will run on. */
  async forBlock(): Promise<Evidence[]> {
    return (await this.sweep()).slice(0, EVIDENCE_PER_BLOCK_MAX)
  }

  /**
   * Drop evidence that no block may contain any more (recorded, too old, or over the limit of a peer), and return the
   * rest. Records that arrived meanwhile are not returned, since they were not validated together with the others.
   */
  async sweep(): Promise<Evidence[]> {
    if (this.waiting.size === 0) return []
    const entries = [...this.waiting]
    const { results } = await this.modules.ledger.evidence({ records: entries.map(([, one]) => one.record) })
    const admissible = entries.filter((_, index) => results[index]?.kind === 'admissible')
    for (const [index, [name]] of entries.entries()) {
      if (results[index]?.kind === 'refused') this.waiting.delete(name)
    }
    if (this.waiting.size === 0) this.modules.onChange()
    return admissible.map(([, { record }]) => record)
  }

  /** Send evidence that has waited for the resend interval to the peers again. */
  resend(): void {
    const nowMs = this.modules.monotonicMs()
    const due = [...this.waiting.values()].filter((one) => one.sentAtMs + RESEND_MS <= nowMs)
    for (const one of due) one.sentAtMs = nowMs
    const first = due.slice(0, EVIDENCE_PER_BLOCK_MAX)
    if (first.length > 0) this.modules.broadcast(first.map((one) => one.record))
  }
}
