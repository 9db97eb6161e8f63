/**
 * Owns verification of a gateway's responses against a pinned genesis hash: transactions, their outcomes, rows of the
 * state.
 */
import type { FinalityProof, StateRecordProof, TransactionProof } from '../api/index.js'
import { BoundedSet } from '../base/bounded.js'
import { sameBytes } from '../base/bytes.js'
import { type CryptoService, InlineCrypto } from '../crypto/index.js'
import { type EntryResult, GENESIS_HEIGHT, hashOfHeader, LedgerError } from '../model/index.js'
import {
  type Checkpoint,
  type ProofResult,
  verifyFinality,
  verifyInclusion,
  verifyStateRecord,
  verifyTransaction,
} from './proofs.js'

/** Maximum cached final blocks: the transactions of one block are proven with one check of its certificate. */
const FINAL_BLOCKS_KEPT = 256

/** Transaction proven to be in a block, with its outcome. */
export interface ProvenTransaction {
  readonly height: number
  readonly blockHash: Buffer
  readonly index: number
  readonly outcome: EntryResult['outcome']
  /** Canonical bytes of the signed record. */
  readonly transaction: Uint8Array
}

/** Error for an unproven claim of a gateway. */
export const unproven = (what: string, fault: string): LedgerError =>
  new LedgerError('proof_invalid', `the gateway does not prove ${what}: ${fault}`, {
    hint: 'Ask another node: a faulty node, or one that started from a snapshot, cannot prove it.',
  })

/** Turn a missing proof into `proof_invalid`. */
export const noProof =
  (what: string) =>
  (error: unknown): never => {
    if (!(error instanceof LedgerError) || error.code !== 'not_found') throw error
    throw unproven(what, 'it has no proof')
  }

/** State row in canonical bytes, and its proven height; without a value if its absence is proven. */
export interface ProvenRow {
  readonly value: Uint8Array | undefined
  readonly height: number
}

/** Verifier of gateway data against one genesis hash. */
export class Verifier {
  private crypto: Promise<CryptoService> | undefined
  private readonly final = new BoundedSet<string>(FINAL_BLOCKS_KEPT)
  /** Highest proven block, from which further proofs start. */
  private checkpoint: Checkpoint | undefined

  constructor(private readonly genesisHash: Uint8Array) {}

  /**
   * Request a proof about a block, starting from a proven block; if that is too far below, intermediate blocks are
   * proven first. `ask` and `finality` throw `not_found` if the proof does not exist.
   */
  async ask<T>(
    height: number,
    ask: (from: number | undefined) => Promise<T>,
    finality: (height: number, from: number | undefined) => Promise<FinalityProof>,
  ): Promise<{ readonly proof: T; readonly from: Checkpoint | undefined }> {
    let from = this.checkpoint !== undefined && this.checkpoint.height <= height ? this.checkpoint : undefined
    let to = height
    for (;;) {
      const target = to
      const found = await (target === height ? ask(from?.height) : finality(target, from?.height)).then(
        (proof) => ({ proof }),
        (error: unknown) => {
          if (error instanceof LedgerError && error.code === 'not_found') return { error }
          throw error
        },
      )
      const below = from?.height ?? GENESIS_HEIGHT
      if ('error' in found) {
        to = below + Math.floor((target - below) / 2)
        // The block exists, but the proof does not.
        if (to <= below) throw found.error
      } else if (target === height) return { proof: found.proof as T, from }
      else {
        const step = found.proof as FinalityProof
        if (step.block.header.height !== target) throw unproven(`block ${target}`, 'the proof is for another block')
        const result = await verifyFinality(step, this.genesisHash, await this.service(), from)
        if (!result.ok) throw unproven(`block ${target}`, result.fault)
        from = result.checkpoint
        this.note(from)
        to = height
      }
    }
  }

  private note(checkpoint: Checkpoint): void {
    if (checkpoint.height > (this.checkpoint?.height ?? 0)) this.checkpoint = checkpoint
  }

  async close(): Promise<void> {
    await (await this.crypto)?.close()
    this.crypto = undefined
  }

  /** Verify the proof of a transaction by id. `from`: the requested start of the proof. Throws `proof_invalid`. */
  async transaction(proof: TransactionProof, id: Uint8Array, from?: Checkpoint): Promise<ProvenTransaction> {
    const what = `that ${Buffer.from(id).toString('hex')} is in a block`
    if (!sameBytes(proof.transactionHash, id)) throw unproven(what, 'the proof is for another transaction')
    const { block } = proof.finality
    const blockHash = hashOfHeader(block.header)
    const place = blockHash.toString('hex')
    const checked: ProofResult & { readonly checkpoint?: Checkpoint } = this.final.has(place)
      ? verifyInclusion(proof, block)
      : await verifyTransaction(proof, this.genesisHash, await this.service(), from)
    if (!checked.ok) throw unproven(what, checked.fault)
    this.keep(place)
    if (checked.checkpoint !== undefined) this.note(checked.checkpoint)
    const { height, result, transaction, transactionProof } = proof
    return { height, blockHash, index: transactionProof.index, outcome: result.outcome, transaction }
  }

  /**
   * Verify the proof of a state row or of its absence. `from`: the requested start of the proof. Throws
   * `proof_invalid`.
   */
  async row(
    proof: StateRecordProof,
    { tableId, keyBytes, what }: { readonly tableId: number; readonly keyBytes: Uint8Array; readonly what: string },
    from?: Checkpoint,
  ): Promise<ProvenRow> {
    if (proof.tableId !== tableId || !sameBytes(proof.key, keyBytes))
      throw unproven(what, 'the proof is for another record')
    const result = await verifyStateRecord(proof, this.genesisHash, await this.service(), from)
    if (!result.ok) throw unproven(what, result.fault)
    this.note(result.checkpoint)
    return { value: proof.value, height: proof.height }
  }

  private service(): Promise<CryptoService> {
    this.crypto ??= InlineCrypto.create()
    return this.crypto
  }

  private keep(place: string): void {
    this.final.add(place)
  }
}
