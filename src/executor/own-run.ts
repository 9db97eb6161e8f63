/** Owns what the runs that a block makes itself have in common: due runs of features, triggers, the ends of blocks. */
import type { DataEvent, EntryOutcome, Incarnation } from '../model/index.js'
import type { Overlay } from '../state/index.js'
import { orRejected } from './boundary.js'
import type { BlockEnv, OpenFees, Rejection } from './contract.js'
import type { Abi } from './registry.js'
import { rejectedRun, type TransactionRun } from './transaction.js'

/** From this view on what is due is put off: one of it may be what the views before failed at. */
export const PUT_OFF_FROM_VIEW = 3

/** One run: an entry of the block's results. */
export interface OwnRun {
  readonly id: Uint8Array
  readonly outcome: EntryOutcome
  readonly rejection: TransactionRun['rejection']
  readonly teu: number
  readonly events: readonly DataEvent[]
}

/** What runs are made with. */
export interface RunContext {
  readonly abi: Abi
  readonly env: BlockEnv
  /** View that the block was made in: what runs may take goes down with it. */
  readonly originView: number
  /** What the block charges; undefined while nothing costs anything. */
  readonly fees: OpenFees | undefined
  readonly nextIncarnation: () => Incarnation
}

/** What a step came to on a fork of its own, which stays unless it was rejected or came to nothing. */
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

/** A run whose own record could not be kept: an entry that says so, and no trace in the state. */
export function brokenRun({ abi }: Pick<RunContext, 'abi'>, id: Uint8Array, fault: Rejection): OwnRun {
  const { outcome, rejection, events } = rejectedRun(abi, fault, undefined)
  return { id, outcome, rejection, events, teu: 0 }
}
