/**
 * Owns proofs verified before execution: those of transactions in batches during admission, and those of a block
 * together. All others are verified during execution.
 */

import type { KeyedOutcome } from '../../crypto/circuits/proof-outcomes.js'
import type { CheckedProof, ProofService } from '../../crypto/circuits/service.js'
import { GenerationCache } from '../../crypto/index.js'
import { type AccountId, keyString, type ValidatorKey } from '../../model/index.js'
import { UNVERIFIED_PROOFS_PER_ACCOUNT } from '../../queue/index.js'
import type { Refusal } from '../content/content.js'
import type { AdmitProof, LedgerPort } from '../ledger/protocol.js'
import { Batcher } from './batcher.js'
import { refusal } from './refusals.js'

/** Maximum number of proofs that wait for verification, for all accounts: at worst 13 s of the thread. */
const WAITING_MAX = 256
/**
 * Maximum size of the claims of one batch, in bytes, which grows with the work: about thirty open joins, or five with
 * lists of 64. A proof costs a quarter less beside 24 others than beside three. The claims of a block wait for at most
 * one such batch, at worst 0.2 s.
 */
const BATCH_BYTES_MAX = 16 * 1024
/** Time for which the first claim of a batch waits for others, in ms: less than one verification. */
const BATCH_WAIT_MS = 1
/** Number of invalid proofs after which an account or a peer is refused until the window ends. */
const BAD_MAX = 5
/** Length of the window from the first invalid proof, in ms. */
const BAD_WINDOW_MS = 60_000
/** Maximum number of accounts and peers whose invalid proofs are counted, at about 200 bytes each. */
const COUNTED_MAX = 8_192

/** Source of a transaction. */
export interface ProofSource {
  readonly authority: AccountId
  /** Sending peer; absent for a client of this node. */
  readonly peer?: ValidatorKey | undefined
  /** True if it was acknowledged before a restart. */
  readonly isAcknowledged?: boolean | undefined
}

export interface EarlyProofsModules {
  readonly proofs: ProofService
  readonly ledger: Pick<LedgerPort, 'cacheProofs'>
  /** Monotonic clock, ms. */
  readonly monotonicMs: () => number
  /** Called for each proof verified here. */
  readonly onChecked: (proof: CheckedProof) => void
  /** Called if proofs cannot be verified before execution. */
  readonly onFailure: (error: unknown) => void
}

export class EarlyProofs {
  private readonly batcher = new Batcher<AdmitProof, CheckedProof | undefined>({
    sizeMax: BATCH_BYTES_MAX,
    sizeOf: ({ claim }) => claim.length,
    waitMs: BATCH_WAIT_MS,
    busyWaitMs: () => BATCH_WAIT_MS,
    run: (batch) => this.checkWaiting(batch),
  })
  private readonly underWay = new Map<AccountId, number>()
  private waiting = 0
  private readonly bad = new GenerationCache<{ readonly count: number; readonly sinceMs: number }>(COUNTED_MAX)

  constructor(private readonly modules: EarlyProofsModules) {}

  /** Reason why transactions with proofs of this source are refused at present. */
  barredFault({ authority, peer }: ProofSource): Refusal | undefined {
    for (const [who, key] of [['the authority', authority] as const, ['the peer', peer && `peer ${peer}`] as const]) {
      const known = key === undefined ? undefined : this.bad.get(key)
      if (known === undefined || known.count < BAD_MAX) continue
      const leftMs = known.sinceMs + BAD_WINDOW_MS - this.modules.monotonicMs()
      if (leftMs <= 0) continue
      const seconds = Math.ceil(leftMs / 1_000)
      const message = `${known.count} proofs of ${who} were invalid within a minute; proofs are accepted again in ${seconds} s`
      return refusal('too_many_bad_proofs', message, { retry_after_seconds: seconds })
    }
    return undefined
  }

