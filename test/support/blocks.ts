/** Owns blocks on a bare executor after genesis, without consensus and signatures. */
import { type CodecContext, lazyOf } from '../../src/codec/index.js'
import {
  type Abi,
  type BlockInput,
  type BlockRun,
  EXECUTIONS,
  type ExecutableEntry,
  executeBlock,
  scheduleHeight,
} from '../../src/executor/index.js'
import {
  type AccountId,
  type Instruction,
  keyOfAccount,
  type Metadata,
  type MultisigPolicy,
  NO_METADATA,
  type SignedTransaction,
  signedHash,
  signedTransaction,
  transactionId,
  transactionPayload,
} from '../../src/model/index.js'
import { CHAIN, codec } from './chain.js'
import type { Bench } from './executor.js'
import { seeded } from './seeded.js'

export const SEED = Buffer.alloc(32, 3)
let nonce = 0

/** Transaction in block form; its signature is not verified. */
export function entry(
  authority: AccountId,
  instructions: readonly Instruction[],
  more: {
    readonly metadata?: Metadata
    readonly policy?: MultisigPolicy
    readonly createdAtMs?: number
    /** Codec context of the ABI with the instructions; absent: the first one. */
    readonly context?: CodecContext
  } = {},
): ExecutableEntry {
  nonce += 1
  const { context = codec } = more
  const payload = lazyOf(
    transactionPayload,
    {
      chain: CHAIN,
      authority,
      createdAtMs: more.createdAtMs ?? 1,
      ttlMs: 100_000,
      nonce,
      executable: { kind: 'instructions', value: instructions },
      metadata: more.metadata ?? NO_METADATA,
      dataspace: undefined,
    },
    context,
  )
  const publicKey = keyOfAccount(authority)
  const signatures = [{ publicKey: publicKey ?? '', signature: Buffer.alloc(64) }]
  const signed: SignedTransaction = { payload, signatures, policy: more.policy }
  const signedBytes = publicKey === undefined ? Buffer.alloc(1) : signedTransaction.encode(signed, context)
  return {
    lane: 0,
    dataspace: 0n,
    id: transactionId(payload.bytes),
    signedHash: signedHash(signedBytes),
    signedBytes,
    signed,
  }
}

/** Blocks on the state of a bench. */
export class Blocks {
  height = 1
  /** View of the next block. */
  view = 0
  /** ABI of the next block. */
  abi: Abi
  /** The last block, once there is one. */
  last!: BlockInput

  constructor(readonly bench: Bench) {
    this.abi = bench.abi
    for (const height of [1, 2, 3]) scheduleHeight(seeded(bench.state, SEED), height)
  }

  /** Run the next block at a header time; returns its result. */
  run(timeMs: number, ...entries: readonly ExecutableEntry[]): BlockRun {
    this.height += 1
    this.last = {
      abi: this.abi,
      chain: CHAIN,
      chainHash: SEED,
      height: this.height,
      originView: this.view,
      timeMs,
      parentCertificate: undefined,
      evidence: [],
      entries,
    }
    const overlay = this.bench.state.fork()
    const run = executeBlock(EXECUTIONS.validate, this.last, overlay)
    overlay.merge()
    return run
  }
}

/** Events of one kind. */
export const eventsOf = (run: BlockRun, kind: string): Record<string, unknown>[] =>
  run.events
    .map((one) => one.event)
    .filter((event) => event.kind === kind)
    .map((event) => event.value as Record<string, unknown>)
