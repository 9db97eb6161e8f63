/** Owns the running of instruction lists: their contexts, the triggers that they set off, and what all of it costs. */
import type { AccountId, DataEvent, Incarnation, Instruction } from '../model/index.js'
import type { Overlay, TableDef } from '../state/index.js'
import {
  type BlockEnv,
  type ExecContext,
  type ExecInstruction,
  type Rejection,
  reject,
  type StoredList,
} from './contract.js'
import { type Abi, definitionOf } from './registry.js'
import { consumeRun, TRIGGER_EVENTS } from './triggers/life.js'
import { type Match, matchesOf } from './triggers/lists.js'
import { triggers } from './triggers/tables.js'

/** How deep triggers may set off triggers, and proposals of one multisig account may speak for another. */
const DEPTH_MAX = 3

/** Execution units that a run has taken and may take. */
export interface Meter {
  spent: number
  readonly limit: number
}

/** What one transaction, or one run of a trigger, has in common. */
export interface Run {
  readonly abi: Abi
  readonly env: BlockEnv
  readonly transaction: ExecContext['transaction']
  readonly meter: Meter
  readonly events: DataEvent[]
  /** Place of the next object that is registered. */
  readonly nextIncarnation: () => Incarnation
}

/** A list on its way: whose it is, where it writes, how deep it stands. */
export interface Frame {
  readonly authority: AccountId
  readonly overlay: Overlay
  readonly instructions: readonly ExecInstruction[]
  readonly depth: Readonly<Record<StoredList['by'], number>>
}

export const TOP_LEVEL: Frame['depth'] = { trigger: 0, proposal: 0 }

/** Instructions with their definitions. */
export const executable = (abi: Abi, instructions: readonly Instruction[]): ExecInstruction[] =>
  instructions.map((one) => ({ def: definitionOf(abi, one), value: one.value }))

/** Runs a list in order on the overlay of its frame; the rejection of the first instruction that fails, and its place. */
export function runList(run: Run, frame: Frame): { rejection: Rejection; position: number } | undefined {
  for (const [position, instruction] of frame.instructions.entries()) {
    const matches: Match[] = []
    const ctx = contextOf(run, frame, position, matches)
    const rejection = instruction.def.execute(ctx, instruction.value) ?? runMatches(run, frame, matches)
    if (rejection !== undefined) return { rejection, position }
  }
  return undefined
}

function contextOf(run: Run, frame: Frame, position: number, matches: Match[]): ExecContext {
  const { abi, env, events } = run
  const { overlay } = frame
  return {
    env,
    abi,
    authority: frame.authority,
    transaction: run.transaction,
    instructions: frame.instructions,
    position,
    incarnation: run.nextIncarnation,
    emit: (event) => {
      events.push(event)
      // Genesis is exempt from permissions: what it registers does not run in it.
      if (!env.genesis) matches.push(...matchesOf(overlay, abi.events.get(event.kind), event))
    },
    runStored: (list) => runStored(run, frame, list),
    get: <K, V>(table: TableDef<K, V>, key: K) => overlay.get(table, key),
    has: <K, V>(table: TableDef<K, V>, key: K) => overlay.has(table, key),
    set: <K, V>(table: TableDef<K, V>, key: K, value: V) => overlay.set(table, key, value),
    delete: <K, V>(table: TableDef<K, V>, key: K) => overlay.delete(table, key),
  }
}

/** Takes the cost of instructions that no transaction carried. */
function charge({ abi, meter }: Run, instructions: readonly Instruction[]): Rejection | undefined {
  const teu = abi.costOf(instructions)
  if (meter.spent + teu > meter.limit) {
    return reject('teu_exhausted', `${teu} units more would pass the limit of ${meter.limit}`)
  }
  meter.spent += teu
  return undefined
}

/** One level down; the codes say of what there were too many levels. */
function deeper(depth: Frame['depth'], by: StoredList['by']): Frame['depth'] | Rejection {
  if (depth[by] < DEPTH_MAX) return { ...depth, [by]: depth[by] + 1 }
  return by === 'trigger'
    ? reject('trigger_depth', `more than ${DEPTH_MAX} triggers follow each other`)
    : reject('multisig_nesting', `proposals of more than ${DEPTH_MAX} accounts stand in one another`)
}

/** Runs what events set off, in their order; all of it belongs to the instruction that caused them. */
function runMatches(run: Run, frame: Frame, matches: readonly Match[]): Rejection | undefined {
  for (const { id, incarnation } of matches) {
    const row = frame.overlay.get(triggers, id)
    const isSame = row?.incarnation.height === incarnation.height && row.incarnation.index === incarnation.index
    // One before it may have removed it, switched it off, or registered another under its name.
    if (row === undefined || !isSame || !row.enabled) continue
    const depth = deeper(frame.depth, 'trigger')
    if ('code' in depth) return depth
    const unpaid = charge(run, row.instructions)
    if (unpaid !== undefined) return unpaid
    if (consumeRun(frame.overlay, id, row)) {
      run.events.push({ kind: TRIGGER_EVENTS.deleted, value: { trigger: id, authority: row.authority } })
    }
    run.events.push(ranEvent(id, 'data'))
    const instructions = executable(run.abi, row.instructions)
    const failed = runList(run, { authority: row.authority, overlay: frame.overlay, instructions, depth })
    if (failed !== undefined) return failed.rejection
  }
  return undefined
}

/** What a trigger did, or why not. */
export const ranEvent = (
  trigger: string,
  cause: 'data' | 'call' | 'time' | 'preCommit',
  more: { readonly dueMs?: number; readonly missed?: number; readonly error?: string } = {},
): DataEvent => ({
  kind: TRIGGER_EVENTS.ran,
  value: { trigger, cause, dueMs: more.dueMs, missed: more.missed ?? 0, error: more.error },
})

/** A stored list inside an instruction: on an overlay of its own, so that its failure leaves nothing behind. */
function runStored(run: Run, frame: Frame, list: StoredList): Rejection | undefined {
  const depth = deeper(frame.depth, list.by)
  if ('code' in depth) return depth
  const unpaid = charge(run, list.instructions)
  if (unpaid !== undefined) return unpaid
  const overlay = frame.overlay.fork()
  const told = run.events.length
  const instructions = executable(run.abi, list.instructions)
  const failed = runList(run, { authority: list.authority, overlay, instructions, depth })
  if (failed === undefined) {
    overlay.merge()
    return undefined
  }
  overlay.discard()
  run.events.length = told
  return failed.rejection
}
