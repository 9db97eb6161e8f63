/** Owns verification of a gateway's statements against a pinned genesis hash: transactions, their outcomes, aliases. */
import type { StateRecordProof, TransactionProof } from '../api/index.js'
import { struct } from '../codec/index.js'
import { type CryptoService, equalBytes, InlineCrypto } from '../crypto/index.js'
import { KERNEL_TABLES } from '../ledger/ids.js'
import {
  type AccountId,
  accountId,
  domainId,
  type EntryResult,
  hashOfHeader,
  LedgerError,
  name,
} from '../model/index.js'
import { type ProofResult, verifyInclusion, verifyStateRecord, verifyTransaction } from './proofs.js'

/** Blocks whose finality is kept: the transactions of one block are proven with one check of its certificate. */
const FINAL_BLOCKS_KEPT = 256

/** A transaction that is proven to be in a block, with its outcome. */
export interface ProvenTransaction {
  readonly height: number
  readonly blockHash: Buffer
  readonly index: number
  readonly outcome: EntryResult['outcome']
  /** Canonical bytes of the signed record. */
  readonly transaction: Uint8Array
}

/** Key of an alias in the state. */
const aliasKey = struct('Alias', { domain: domainId, label: name })

/** The error of a gateway whose word is not proven. */
export const unproven = (what: string, fault: string): LedgerError =>
  new LedgerError('proof_invalid', `the gateway does not prove ${what}: ${fault}`, {
    hint: 'Ask another node: a faulty node, or one that started from a snapshot, cannot prove it.',
  })

/** Makes `proof_invalid` of a gateway that has no proof. */
export const noProof =
  (what: string) =>
  (error: unknown): never => {
    if (!(error instanceof LedgerError) || error.code !== 'not_found') throw error
    throw unproven(what, 'it has no proof of it')
  }

/** The account of an alias and the height that it is proven at; undefined where it is proven that there is none. */
export interface ProvenAlias {
  readonly account: AccountId | undefined
  readonly height: number
}

/** Verifies what a gateway proves against one genesis hash. */
export class Verifier {
  private crypto: Promise<CryptoService> | undefined
  private readonly final = new Set<string>()

  constructor(private readonly genesisHash: Uint8Array) {}

  async close(): Promise<void> {
    await (await this.crypto)?.close()
    this.crypto = undefined
  }

  /** The transaction of this id. Throws `proof_invalid`. */
  async transaction(proof: TransactionProof, id: Uint8Array): Promise<ProvenTransaction> {
    const what = `that ${Buffer.from(id).toString('hex')} is in a block`
    if (!equalBytes(proof.transactionHash, id)) throw unproven(what, 'the proof is of another transaction')
    const { block } = proof.finality
    const blockHash = hashOfHeader(block.header)
    const place = blockHash.toString('hex')
    const verdict: ProofResult = this.final.has(place)
      ? verifyInclusion(proof, block)
      : await verifyTransaction(proof, this.genesisHash, await this.service())
    if (!verdict.ok) throw unproven(what, verdict.fault)
    this.keep(place)
    const { height, result, transaction, transactionProof } = proof
    return { height, blockHash, index: transactionProof.index, outcome: result.outcome, transaction }
  }

  /** The account of an alias. Throws `proof_invalid`. */
  async alias(
    proof: StateRecordProof,
    alias: { readonly domain: string; readonly label: string },
  ): Promise<ProvenAlias> {
    const what = `whose alias ${alias.label}@${alias.domain} is`
    if (proof.tableId !== KERNEL_TABLES.aliases || !equalBytes(proof.key, aliasKey.encode(alias)))
      throw unproven(what, 'the proof is of another record')
    const verdict = await verifyStateRecord(proof, this.genesisHash, await this.service())
    if (!verdict.ok) throw unproven(what, verdict.fault)
    if (proof.value === undefined) return { account: undefined, height: proof.height }
    const account = accountId.decode(proof.value)
    if (!account.ok) throw unproven(what, account.fault.message)
    return { account: account.value, height: proof.height }
  }

  private service(): Promise<CryptoService> {
    this.crypto ??= InlineCrypto.create()
    return this.crypto
  }

  private keep(place: string): void {
    this.final.add(place)
    const [oldest] = this.final
    if (this.final.size > FINAL_BLOCKS_KEPT && oldest !== undefined) this.final.delete(oldest)
  }
}
