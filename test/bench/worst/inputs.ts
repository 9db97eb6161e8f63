/** Owns the type of the inputs of the search for underpriced work, and their building blocks. */

import type { Json } from '../../../src/codec/index.js'
import { type Abi, TIMERS_PER_ACCOUNT_MAX } from '../../../src/executor/index.js'
import { claimKey, instructions as iso } from '../../../src/features/iso20022/schema/instructions.js'
import { instructions as upgrades } from '../../../src/features/upgrades/schema.js'
import {
  type AccountId,
  BLS_KEY_BYTES,
  type Instruction,
  instruction,
  keyString,
  METADATA_MAX_KEYS,
  type Metadata,
  type Peer,
  ROSTER_MAX,
  type ValidatorKey,
} from '../../../src/model/index.js'
import * as core from '../../support/core.js'
import { accountNamed, type Bench } from '../../support/executor.js'

/** Input: its initial state, and the measured transactions. */
export interface WorstCase {
  readonly prepare?: (bench: Bench) => void
  /** Authority, or that of each transaction; absent: alice. */
  readonly by?: AccountId | ((index: number) => AccountId)
  /** Absent: ABI 1. */
  readonly abi?: Abi
  /** Header time of the block; absent: 10. */
  readonly timeMs?: number
  readonly transactions: (bench: Bench) => readonly (readonly Instruction[])[]
  /** True for input that clients mostly send. */
  readonly isCommon?: true
  /** True if its transactions are rejected, and pay for their work. */
  readonly fails?: true
}

export const VALUE_BYTES = 16 * 1024
export const { owner, alice, bob, agent } = core
export const SELF = { kind: 'account', value: alice } as const
export const people = (count: number): AccountId[] =>
  Array.from({ length: count }, (_, index) => accountNamed(`person ${index}`))
export const repeat = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))

/** Validator key of a synthetic peer. */
export const keyOf = (number: number): ValidatorKey =>
  keyString(Buffer.from(String(number).padStart(BLS_KEY_BYTES, '0')))
/** Synthetic peers: the first ones are validators, as many as a roster may have. */
export const peerOf = (number: number): Peer => ({
  key: keyOf(number),
  pop: Buffer.alloc(96),
  networkKey: keyString(Buffer.from(String(number).padStart(32, '0'))),
  addresses: [],
  role: number < ROSTER_MAX ? 'validator' : 'observer',
})

/** JSON with the maximum number of small parts for its bytes, which is slowest to read and to write. */
export function shredded(bytes: number): Json {
  return repeat(Math.floor(bytes / 3) - 2, () => [])
}
export function deep(bytes: number): Json {
  let value: Json = []
  for (let depth = 0; depth < 6; depth += 1) value = [value]
  return repeat(Math.floor(bytes / 17), () => value)
}
/** Objects with distinct field names in the whole input, after a text with an escape. */
export function named(bytes: number, seed: number): Json {
  const name = (index: number) => (seed * 100_000 + index).toString(36).padStart(5, 'a')
  return ['\n', ...repeat(Math.floor(bytes / 12) - 1, (index) => ({ [name(index)]: 0 }))]
}
export const text = (bytes: number): string => 'x'.repeat(bytes)
export const LONG_DOMAIN = 'd'.repeat(128)
export const LONG = `${'g'.repeat(128)}#${LONG_DOMAIN}`

export function populated(bench: Bench, count: number, definition = core.USD): void {
  if (definition === LONG) {
    bench.genesis(
      owner,
      core.registerDomain(LONG_DOMAIN),
      core.registerDefinition(LONG),
      core.mint(alice, 10_000n, LONG),
    )
  }
  for (const person of people(count)) {
    bench.genesis(owner, core.registerAccount(person), core.mint(person, 10n, definition))
  }
}

/** The maximum number of keys of an object, with empty values. */
export const shortNotes = (): Metadata => new Map(repeat(METADATA_MAX_KEYS, (index) => [`k${index}`, 0]))
export const long = (index: number): string => String(index).padStart(3, '0').padEnd(120, 'x')
export const payment = (to: AccountId) => ({ asset: core.balance(alice), to, amount: core.units(1n) })
export const manager = (bench: Bench): void =>
  bench.genesis(owner, core.permission('grant', 'CanManageRoles', undefined, owner))
export const ASSET_EVENTS = ['minted', 'burned', 'transferred']
export const timerName = (account: number, index: number): string => `${account}.${index}`.padEnd(120, 'x')
/** Occupy the calendar slots of a number of accounts; 48 of them fill the calendar. */
export function fullCalendar(bench: Bench, accounts = 48): void {
  for (let account = 0; account < accounts; account += 1) {
    const id = accountNamed(`timer ${account}`)
    bench.genesis(owner, core.registerAccount(id))
    const timers = repeat(TIMERS_PER_ACCOUNT_MAX, (index) =>
      core.registerTrigger(timerName(account, index), id, core.every(1_000_000 + index * 977, 1_000), [core.log('')]),
    )
    bench.genesis(id, ...timers)
  }
}
export const proposed: Uint8Array[] = []
export const manifest = (index: number) => {
  const startHeight = 100 + 10 * index
  return {
    name: long(index),
    description: text(1_024),
    abiVersion: 2,
    abiHash: Buffer.alloc(32, 1),
    startHeight,
    endHeight: startHeight + 10,
  }
}
export const planned = (index: number): Instruction =>
  instruction(upgrades.proposeUpgrade, { manifest: manifest(index) })
export const RECEIPT = {
  localDefinition: core.USD,
  localAmount: core.units(1n),
  unitDefinition: core.USD,
  unitDue: core.units(2n),
  unitAfterHaircut: core.units(2n),
  unitVariance: core.units(0n),
}
export const IBAN = 'DE89370400440532013000'
export const claim = (messageId: string): Instruction =>
  instruction(iso.claimMessage, {
    submitter: alice,
    family: 'pacs008',
    messageId,
    idHash: claimKey(alice, 'pacs008', messageId),
    bodyHash: Buffer.alloc(32, 1),
    // Maximum size of a claim.
    details: {
      currency: 'EUR',
      settlementDate: '2026-03-02',
      instructionId: 'x'.repeat(140),
      endToEndId: 'x'.repeat(140),
      senderTransactionId: 'x'.repeat(140),
      uetr: 'x'.repeat(36),
      changes: Array.from({ length: 8 }, () => 'DT06'),
    },
  })

/** Rules under which one member decides alone. */
export const SOLO = core.policyOf([[alice, 1]], 1)

export const notes = (value: () => Json) => repeat(4, (index) => core.setKey(SELF, `k${index}`, value()))
