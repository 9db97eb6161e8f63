/** Owns the common parts of a block's own runs: due runs, triggers, ends of blocks. */
import type { DataEvent, EntryOutcome, Incarnation } from '../model/index.js'
import type { Overlay } from '../state/index.js'
import { orRejected } from './boundary.js'
import type { BlockEnv, OpenFees, Rejection } from './contract.js'
import type { Abi } from './registry.js'
import { rejectedRun, type TransactionRun } from './transaction.js'

/** First view in which due runs are postponed, because one of them may have caused the earlier views to fail. */
export const PUT_OFF_FROM_VIEW = 3

/** Run with its entry in the block's results. */
export interface OwnRun {
  readonly id: Uint8Array
  readonly outcome: EntryOutcome
  readonly rejection: TransactionRun['rejection']
  readonly teu: number
  readonly events: readonly DataEvent[]
}

/** Inputs of own runs. */
export interface RunContext {
  readonly abi: Abi
  readonly env: BlockEnv
  /** View in which the block was built: the limits of runs decrease with it. */
  readonly originView: number
  /** Fees of the block; undefined if nothing is charged. */
  readonly fees: OpenFees | undefined
  readonly nextIncarnation: () => Incarnation
}

/** Result of a step on a separate fork, which is kept unless it was rejected or had no effect. */
export function onFork<T extends object>(
  overlay: Overlay,
  what: string,
  step: (fork: Overlay) => T | undefined,
): T | Rejection | undefined {
  const fork = overlay.fork()
  const done = orRejected(what, () => step(fork))
  if (done === undefined || 'code' in done) fork.discard()
  else fork.merge()
  return done
}

/** Result of a run whose own record could not be stored: an entry that reports it, without state changes. */
export function brokenRun({ abi }: Pick<RunContext, 'abi'>, id: Uint8Array, fault: Rejection): OwnRun {
  const { outcome, rejection, events } = rejectedRun(abi, fault, undefined)
  return { id, outcome, rejection, events, teu: 0 }
}
