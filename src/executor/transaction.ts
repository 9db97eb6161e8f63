/** Owns the execution of one transaction: all of its instructions in order, or none. */
import { WORK_PER_MS, WORK_PER_PROOF_UNIT, workOf } from '../consensus/index.js'
import { hash } from '../crypto/index.js'
import {
  assertInvariant,
  type DataEvent,
  type EntryOutcome,
  type Incarnation,
  type SignedTransaction,
  type TransactionPayload,
} from '../model/index.js'
import { type Overlay, RowMeter } from '../state/index.js'
import { type Account, accounts } from './accounts.js'
import type { BlockEnv, CallNote, ContextWork, ExecContext, ExecInstruction, Rejection } from './contract.js'
import { jsonUnits, RECORD_BYTES_PER_UNIT, TEU_PER_SIGNATURE } from './costs.js'
import { EXECUTIONS, type ListExecution, type TrialExecution } from './executions.js'
import type { TrialRun } from './feature.js'
import { type ContentLimit, Meter } from './meter.js'
import { parameterOf } from './parameters.js'
import type { Trial } from './reads.js'
import type { Abi } from './registry.js'
import { executable, type Run, type RunningList, runList, runWork, TOP_LEVEL } from './run.js'
import { MAX_TEU_PER_TX } from './system-parameters.js'
import { newMatchMemory } from './triggers/lists.js'

/** Static cost of a transaction, known before it runs; it determines its share of queue, lanes and blocks. */
export interface StaticCost {
  /** Execution units of its signatures, instructions, record bytes and JSON weight. */
  readonly teu: number
  /** Contribution to the work sum of its block, in units of 10 ns. */
  readonly work: number
  /** Units of its proofs. */
  readonly proofWork: number
}

/** Static cost of a signed transaction with a record of `size` bytes. */
export function staticCost(abi: Abi, signed: SignedTransaction, recordBytes: number): StaticCost {
  const instructions = signed.payload.value.executable.value
  const teu =
    TEU_PER_SIGNATURE * signed.signatures.length +
    abi.costOf(instructions, 'record') +
    Math.ceil(recordBytes / RECORD_BYTES_PER_UNIT) +
    jsonUnits(signed.payload.jsonWeight)
  const proofWork = abi.proofWorkOf(instructions)
  const declared =
    WORK_PER_MS * abi.workMsOf(instructions) + abi.workUnitsOf(instructions) + WORK_PER_PROOF_UNIT * proofWork
  return { teu, work: workOf(teu, declared), proofWork }
}

/** Result of a transaction. */
export interface TransactionRun {
  readonly outcome: EntryOutcome
  readonly rejection: (Rejection & { readonly instruction: number | undefined }) | undefined
  readonly events: readonly DataEvent[]
  /**
   * Units of its triggers, proposals, rows and events, on top of its static cost; they count even if it is rejected.
   */
  readonly contentTeu: number
  /** True if any part of it ran out of units, whatever the outcome. */
  readonly isExhausted: boolean
}

/** Canonical bytes do not depend on the human-readable part of addresses. */
const ANY_PREFIX = ''

/** Inputs of a metered run. */
export interface RunPlace {
  readonly authority: string
  readonly id: Uint8Array
  readonly payload: TransactionPayload | undefined
  readonly lane?: number | undefined
  /** Units for triggers, proposals, rows and events; none if absent. */
  readonly content?: ContentLimit | undefined
  /** Incarnation of the first object that it registers; later ones follow. */
  readonly nextIncarnation: () => Incarnation
}

/** Run an instruction list as `authority` on `parent`; state and events are kept only if all succeed. */
export const runInstructions = (
  row: ListExecution,
  abi: Abi,
  env: BlockEnv,
  parent: Overlay,
  list: RunPlace & { readonly instructions: readonly ExecInstruction[] },
): TransactionRun => metered(row, { abi, env, parent }, list, list.instructions, runList)

/** Run the work of a feature as `authority` on `parent`, under the same rules. */
export const runFeature = (
  row: ListExecution | TrialExecution,
  abi: Abi,
  env: BlockEnv,
  parent: Overlay,
  place: RunPlace & { readonly what: string; readonly work: ContextWork },
): TransactionRun =>
  metered(row, { abi, env, parent }, place, [], (run, frame) => {
    const rejection = runWork(run, frame, place.what, place.work)
    return rejection === undefined ? undefined : { rejection, position: undefined }
  })

/** Runner of instructions for self-checks under an ABI. */
export const trialRunOf =
  (abi: Abi): TrialRun =>
  (state, env, { authority, id }, instruction) =>
    runInstructions(EXECUTIONS.selfCheck, abi, env, state, {
      authority,
      id,
      payload: undefined,
      instructions: executable(abi, [instruction]),
      content: { own: SELF_CHECK_UNITS },
      nextIncarnation: () => ({ height: env.height, index: 0 }),
    })

/** Maximum units of a self-check. */
const SELF_CHECK_UNITS = 1_000_000_000

