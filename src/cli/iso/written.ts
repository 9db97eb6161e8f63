/**
 * Owns shared parts of commands that write ISO 20022 messages about ledger objects: their forms, and the bindings they
 * assert.
 */
import { Flags } from '@oclif/core'
import type { CausewayClient } from '../../client/index.js'
import {
  type AccountEntry,
  type FlatPairs,
  flatJson,
  flatLines,
  flatXml,
  notificationPairs,
} from '../../features/iso20022/message/index.js'
import { LedgerError } from '../../model/index.js'
import { postView, viewOf, viewsOf } from '../gateway/gateway.js'

const FORMS = ['flat', 'json', 'flat-xml'] as const
type MessageForm = (typeof FORMS)[number]

export const formFlag = {
  form: Flags.option({ options: FORMS, description: 'form of the message', default: 'flat' as const })(),
}

/** Text of a message in a form. */
export function messageText(pairs: FlatPairs, family: string, form: MessageForm): string {
  if (form === 'flat') return flatLines([['MsgDefIdr', family], ...pairs])
  return form === 'json' ? flatJson(pairs, family) : flatXml(pairs, family)
}

/** Error for an event that no message in the profile of the bridge can represent. */
export const unmapped = (message: string): LedgerError => new LedgerError('iso_unmapped', message)

/** Throw `iso_unmapped` unless an alias resolves to an account or definition. */
export async function assertBound(client: CausewayClient, alias: string, id: string | undefined): Promise<void> {
  const { items } = await postView(client, ({ names }) => names.aliasBatch, { aliases: [alias] })
  const { account_id: account, asset_definition_id: definition } = viewOf(viewsOf(items)[0]?.answer)
  if ((account ?? definition) !== id) throw unmapped(`${alias} is not bound to ${id}`)
}

/** Credit or debit of an account, with the account and the asset that its IBAN and currency must be bound to. */
interface BoundEntry extends AccountEntry {
  readonly account: string | undefined
  readonly cash: string | undefined
}

/** Flat pairs of the camt.054 of an entry. Throws `iso_unmapped` if a binding is missing. */
export async function notificationOf(client: CausewayClient, { account, cash, ...entry }: BoundEntry) {
  const { iban, currency } = entry
  if (iban !== undefined) await assertBound(client, `iban:${iban}`, account)
  if (currency !== undefined) await assertBound(client, `ccy:${currency}`, cash)
  return notificationPairs(entry)
}
