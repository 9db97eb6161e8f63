/** Owns the trace of an execution: the rows that each instruction of each transaction read or wrote, in order. */

import type { ExecutableInstruction } from '../../executor/contract.js'
import type { Abi, ExecContext } from '../../executor/index.js'
import { type RowKey, rowKey, type TableDef } from '../../state/index.js'

/** Access to a row. */
export interface Touch {
  readonly row: RowKey
  readonly kind: 'read' | 'write'
  /** Hash of the transaction. */
  readonly transaction: Uint8Array
  /** Index of the instruction in its transaction, and its label. */
  readonly position: number
  readonly label: string
}

/** ABI whose instructions report the rows that they read and write; execution is otherwise the same. */
export function tracedAbi(abi: Abi, onTouch: (touch: Touch) => void): Abi {
  const traced = (def: ExecutableInstruction<unknown>): ExecutableInstruction<unknown> => ({
    ...def,
    execute: (ctx, value) => def.execute(tracedContext(ctx, def.label, onTouch), value),
  })
  return { ...abi, instructions: new Map([...abi.instructions].map(([kind, def]) => [kind, traced(def)])) }
}

function tracedContext(ctx: ExecContext, label: string, onTouch: (touch: Touch) => void): ExecContext {
  const { env, abi, authority, transaction, instructions, position } = ctx
  const note = <K, V>(kind: Touch['kind'], table: TableDef<K, V>, key: K): void =>
    onTouch({ row: rowKey(table, key), kind, transaction: transaction.id, position, label })
  return {
    env,
    abi,
    authority,
    transaction,
    instructions,
    position,
    incarnation: () => ctx.incarnation(),
    emit: (def, value) => ctx.emit(def, value),
    record: (event) => ctx.record(event),
    take: (units) => ctx.take(units),
    runStored: (list) => ctx.runStored(list),
    fork: (work) => ctx.fork((forked) => work(tracedContext(forked, label, onTouch))),
    forkAs: (account, work) => ctx.forkAs(account, (forked) => work(tracedContext(forked, label, onTouch))),
    forkWithin: (units, work) => ctx.forkWithin(units, (forked) => work(tracedContext(forked, label, onTouch))),
    demand: (units) => ctx.demand(units),
    perform: (instruction) => ctx.perform(instruction),
    apart: (limit, work) => ctx.apart(limit, work),
    giveBack: (units) => ctx.giveBack(units),
    noteCall: (call) => ctx.noteCall(call),
    get: (table, key) => {
      note('read', table, key)
      return ctx.get(table, key)
    },
    has: (table, key) => {
      note('read', table, key)
      return ctx.has(table, key)
    },
    set: (table, key, value) => {
      note('write', table, key)
      ctx.set(table, key, value)
    },
    delete: (table, key) => {
      note('write', table, key)
      ctx.delete(table, key)
    },
  }
}