  /**
   * Verify the proofs of a transaction with valid signatures. Returns a refusal, or the number of proofs left to verify
   * at execution.
   */
  async admit(source: ProofSource, proofs: readonly AdmitProof[]): Promise<Refusal | number> {
    const known = proofs.find(({ outcome = 'proven', dependsOn }) => outcome !== 'proven' && dependsOn !== 'before')
    if (known !== undefined) return badProof(known.outcome)
    const fresh = proofs.filter(({ outcome }) => outcome === undefined)
    const open = proofs.filter(({ outcome }) => outcome !== undefined && outcome !== 'proven').length
    if (fresh.length === 0) return open
    const full = this.fullFault(source, fresh.length)
    if (full !== undefined) return full
    const checked = await this.check(source.authority, fresh)
    let unverified = open
    for (const [index, { dependsOn }] of fresh.entries()) {
      const outcome = checked[index]?.outcome
      if (outcome === 'proven') continue
      if (outcome === undefined || dependsOn === 'before') {
        unverified += 1
        continue
      }
      this.count(source.authority)
      // Only a proof that no state could have made valid is the fault of the peer, which verified it before forwarding
      // it.
      if (dependsOn === 'nothing' && source.peer !== undefined) this.count(`peer ${source.peer}`)
      return badProof(outcome)
    }
    return unverified
  }

  /** Results for the claims of a block; empty if the verifying thread has ended. */
  async ofBlock(claims: readonly Uint8Array[]): Promise<KeyedOutcome[]> {
    return (await this.verified(claims)).map(({ key, outcome }) => ({ key, outcome }))
  }

  private fullFault({ authority, peer, isAcknowledged }: ProofSource, count: number): Refusal | undefined {
    if (isAcknowledged) return undefined
    const own = this.underWay.get(authority) ?? 0
    // The peer verified a forwarded transaction itself; dropping it would make blocks wait for it.
    if (peer === undefined && own > 0 && own + count > UNVERIFIED_PROOFS_PER_ACCOUNT) {
      return refusal('per_user_queue_limit', `${own} proofs of the authority are being verified`)
    }
    return this.waiting + count > WAITING_MAX && this.waiting > 0
      ? refusal('queue_full', `${this.waiting} proofs are waiting to be verified`)
      : undefined
  }

  private async check(
    authority: AccountId,
    proofs: readonly AdmitProof[],
  ): Promise<readonly (CheckedProof | undefined)[]> {
    this.underWay.set(authority, (this.underWay.get(authority) ?? 0) + proofs.length)
    this.waiting += proofs.length
    try {
      return await Promise.all(proofs.map((one) => this.batcher.add(one)))
    } finally {
      this.waiting -= proofs.length
      const left = (this.underWay.get(authority) ?? 0) - proofs.length
      if (left <= 0) this.underWay.delete(authority)
      else this.underWay.set(authority, left)
    }
  }

  /** Verify a batch of waiting proofs; the ledger gets the results before the callers. */
  private async checkWaiting(batch: readonly AdmitProof[]): Promise<(CheckedProof | undefined)[]> {
    const checked = await this.verified(batch.map(({ claim }) => claim))
    if (checked.length > 0) {
      await this.modules.ledger.cacheProofs({ outcomes: checked.map(({ key, outcome }) => ({ key, outcome })) })
    }
    const byKey = new Map(checked.map((one) => [keyString(one.key), one]))
    return batch.map(({ key }) => byKey.get(keyString(key)))
  }

  private async verified(claims: readonly Uint8Array[]): Promise<readonly CheckedProof[]> {
    const { proofs, onChecked, onFailure } = this.modules
    try {
      const checked = await proofs.check(claims)
      for (const one of checked) onChecked(one)
      return checked
    } catch (error) {
      // Without results each proof is verified at execution, which is only slower.
      onFailure(error)
      return []
    }
  }

  /** Count an invalid proof against an account or a peer. */
  private count(key: string): void {
    const now = this.modules.monotonicMs()
    const known = this.bad.get(key)
    const isOver = known === undefined || now - known.sinceMs > BAD_WINDOW_MS
    this.bad.set(key, isOver ? { count: 1, sinceMs: now } : { ...known, count: known.count + 1 })
  }
}

const badProof = (outcome: string | undefined): Refusal =>
  outcome === 'length'
    ? refusal('proof_length', 'a proof of this kind has another length')
    : refusal('proof_refused', 'the proof is invalid for this submitter and state')
