/** Owns a bare executor for tests: instructions on an overlay over nothing, as any authority. */

import { hash } from '../../src/crypto/index.js'
import { definitionOf, incarnations, runInstructions } from '../../src/executor/index.js'
import { ABI_1 } from '../../src/features/index.js'
import {
  type AccountId,
  accountKeyOf,
  accountOfKey,
  type DataEvent,
  type ErrorCode,
  type Instruction,
} from '../../src/model/index.js'
import { EMPTY_ROWS, Overlay } from '../../src/state/index.js'

/** A made-up account id; nobody holds its key. */
export const accountNamed = (name: string): AccountId =>
  accountOfKey(accountKeyOf('ed25519', hash('test-account', Buffer.from(name))))

/** A state that instructions run on. */
export class Bench {
  readonly state = new Overlay(EMPTY_ROWS)
  readonly events: DataEvent[] = []
  private readonly counter = incarnations(2)

  /** Runs instructions as one transaction; the code of the error, or undefined. */
  run(authority: AccountId, ...instructions: readonly Instruction[]): ErrorCode | undefined {
    return this.execute(authority, false, instructions)
  }

  /** Runs instructions as genesis does: exempt from permissions. */
  genesis(authority: AccountId, ...instructions: readonly Instruction[]): void {
    const code = this.execute(authority, true, instructions)
    if (code !== undefined) throw new Error(`genesis refused: ${code}`)
  }

  private execute(authority: AccountId, genesis: boolean, instructions: readonly Instruction[]): ErrorCode | undefined {
    const run = runInstructions(ABI_1, { height: 2, timeMs: 1, genesis, chain: 'test' }, this.state, {
      authority,
      id: hash('test-transaction'),
      payload: undefined,
      instructions: instructions.map((one) => ({ def: definitionOf(ABI_1, one), value: one.value })),
      nextIncarnation: this.counter,
    })
    this.events.push(...run.events)
    return run.rejection?.code
  }
}