/** Run work as an account on an overlay that is discarded, within the units of one transaction. */
export function tryOut<T>(
  row: TrialExecution,
  abi: Abi,
  env: BlockEnv,
  parent: Overlay,
  authority: string,
  work: (ctx: ExecContext) => T,
): Trial<T> {
  const done: T[] = []
  const id = hash('tried')
  const content = { own: parameterOf(parent, MAX_TEU_PER_TX) }
  const nextIncarnation = (): Incarnation => ({ height: env.height, index: 0 })
  const { rejection, events } = runFeature(row, abi, env, parent, {
    authority,
    id,
    payload: undefined,
    content,
    nextIncarnation,
    what: 'trial',
    work(ctx) {
      done.push(work(ctx))
      return undefined
    },
  })
  const [result] = done
  if (result === undefined) throw new Error(rejection?.message ?? 'the transaction has no outcome')
  return { result, refused: rejection?.message, events }
}

function metered(
  row: ListExecution | TrialExecution,
  { abi, env, parent }: { readonly abi: Abi; readonly env: BlockEnv; readonly parent: Overlay },
  { authority, id, payload, lane, content, nextIncarnation }: RunPlace,
  instructions: readonly ExecInstruction[],
  work: (run: Run, frame: RunningList) => { rejection: Rejection; position: number | undefined } | undefined,
): TransactionRun {
  const isMetered = row.kind === 'trial' || row.isMetered
  assertInvariant(isMetered === (content !== undefined), 'what is metered has a limit, and nothing else has')
  // A self-check also runs as genesis, within its limit.
  assertInvariant(isMetered || env.genesis, 'genesis alone is not metered')
  const transaction = { id, payload, lane }
  const meter = new Meter(content ?? { own: 0 })
  const codec = abi.codec(ANY_PREFIX)
  // Genesis is exempt from units: it runs once, before any client waits for a block.
  const overlay = parent.fork(isMetered ? new RowMeter(meter, codec) : undefined)
  const run: Run = {
    abi,
    env,
    transaction,
    meter,
    events: [],
    codec,
    nextIncarnation,
    calls: [],
    matched: newMatchMemory(),
  }
  const failed = work(run, { authority, overlay, instructions, depth: TOP_LEVEL, following: false })
  if (failed !== undefined) {
    overlay.discard()
    const { spent: contentTeu, isExhausted } = meter
    const rejected = rejectedRun(abi, failed.rejection, failed.position)
    const trapped = failed.rejection.code === 'contract_trap' ? calledOutcome(run.calls, true) : undefined
    return { ...rejected, outcome: trapped ?? rejected.outcome, contentTeu, isExhausted }
  }
  overlay.merge()
  return {
    outcome: calledOutcome(run.calls, false) ?? { kind: 'approved', value: undefined },
    rejection: undefined,
    events: run.events,
    contentTeu: meter.spent,
    isExhausted: meter.isExhausted,
  }
}

/** The only part as it is, or the hash of several parts. */
const joined = (tag: string, parts: readonly Uint8Array[]): Uint8Array =>
  parts.length === 1 ? (parts[0] as Uint8Array) : hash(tag, ...parts)

/** Results of the contract calls of a run, as one outcome; undefined without calls. A failed call is the last one. */
function calledOutcome(calls: readonly CallNote[], isTrapped: boolean): EntryOutcome | undefined {
  const last = calls.at(-1)
  if (last === undefined) return undefined
  return {
    kind: 'called',
    value: {
      trap: isTrapped ? last.trap : 0,
      abortCode: isTrapped ? last.abortCode : 0,
      gasUsed: calls.reduce((sum, { gasUsed }) => sum + gasUsed, 0),
      output: joined(
        'contract:outputs',
        calls.map(({ output }) => output),
      ),
      events: joined(
        'contract:event-lists',
        calls.map(({ events }) => events),
      ),
    },
  }
}

/** Rejection as the result of a run; only the number of its code is hashed. */
export function rejectedRun(abi: Abi, rejection: Rejection, instruction: number | undefined): TransactionRun {
  const code = abi.errorNumbers.get(rejection.code)
  if (code === undefined) throw new Error(`error ${rejection.code} has no number in ABI ${abi.number}`)
  return {
    outcome: { kind: 'rejected', value: { code, instruction } },
    rejection: { ...rejection, instruction },
    events: [],
    contentTeu: 0,
    isExhausted: false,
  }
}

/** Run a signed transaction whose signatures were verified before. */
export function runTransaction(
  abi: Abi,
  env: BlockEnv,
  parent: Overlay,
  transaction: { readonly id: Uint8Array; readonly signed: SignedTransaction; readonly lane: number },
  nextIncarnation: () => Incarnation,
  content: ContentLimit,
): TransactionRun {
  const payload = transaction.signed.payload.value
  const account: Account | undefined = parent.get(accounts, payload.authority)
  if (account === undefined) {
    return rejectedRun(abi, { code: 'unknown_account', message: 'the authority is not registered' }, undefined)
  }
  return runInstructions(EXECUTIONS.transaction, abi, env, parent, {
    authority: payload.authority,
    id: transaction.id,
    payload,
    lane: transaction.lane,
    instructions: executable(abi, payload.executable.value),
    content,
    nextIncarnation,
  })
}
