/**
 * Owns the execution of due runs in a block: first runs paid by the chain, then runs of owners, oldest first, within
 * their share.
 */
import { limitAtView } from '../../consensus/index.js'
import { hash } from '../../crypto/index.js'
import { type AccountId, event, name, triggerEvents } from '../../model/index.js'
import type { Overlay } from '../../state/index.js'
import { systemAccount } from '../accounts.js'
import { type Rejection, reject } from '../contract.js'
import { RUN_TEU } from '../costs.js'
import { EXECUTIONS } from '../executions.js'
import type { Scheduled } from '../feature.js'
import { brokenRun, type OwnRun, onFork, PUT_OFF_FROM_VIEW, type RunContext } from '../own-run.js'
import { parameterOf } from '../parameters.js'
import { dueTeu } from '../shares.js'
import { MAX_TEU_PER_TX } from '../system-parameters.js'
import { rejectedRun, runFeature, type TransactionRun } from '../transaction.js'
import { addRun, firstDueMs, firstRun, removeRun, runOf } from './store.js'
import { type DueRun, PAYERS, type Payer, type RunId } from './tables.js'

/** Maximum due runs per block; the rest is due in the next block. */
export const DUE_RUNS_PER_BLOCK_MAX = 128
/** Delay before a failed run is retried, in ms; after the third failure in a row it waits for manual action. */
const RETRY_MS = 3_600_000
const FAILURES_MAX = 3

function heightBytes(height: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(BigInt(height))
  return bytes
}

/** Id of a due run in a block; each kind and key runs at most once per block. */
export const dueRunId = (height: number, { kind, key }: RunId): Buffer =>
  hash('due-run', heightBytes(height), name.encode(kind), key)

/** Outcome of the first run of a payer: executed, or none is due. */
interface Step {
  readonly run: OwnRun | undefined
}

/** Execute the runs that are due; none in late views. */
export function runDueRuns(place: RunContext, overlay: Overlay): OwnRun[] {
  if (place.originView >= PUT_OFF_FROM_VIEW) return []
  const runs: OwnRun[] = []
  let left = limitAtView(dueTeu(overlay), place.originView)
  for (const payer of PAYERS) {
    while (runs.length < DUE_RUNS_PER_BLOCK_MAX && left > 0) {
      const room = { left, isFirst: runs.length === 0 }
      const step = onFork(overlay, 'due runs', (fork) => runFirst(place, fork, payer, room))
      // The order is lost without the entry in the store: runs stay due.
      if (step === undefined) return runs
      if ('code' in step) return [...runs, brokenRun(place, hash('due-runs', heightBytes(place.env.height)), step)]
      if (step.run === undefined) break
      runs.push(step.run)
      left -= step.run.teu
    }
  }
  return runs
}

interface Room {
  readonly left: number
  readonly isFirst: boolean
}

/** Remove the first run of a payer from the store and execute it; undefined if the block has no capacity for it. */
function runFirst(place: RunContext, overlay: Overlay, payer: Payer, { left, isFirst }: Room): Step | undefined {
  const { env, originView } = place
  const dueMs = firstDueMs(overlay, payer)
  const id = dueMs === undefined || dueMs > env.timeMs ? undefined : firstRun(overlay, payer)
  if (id === undefined) return { run: undefined }
  const row = runOf(overlay, id)
  if (row === undefined) throw new Error('a due run has no record')
  removeRun(overlay, id)
  // At even heights the first due run may use the limit of a transaction, at odd ones the first time trigger: see
  // shares.ts.
  const mayExceed = isFirst && originView === 0 && env.height % 2 === 0
  const made = runOnce(place, overlay, id, row, { left, mayExceed })
  if (made === undefined) return undefined
  const { outcome, rejection, events, teu } = made
  const retryMs = rejection === undefined ? undefined : retry(place, overlay, id, row)
  const ranEvent = event(triggerEvents.dueRunRan, {
    run: id.kind,
    key: id.key,
    owner: row.owner,
    error: rejection?.code,
    retryMs,
  })
  return { run: { id: dueRunId(env.height, id), outcome, rejection, teu, events: [ranEvent, ...events] } }
}

/** Reschedule a failed run; returns its next time, or undefined if it is not retried automatically. */
function retry({ env }: RunContext, overlay: Overlay, id: RunId, { owner, failures }: DueRun): number | undefined {
  const count = failures + 1
  if (count >= FAILURES_MAX) return undefined
  const due = addRun(overlay, id, { owner, dueMs: env.timeMs + RETRY_MS }, count)
  return typeof due === 'number' ? due : undefined
}

type Made = Pick<TransactionRun, 'outcome' | 'rejection' | 'events'> & { readonly teu: number }

/** Units of a block left for a run, and whether the run may exceed them up to its own need. */
interface Share {
  readonly left: number
  readonly mayExceed: boolean
}

/** Execute the run at the cost of its payer; undefined if the block has too few units left. */
function runOnce(place: RunContext, overlay: Overlay, id: RunId, { owner }: DueRun, share: Share): Made | undefined {
  const { abi, env, fees, nextIncarnation } = place
  const found = abi.scheduled.get(id.kind)
  const failed = (fault: Rejection, teu: number): Made => ({ ...rejectedRun(abi, fault, undefined), teu })
  if (found === undefined) return failed(reject('absent', `the active ABI has no run of kind ${id.kind}`), RUN_TEU)
  const { def, feature } = found
  const cost = RUN_TEU + def.teu
  const chainMax = parameterOf(overlay, MAX_TEU_PER_TX)
  const declared = RUN_TEU + def.maxTeu
  // A run of the chain is not a transaction: with fewer units than declared it would fail three times and never run
  // again.
  const own = owner === undefined ? declared : Math.min(declared, chainMax)
  const room = share.mayExceed ? Math.max(share.left, chainMax, own) : share.left
  if (cost > room) return undefined
  const authority: AccountId = owner ?? systemAccount(feature)
  const reserved =
    owner === undefined ? undefined : fees?.reserve(overlay, { authority, sponsor: undefined, maxTeu: own })
  if (reserved !== undefined && 'code' in reserved) return failed(reserved, cost)
  const run = onFork(overlay, id.kind, (fork) =>
    runFeature(EXECUTIONS.dueRun, abi, env, fork, {
      authority,
      id: dueRunId(env.height, id),
      payload: undefined,
      content: { own: own - cost, pool: room - cost },
      nextIncarnation,
      what: id.kind,
      work: (ctx) => def.run(ctx, keyOf(def, id)),
    }),
  )
  // Only a rejection of `runFeature` itself has a code; a run is always recorded.
  if (run === undefined || 'code' in run) throw new Error(`the run of ${id.kind} has no outcome`)
  if (run.isExhausted && room < own) return undefined
  const teu = cost + run.contentTeu
  return { ...run, teu, events: [...run.events, ...(reserved?.settle(teu) ?? [])] }
}

function keyOf<K>({ kind, key }: Scheduled<K>, id: RunId): K {
  const decoded = key.decode(id.key)
  if (!decoded.ok) throw new Error(`the key of a run of ${kind} does not decode: ${decoded.fault.message}`)
  return decoded.value
}
