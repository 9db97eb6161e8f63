/** Owns a ledger on which a bridge executes payments of a bank in shared transactions, for tests. */
import { NEWEST_ABI } from '../../src/features/abi.js'
import { instructions as accounts } from '../../src/features/accounts/schema.js'
import { instructions as assets } from '../../src/features/assets/schema/instructions.js'
import { instructions as domains } from '../../src/features/domains/schema.js'
import { events } from '../../src/features/iso20022/schema/events.js'
import {
  type Debtors,
  instructions as iso,
  type MessageParts,
  type PaymentPart,
} from '../../src/features/iso20022/schema/instructions.js'
import { instructions as permissions } from '../../src/features/permissions/schema.js'
import { assetObject } from '../../src/ledger/asset-permissions.js'
import { accountObject } from '../../src/ledger/permission-kinds.js'
import { balances } from '../../src/ledger/tables.js'
import { type AccountId, type Instruction, instruction, isEvent, NO_METADATA } from '../../src/model/index.js'
import { DETAILS } from '../unit/iso20022/support.js'
import { accountNamed, Bench } from './executor.js'

export const owner = accountNamed('owner')
export const bank = accountNamed('bank')
export const bridge = accountNamed('bridge')
export const alice = accountNamed('alice')
export const bob = accountNamed('bob')

export const euros = (account: AccountId) => ({ definition: 'eur#bank', account })
export const units = (mantissa: bigint) => ({ mantissa, scale: 0 })

/** Initial balance of alice. */
export const START = 1_000n

export const permission = (name: string, object: string, account: AccountId): Instruction =>
  instruction(permissions.grant, {
    subject: { kind: 'permission', value: { name, object } },
    to: { kind: 'account', value: account },
  })

/** Register another account of the bank. */
export const register = (id: AccountId): Instruction =>
  instruction(accounts.registerAccount, { id, domain: 'bank', label: undefined, metadata: NO_METADATA })

/** Make the bank a submitter that may debit these accounts. */
export const setBank = (debtor: Debtors, limits: readonly { definition: string; perDay: bigint }[] = []): Instruction =>
  instruction(iso.setSubmitter, {
    submitter: bank,
    bics: [],
    debtor,
    limits: limits.map(({ definition, perDay }) => ({ definition, perPayment: undefined, perDay: units(perDay) })),
  })

/** Ledger where the bank submits payments of alice, executed by the bridge. */
export function paymentsBench(limits: readonly { definition: string; perDay: bigint }[] = []): Bench {
  const bench = new Bench(undefined, NEWEST_ABI)
  bench.genesis(
    owner,
    instruction(domains.registerDomain, { id: 'bank', dataspace: undefined, metadata: NO_METADATA }),
    ...[owner, bank, bridge, alice, bob].map(register),
    instruction(assets.registerAssetDefinition, {
      id: 'eur#bank',
      scale: 2,
      mintable: { kind: 'infinitely', value: undefined },
      metadata: NO_METADATA,
    }),
    instruction(assets.mint, { asset: euros(alice), amount: units(START) }),
  )
  bench.genesis(alice, permission('CanTransferAsset', assetObject(euros(alice)), bridge))
  bench.genesis(bank, permission('CanClaimMessages', accountObject(bank), bridge))
  bench.genesis(owner, setBank({ kind: 'accounts', value: [alice] }, limits))
  return bench
}

/** Payment of alice to bob. */
export const part = (place: number, amount: bigint, more: Partial<PaymentPart> = {}): PaymentPart => ({
  place,
  details: DETAILS,
  source: alice,
  target: bob,
  definition: 'eur#bank',
  amount: units(amount),
  aliases: [],
  ...more,
})

/** UETR of version 4 with a number. */
export const uetrOf = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`

/** Message of the bank with some of its payments. */
export const message = (
  messageId: string,
  parts: readonly PaymentPart[],
  more: Partial<MessageParts> = {},
): MessageParts => ({
  submitter: bank,
  family: 'pacs008' as const,
  messageId,
  bodyHash: Buffer.alloc(32, 1),
  payments: Math.max(1, ...parts.map(({ place }) => place)),
  batchBooking: false,
  refused: [],
  parts,
  ...more,
})

export const settle = (...messages: readonly MessageParts[]): Instruction =>
  instruction(iso.settlePayments, { messages })

/** Balance of an account, in whole units. */
export const balanceOf = (bench: Bench, account: AccountId): bigint =>
  bench.state.get(balances, euros(account))?.mantissa ?? 0n

/**
 * Outcomes of the payments of the last transaction, in order: `message/place settled`, a code, or `refused` with one.
 */
export const outcomesOf = ({ last }: Bench): string[] =>
  (last?.events ?? []).flatMap((event) => {
    if (isEvent(event, events.paymentSettled)) return [`${event.value.messageId}/${event.value.place} settled`]
    if (isEvent(event, events.paymentRejected))
      return [`${event.value.messageId}/${event.value.place} ${event.value.code}`]
    if (isEvent(event, events.partRefused))
      return [`${event.value.messageId}/${event.value.place} refused ${event.value.code}`]
    return []
  })
