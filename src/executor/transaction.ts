/** Owns the execution of one transaction: its instructions in order, all or nothing. */
import { WORK_PER_MS, workOf } from '../consensus/index.js'
import type {
  DataEvent,
  EntryOutcome,
  Incarnation,
  Metadata,
  SignedTransaction,
  TransactionPayload,
} from '../model/index.js'
import type { Overlay } from '../state/index.js'
import { type Account, accounts } from './accounts.js'
import type { BlockEnv, ExecInstruction, Rejection } from './contract.js'
import { TEU_PER_SIGNATURE } from './costs.js'
import type { Abi } from './registry.js'
import { executable, type Run, runList, TOP_LEVEL } from './run.js'

/** Static cost of a transaction in TEU. */
export function staticTeu(abi: Abi, signatures: number, payload: TransactionPayload): number {
  return TEU_PER_SIGNATURE * signatures + abi.costOf(payload.executable.value)
}

/** What a transaction counts in the work sum of its block, in units of 10 ns. */
export const staticWork = (abi: Abi, teu: number, payload: TransactionPayload): number =>
  workOf(teu, WORK_PER_MS * abi.workMsOf(payload.executable.value))

/** Metadata keys of a transaction or a trigger: what it may be metered at at most, and the address of who pays its fee. */
export const TEU_LIMIT_KEY = 'teu_limit'
export const FEE_SPONSOR_KEY = 'fee_sponsor'

/** What a transaction or a trigger says about its fees. */
export interface FeeWishes {
  readonly teuLimit: number | undefined
  /** Address of the sponsor; an empty one is none of any chain. */
  readonly sponsor: string | undefined
}
export function feeWishesOf({ metadata }: { readonly metadata: Pick<Metadata, 'get'> }): FeeWishes {
  const limit = metadata.get(TEU_LIMIT_KEY)
  const sponsor = metadata.get(FEE_SPONSOR_KEY)
  return {
    teuLimit: typeof limit === 'number' && limit >= 0 ? limit : undefined,
    sponsor: sponsor === undefined ? undefined : typeof sponsor === 'string' ? sponsor : '',
  }
}

/** Most units that a transaction may be metered at: its own limit, never less than its static cost nor more than the chain's. */
export const maxTeuOf = (wishes: FeeWishes, staticCost: number, chainMax: number): number =>
  Math.max(Math.min(wishes.teuLimit ?? chainMax, chainMax), staticCost)

/** What a transaction left behind. */
export interface TransactionRun {
  readonly outcome: EntryOutcome
  readonly rejection: (Rejection & { readonly instruction: number | undefined }) | undefined
  readonly events: readonly DataEvent[]
  /** Units of triggers and proposals that ran in it, on top of its static cost; they count also when it is rejected. */
  readonly contentTeu: number
}

/** Runs an instruction list as `authority` on `parent`; state and events are kept only when all succeed. */
export function runInstructions(
  abi: Abi,
  env: BlockEnv,
  parent: Overlay,
  list: {
    readonly authority: string
    readonly id: Uint8Array
    readonly payload: TransactionPayload | undefined
    readonly lane?: number
    readonly instructions: readonly ExecInstruction[]
    /** Units that triggers and proposals in it may take; none when absent. */
    readonly contentTeu?: number
    /** Place of the first object that this list registers; later ones follow. */
    readonly nextIncarnation: () => Incarnation
  },
): TransactionRun {
  const overlay = parent.fork()
  const { authority, instructions, nextIncarnation } = list
  const transaction = { id: list.id, payload: list.payload, lane: list.lane }
  const meter = { spent: 0, followed: 0, limit: list.contentTeu ?? 0 }
  const run: Run = { abi, env, transaction, meter, events: [], nextIncarnation }
  const failed = runList(run, { authority, overlay, instructions, depth: TOP_LEVEL, following: false })
  if (failed !== undefined) {
    overlay.discard()
    return { ...rejectedRun(abi, failed.rejection, failed.position), contentTeu: meter.spent }
  }
  overlay.merge()
  return {
    outcome: { kind: 'approved', value: undefined },
    rejection: undefined,
    events: run.events,
    contentTeu: meter.spent,
  }
}

/** A rejection as a run: the number of its code is what gets hashed. */
export function rejectedRun(abi: Abi, rejection: Rejection, instruction: number | undefined): TransactionRun {
  const code = abi.errorNumbers.get(rejection.code)
  if (code === undefined) throw new Error(`error ${rejection.code} has no number in ABI ${abi.number}`)
  return {
    outcome: { kind: 'rejected', value: { code, instruction } },
    rejection: { ...rejection, instruction },
    events: [],
    contentTeu: 0,
  }
}

/** Runs a signed transaction whose signatures were verified before. */
export function runTransaction(
  abi: Abi,
  env: BlockEnv,
  parent: Overlay,
  transaction: { readonly id: Uint8Array; readonly signed: SignedTransaction; readonly lane: number },
  nextIncarnation: () => Incarnation,
  contentTeu: number,
): TransactionRun {
  const payload = transaction.signed.payload.value
  const account: Account | undefined = parent.get(accounts, payload.authority)
  if (account === undefined) {
    return rejectedRun(abi, { code: 'unknown_account', message: 'the authority is not registered' }, undefined)
  }
  return runInstructions(abi, env, parent, {
    authority: payload.authority,
    id: transaction.id,
    payload,
    lane: transaction.lane,
    instructions: executable(abi, payload.executable.value),
    contentTeu,
    nextIncarnation,
  })
}
