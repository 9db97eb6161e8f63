/**
 * Owns the life cycle of a transaction: built and signed locally, submitted, polled until it is final, proven if the
 * chain is pinned.
 */

import type { WantedText } from '../api/alias-ids.js'
import { CODEC_MEDIA_TYPE, RECEIPT_FRAME, submitTransactionRoute, TRANSACTION_FRAME } from '../api/index.js'
import { definedFields } from '../base/defined-fields.js'
import type { CodecContext, Json } from '../codec/index.js'
import type { SigningKey } from '../crypto/index.js'
import { blockProofRoute, finalityRoute, transactionStatusRoute } from '../features/explorer/schema/routes.js'
import { accountOfPair, ERRORS, type Instruction, isErrorCode, rejectionOf } from '../model/index.js'
import { Aliases } from './aliases.js'
import { errorOfAnswer, headerOf, isSuccess } from './answer.js'
import type { GatewayCalls } from './calls.js'
import { decodedValue, notAGateway } from './decoded.js'
import type { Submission } from './options.js'
import { noProof, type ProvenTransaction, unproven, type Verifier } from './proven.js'
import { pathOf } from './route-call.js'
import { type AskedRow, provenRow } from './state-rows.js'
import { checkReceipt, idOfSigned } from './submission.js'
import { supersedes } from './superseded.js'
import {
  buildTransaction,
  type SignedBytes,
  signTransaction,
  type TransactionDraft,
  type TransactionInput,
} from './transaction.js'
import { stateOf } from './transaction-state.js'
import { mayHaveArrived, unanswered } from './unanswered.js'
import { earlyExpiry, type TransactionState, type WaitUntil, waitUntil } from './wait.js'

/** Default wait for a block, in ms: a view change or two. */
const WAIT_MS = 30_000

/** Instruction, or its JSON form. */
export type GivenInstruction = Instruction | Json

/** True for an instruction; a JSON form has one member. */
const isBuilt = (given: GivenInstruction): given is Instruction =>
  typeof given === 'object' && given !== null && 'kind' in given && 'value' in given

/**
 * Given instructions, after the assertion of the aliases in their JSON forms. Throws a codec error with the position of
 * a fault in a JSON form.
 */
function readGiven(
  given: readonly GivenInstruction[],
  codec: CodecContext,
  aliases: Aliases,
): Promise<readonly Instruction[]> {
  return aliases.settled(() => {
    const used = new Map<string, WantedText>()
    const read = given.map((one, index) => (isBuilt(one) ? one : aliases.read(one, index, codec, used)))
    return aliases.asserted(read, used.values())
  })
}

/** Fields of a transaction besides its instructions; omitted ones have defaults. */
export interface TransactOptions extends Partial<Omit<TransactionInput, 'chain' | 'codec' | 'instructions'>> {
  /** Signing key; default: the key of the client. */
  readonly signer?: SigningKey
}

/** State to wait for, and timeout. */
export interface WaitOptions {
  /** `committed`: in a block, or expired; `queued`: at least queued by the node. Default: `committed`. */
  readonly until?: WaitUntil | undefined
  /** Timeout in ms; default 30,000. */
  readonly timeoutMs?: number | undefined
  /** Expiry of the transaction, in ms since the Unix epoch; an earlier report of its expiry is refused. */
  readonly expiresAtMs?: number | undefined
}

/** Final status of a transaction of this client, with its id in hex. */
export interface TransactionOutcome extends TransactionState {
  readonly hash: string
}

/** Transactions of one client. */
export class Transactions {
  /** `verifier`: for the pinned genesis hash; undefined: responses of the gateway are not verified. */
  constructor(
    private readonly calls: GatewayCalls,
    private readonly verifier: Verifier | undefined,
  ) {}

  /** True if the genesis hash is pinned. */
  get isPinned(): boolean {
    return this.verifier !== undefined
  }

  codec = () => this.calls.codec()

  /** Proven row of the state. Throws `proof_invalid`, and `usage` without a pinned genesis hash. */
  provenRow = (row: AskedRow) => provenRow(this.calls, this.verifier, row)

  /**
   * Draft a transaction from instructions, valid from now on. Throws a codec error with the position of a fault in a
   * JSON form.
   */
  async draft(given: readonly GivenInstruction[], { signer, ...options }: TransactOptions): Promise<TransactionDraft> {
    const { chain } = await this.calls.chain()
    const codec = await this.calls.codec()
    const authority = options.authority ?? accountOfPair(signer ?? this.calls.signer)
    const instructions = await readGiven(given, codec, new Aliases(this.calls))
    return buildTransaction({ ...options, authority, instructions, chain, codec })
  }

  async sign(given: readonly GivenInstruction[], options: TransactOptions): Promise<SignedBytes> {
    const signer = options.signer ?? this.calls.signer
    return signTransaction(await this.draft(given, options), signer)
  }

