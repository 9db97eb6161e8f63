/** Owns a bare executor for tests: instructions on an overlay over an empty state, as any authority. */

import { hash } from '../../src/crypto/index.js'
import {
  type Abi,
  definitionOf,
  EXECUTIONS,
  gateAt,
  incarnations,
  runInstructions,
  type TransactionRun,
} from '../../src/executor/index.js'
import { ABI_1 } from '../../src/features/abi.js'
import {
  type AccountId,
  accountKeyOf,
  accountOfKey,
  type DataEvent,
  type ErrorCode,
  GENESIS_HEIGHT,
  type Instruction,
} from '../../src/model/index.js'
import { EMPTY_ROWS, Overlay, type RowReader } from '../../src/state/index.js'

/** Account id without a known key. */
export const accountNamed = (name: string): AccountId =>
  accountOfKey(accountKeyOf('ed25519', hash('test-account', Buffer.from(name))))

/** State for running instructions. */
export class Bench {
  readonly state: Overlay
  readonly events: DataEvent[] = []
  /** Header time and height of the next transaction. */
  timeMs = 1
  height = 2
  /** Units for triggers and proposals of one transaction. */
  contentTeu = 60_000
  /** Result of the last transaction. */
  last: TransactionRun | undefined
  /** Lane of the next transaction; undefined: a run without a lane. */
  lane: number | undefined = 0
  private readonly counter = incarnations(2)
  private readonly genesisCounter = incarnations(GENESIS_HEIGHT)
  private transactions = 0

  constructor(
    parent: RowReader = EMPTY_ROWS,
    readonly abi: Abi = ABI_1,
  ) {
    this.state = new Overlay(parent)
  }

  /** Run instructions as one transaction; returns the error code, or undefined. */
  run(authority: AccountId, ...instructions: readonly Instruction[]): ErrorCode | undefined {
    return this.execute(authority, false, instructions)
  }

  /** Run instructions as in genesis: exempt from permissions. */
  genesis(authority: AccountId, ...instructions: readonly Instruction[]): void {
    const code = this.execute(authority, true, instructions)
    if (code !== undefined) throw new Error(`genesis refused: ${code}: ${this.last?.rejection?.message}`)
  }

  /** Kinds of the events so far. */
  get eventKinds(): string[] {
    return this.events.map((event) => event.kind)
  }

  private execute(authority: AccountId, genesis: boolean, instructions: readonly Instruction[]): ErrorCode | undefined {
    this.transactions += 1
    const { height, timeMs, contentTeu, lane, abi } = this
    const gate = genesis ? undefined : gateAt(abi.policies, this.state, height)
    const run = runInstructions(
      genesis ? EXECUTIONS.genesis : EXECUTIONS.transaction,
      abi,
      { height, timeMs, genesis, chain: 'test', gate },
      this.state,
      {
        authority,
        id: hash('test-transaction', Buffer.from(String(this.transactions))),
        payload: undefined,
        lane,
        instructions: instructions.map((one) => ({ def: definitionOf(abi, one), value: one.value })),
        ...(genesis ? {} : { content: { own: contentTeu } }),
        nextIncarnation: genesis ? this.genesisCounter : this.counter,
      },
    )
    this.events.push(...run.events)
    this.last = run
    return run.rejection?.code
  }
}
