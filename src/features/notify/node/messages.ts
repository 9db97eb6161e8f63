/** Owns the notifications of an event, by the accounts that receive them. */

import { formatNumeric } from '../../../codec/index.js'
import type { EventItem } from '../../../events/event-item.js'
import type { AccountId } from '../../../model/index.js'
import { events as isoEvents } from '../../iso20022/schema/events.js'
import type { TOPIC_WORDS } from '../schema.js'
import { PAYLOAD_MAX_BYTES } from './limits.js'

export type TopicWord = (typeof TOPIC_WORDS)[number]

/** A notification for an account. */
export interface Notice {
  readonly type: TopicWord | 'test'
  /** Position of the event in the chain. */
  readonly id: string
  readonly account: AccountId
  readonly amount?: string | undefined
  readonly definition?: string | undefined
}

/** Fields of transfers, proposals and payments about accounts, by record field names. */
interface Fields {
  readonly asset?: { readonly definition: string; readonly account: AccountId }
  readonly to?: AccountId
  readonly amount?: Parameters<typeof formatNumeric>[0]
  readonly account?: AccountId
  readonly submitter?: AccountId
}

/** Subjects of events about changes of an account: its label, its permissions, its restrictions. */
const OF_ACCOUNTS: readonly (string | undefined)[] = ['account', 'permission', 'role', 'ownership', 'control']

/** Events of payment messages decided by a block: claimed and paid under ABI 1, separate events from ABI 2 on. */
const OF_PAYMENTS: ReadonlySet<string> = new Set(
  [isoEvents.messageClaimed, isoEvents.paymentSettled, isoEvents.paymentRejected].map(({ kind }) => kind),
)

/** Returns the approvers of an account; called only if a device is subscribed to proposals. */
export type MembersOf = (account: AccountId) => Promise<readonly AccountId[]>

/** Notices of an event; `named`: accounts in the texts of the event that have a device. */
export async function noticesOf(
  item: EventItem,
  named: (texts: ReadonlySet<string>) => readonly AccountId[],
  membersOf: MembersOf,
): Promise<readonly Notice[]> {
  const { id, event } = item.record
  if (id === undefined || event.kind !== 'data') return []
  const { kind, value } = event.value.event
  const fields = value as Fields
  if (kind === 'transferred' && fields.asset !== undefined && fields.to !== undefined) {
    const { definition, account } = fields.asset
    const about = { id, definition, amount: fields.amount === undefined ? undefined : formatNumeric(fields.amount) }
    return [
      { type: 'outgoing', account, ...about },
      { type: 'incoming', account: fields.to, ...about },
    ]
  }
  if (kind === 'proposalCreated' && fields.account !== undefined) {
    return (await membersOf(fields.account)).map((account) => ({ type: 'approvals', id, account }))
  }
  if (OF_PAYMENTS.has(kind) && fields.submitter !== undefined) {
    return [{ type: 'payments', id, account: fields.submitter }]
  }
  if (!OF_ACCOUNTS.includes(item.traits.subject)) return []
  return named(item.traits.ids.accounts).map((account) => ({ type: 'account', id, account }))
}

/** True if a device with these topics receives a notice. */
export const subscribes = (topics: readonly string[], { type, definition }: Notice): boolean =>
  topics.some((topic) => topic === type || topic === `${type}:${definition}`)

/** Notice as sent; `more`: number of notices merged since the last one was sent. */
export function payloadOf({ account: _, ...notice }: Notice, address: string, more: number): Buffer {
  const summed = { more: more || undefined }
  const whole = Buffer.from(JSON.stringify({ ...notice, account: address, ...summed }))
  if (whole.length <= PAYLOAD_MAX_BYTES) return whole
  return Buffer.from(JSON.stringify({ type: notice.type, id: notice.id, account: address, ...summed }))
}
