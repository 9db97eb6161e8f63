/** Owns the execution of one transaction: its instructions in order, all or nothing. */
import type { DataEvent, EntryOutcome, Incarnation, SignedTransaction, TransactionPayload } from '../model/index.js'
import type { Overlay, TableDef } from '../state/index.js'
import { type Account, accounts } from './accounts.js'
import type { BlockEnv, ExecContext, ExecInstruction, Rejection } from './contract.js'
import { type Abi, definitionOf } from './registry.js'

/** Units that every signature costs, beside the instructions (design/ledger-lanes.md 6). */
export const TEU_PER_SIGNATURE = 60

/** Static cost of a transaction in TEU. */
export function staticTeu(abi: Abi, signatures: number, payload: TransactionPayload): number {
  let teu = TEU_PER_SIGNATURE * signatures
  for (const instruction of payload.executable.value) teu += definitionOf(abi, instruction).cost(instruction.value)
  return teu
}

/** What a transaction left behind. */
export interface TransactionRun {
  readonly outcome: EntryOutcome
  readonly rejection: (Rejection & { readonly instruction: number | undefined }) | undefined
  readonly events: readonly DataEvent[]
}

/** Runs an instruction list as `authority` on `parent`; state and events are kept only when all succeed. */
export function runInstructions(
  abi: Abi,
  env: BlockEnv,
  parent: Overlay,
  run: {
    readonly authority: string
    readonly id: Uint8Array
    readonly payload: TransactionPayload | undefined
    readonly lane?: number
    readonly instructions: readonly ExecInstruction[]
    /** Place of the first object that this list registers; later ones follow. */
    readonly nextIncarnation: () => Incarnation
  },
): TransactionRun {
  const overlay = parent.fork()
  const events: DataEvent[] = []
  for (const [position, instruction] of run.instructions.entries()) {
    const ctx: ExecContext = {
      env,
      abi,
      authority: run.authority,
      transaction: { id: run.id, payload: run.payload, lane: run.lane },
      instructions: run.instructions,
      position,
      incarnation: run.nextIncarnation,
      emit: (event) => events.push(event),
      get: <K, V>(table: TableDef<K, V>, key: K) => overlay.get(table, key),
      has: <K, V>(table: TableDef<K, V>, key: K) => overlay.has(table, key),
      set: <K, V>(table: TableDef<K, V>, key: K, value: V) => overlay.set(table, key, value),
      delete: <K, V>(table: TableDef<K, V>, key: K) => overlay.delete(table, key),
    }
    const rejection = instruction.def.execute(ctx, instruction.value)
    if (rejection === undefined) continue
    overlay.discard()
    return rejectedRun(abi, rejection, position)
  }
  overlay.merge()
  return { outcome: { kind: 'approved', value: undefined }, rejection: undefined, events }
}

/** A rejection as a run: the number of its code is what gets hashed. */
export function rejectedRun(abi: Abi, rejection: Rejection, instruction: number | undefined): TransactionRun {
  const code = abi.errorNumbers.get(rejection.code)
  if (code === undefined) throw new Error(`error ${rejection.code} has no number in ABI ${abi.number}`)
  return {
    outcome: { kind: 'rejected', value: { code, instruction } },
    rejection: { ...rejection, instruction },
    events: [],
  }
}

/** Runs a signed transaction whose signatures were verified before. */
export function runTransaction(
  abi: Abi,
  env: BlockEnv,
  parent: Overlay,
  transaction: { readonly id: Uint8Array; readonly signed: SignedTransaction; readonly lane: number },
  nextIncarnation: () => Incarnation,
): TransactionRun {
  const payload = transaction.signed.payload.value
  const account: Account | undefined = parent.get(accounts, payload.authority)
  if (account === undefined) {
    return rejectedRun(abi, { code: 'unknown_account', message: 'the authority is not registered' }, undefined)
  }
  const instructions = payload.executable.value.map((one) => ({ def: definitionOf(abi, one), value: one.value }))
  return runInstructions(abi, env, parent, {
    authority: payload.authority,
    id: transaction.id,
    payload,
    lane: transaction.lane,
    instructions,
    nextIncarnation,
  })
}