  async submit(signedBytes: Uint8Array): Promise<Submission> {
    const transactionHash = idOfSigned(signedBytes)
    await this.calls.meet()
    const request = {
      method: submitTransactionRoute.method,
      path: submitTransactionRoute.path,
      body: TRANSACTION_FRAME.wrap(signedBytes),
      contentType: CODEC_MEDIA_TYPE,
      accept: CODEC_MEDIA_TYPE,
      idempotent: true,
      isQuick: true,
    }
    const answer = await this.calls.transport.send(request).catch(unanswered(transactionHash))
    if (answer.status === submitTransactionRoute.success) {
      const receipt = decodedValue(RECEIPT_FRAME.open(answer.body))
      checkReceipt(receipt, transactionHash)
      const lane = headerOf(answer, 'x-ledger-lane-id')
      const dataspace = headerOf(answer, 'x-ledger-dataspace-id')
      return {
        transactionHash,
        receipt,
        lane: lane === undefined ? undefined : Number(numberOf(lane)),
        dataspace: dataspace === undefined ? undefined : numberOf(dataspace),
      }
    }
    const error = errorOfAnswer(answer)
    const known = error.code === 'already_enqueued' || error.code === 'already_committed'
    if (!known) throw error
    return { transactionHash, receipt: undefined, lane: undefined, dataspace: undefined }
  }

  async transactAndWait(
    given: readonly GivenInstruction[],
    options: TransactOptions & Omit<WaitOptions, 'expiresAtMs'>,
  ): Promise<TransactionOutcome> {
    const { until, timeoutMs, ...draft } = options
    const { id, bytes, expiresAtMs } = await this.sign(given, draft)
    const hash = id.toString('hex')
    // A submission that may have arrived is waited for: its hash determines the outcome.
    await this.submit(bytes).catch((error: unknown) => {
      if (!mayHaveArrived(error)) throw error
    })
    return { hash, ...(await this.wait(hash, { expiresAtMs, until, timeoutMs })) }
  }

  async status(hashHex: string, timeoutMs?: number): Promise<TransactionState> {
    await this.calls.meet()
    const answer = await this.calls.transport.send({
      method: 'GET',
      path: pathOf(transactionStatusRoute, { query: { hash: hashHex } }),
      idempotent: true,
      isQuick: true,
      timeoutMs,
    })
    if (!isSuccess(answer)) {
      const error = errorOfAnswer(answer)
      if (error.code !== 'not_found') throw error
      const firstHeight = Number(error.details?.first_height)
      return definedFields({
        state: 'unknown',
        firstHeight: Number.isSafeInteger(firstHeight) ? firstHeight : undefined,
      })
    }
    return stateOf(answer.body, hashHex)
  }

  async wait(
    hashHex: string,
    { until = 'committed', timeoutMs = WAIT_MS, expiresAtMs }: WaitOptions,
  ): Promise<TransactionState> {
    const seen = await waitUntil(until, (leftMs) => this.status(hashHex, leftMs), hashHex, timeoutMs)
    const state = until === 'queued' ? seen : await this.followed(await this.prove(hashHex, seen))
    const early = earlyExpiry(hashHex, state, expiresAtMs)
    if (early !== undefined) throw early
    return state
  }

  /** Outcome of the transaction that superseded a rejected one; on a pinned chain only if that is proven. */
  private async followed(state: TransactionState): Promise<TransactionState> {
    const hash = state.state === 'rejected' ? state.rejection?.supersededBy : undefined
    if (hash === undefined) return state
    const other = await this.prove(hash, await this.status(hash))
    if (other.state !== 'approved') return state
    if (this.isPinned && !supersedes(other, state, await this.calls.codec())) return state
    return { ...other, supersededBy: hash }
  }

  async prove(hashHex: string, state: TransactionState): Promise<TransactionState> {
    const isInBlock = state.state === 'approved' || state.state === 'rejected'
    // Expiry and unknown transactions cannot be proven.
    if (this.verifier === undefined || !isInBlock) return { ...state, proof: 'unverified' }
    if (state.height === undefined) throw unproven(`that ${hashHex} is in a block`, 'it names no height')
    const id = Buffer.from(hashHex, 'hex')
    const { height, blockHash, index, outcome, transaction } = await this.proofOf(id, state.height)
    const place = { height, blockHash, index, transaction, proof: 'verified' } as const
    const rejected = rejectionOf(outcome)
    if (rejected === undefined) {
      return { ...place, state: 'approved', ...(state.payments === undefined ? {} : { payments: state.payments }) }
    }
    const { code = '', message = '', ...more } = state.rejection ?? {}
    if (isErrorCode(code) && ERRORS[code].number !== rejected.code) {
      throw unproven(`that ${hashHex} was rejected with ${code}`, 'its block contains another error')
    }
    const rejection = { code, message, ...more, instruction: rejected.instruction }
    return { ...state, ...place, state: 'rejected', rejection }
  }

  private async proofOf(id: Buffer, height: number): Promise<ProvenTransaction> {
    const verifier = this.verifier as Verifier
    const hash = id.toString('hex')
    const { proof, from } = await verifier
      .ask(
        height,
        (below) => this.calls.route(blockProofRoute, { params: { height, hash: id }, query: { from: below } }),
        (block, below) => this.calls.route(finalityRoute, { params: { height: block }, query: { from: below } }),
      )
      .catch(noProof(`that ${hash} is in block ${height}`))
    return verifier.transaction(proof, id, from)
  }
}

/** Number in a header. */
function numberOf(text: string): bigint {
  if (!/^\d{1,20}$/.test(text)) throw notAGateway('a header of the response is not a number')
  return BigInt(text)
}
