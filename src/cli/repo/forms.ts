/** Owns the command line forms of repos: ids of agreements, items, parts per million. */
import { Args, Flags } from '@oclif/core'
import type { CausewayClient } from '../../client/index.js'
import type { Json } from '../../codec/index.js'
import { LedgerError } from '../../model/errors.js'
import { getView, textOf, type View, viewsOf } from '../gateway/gateway.js'
import { accountFlag } from '../input/texts.js'
import { positiveAmountText } from '../input/values.js'
import { amountOfAsset } from '../lane/settlement.js'
import type { Drafting } from '../ledger/command.js'
import { usageError } from '../terminal/failure.js'

/** Argument that names an agreement. */
export const agreementArgs = {
  agreement: Args.string({ description: 'reference or id of the agreement', required: true, ignoreStdin: true }),
}
/** Flag of reads that name an agreement by its reference. */
export const partyFlag = {
  account: accountFlag({ description: 'party of the agreement, if several have the reference: address or alias' }),
}

/** Flags of collateral. */
export const itemFlags = {
  collateral: Flags.string({ description: 'amount of an asset, such as "100 bond#bank"', multiple: true }),
  lot: Flags.string({ description: 'lot, such as gold#bank/1, or a part of it: "500 gold#bank/1"', multiple: true }),
}
/** Flags of margin. */
export const marginFlags = {
  cash: Flags.string({ description: 'amount of cash, such as "9150 eur#bank"' }),
  ...itemFlags,
}

const isId = (text: string): boolean => /^[0-9a-fA-F]{64}$/.test(text)

/** Agreements with a reference, of a party or of all accounts. */
async function agreementsWith(client: CausewayClient, reference: string, party: string | undefined): Promise<View[]> {
  const found: View[] = []
  let cursor: string | undefined
  do {
    const query = { reference, party, cursor, limit: 500 }
    const page = await getView(client, ({ repo }) => repo.agreements, { query })
    found.push(...viewsOf(page.items))
    cursor = textOf(page.next_cursor)
  } while (cursor !== undefined)
  return found
}

/** Id of an agreement from its id, or from a reference that is unique among the agreements of a party. */
export async function agreementId(client: CausewayClient, text: string, party: string | undefined): Promise<string> {
  if (isId(text)) return text.toLowerCase()
  const all = await agreementsWith(client, text, party)
  const live = all.filter(({ status }) => status !== 'Closed')
  const [found, ...more] = live.length > 0 ? live : all
  if (found === undefined) {
    if (party !== undefined) return agreementId(client, text, undefined)
    throw new LedgerError('not_found', `agreement ${text} does not exist`, {
      hint: 'Run `causeway repo list`, which lists the agreements.',
    })
  }
  if (more.length > 0)
    throw usageError(`${more.length + 1} agreements have the reference "${text}"`, 'Give the id, or --account.')
  return textOf(found.id) ?? ''
}

/** Id of an agreement, with references of the signing account. */
export const draftedAgreement = ({ client, address }: Drafting, text: string): Promise<string> =>
  agreementId(client, text, address)

/** Items of flags in the JSON form of their records. */
export async function itemsOf(
  {
    collateral = [],
    lot = [],
  }: { readonly collateral?: readonly string[] | undefined; readonly lot?: readonly string[] | undefined },
  { asset }: Pick<Drafting, 'asset'>,
): Promise<Json[]> {
  const items: Json[] = []
  for (const text of collateral) {
    const { amount, definition } = amountOfAsset(text, '--collateral')
    items.push({ Asset: { definition: await asset(definition), amount } })
  }
  for (const text of lot) {
    const [, quantity, id] = /^(?:(\S+)\s+)?(\S+#\S+\/[0-9]+)$/.exec(text.trim()) ?? []
    if (id === undefined) throw usageError(`--lot: "${text}" is not a lot`, 'Write, for example, gold#bank/1.')
    items.push({ Lot: { lot: id, ...(quantity === undefined ? {} : { quantity: positiveAmountText(quantity) }) } })
  }
  return items
}

/** Items and cash of margin, for the cash of an agreement. */
export async function marginOf(
  flags: {
    readonly cash?: string | undefined
    readonly collateral?: string[] | undefined
    readonly lot?: string[] | undefined
  },
  drafting: Drafting,
  id: string,
): Promise<{ readonly id: string; readonly items: Json[]; readonly cash: string | null }> {
  const items = await itemsOf(flags, drafting)
  if (flags.cash === undefined) return { id, items, cash: null }
  const { amount, definition } = amountOfAsset(flags.cash, '--cash')
  const view = await getView(drafting.client, ({ repo }) => repo.agreement, { params: { id } })
  const { live } = view as { readonly live?: { readonly terms?: { readonly cash?: { readonly definition?: string } } } }
  const cash = live?.terms?.cash?.definition
  const given = await drafting.asset(definition)
  if (cash !== undefined && cash !== given)
    throw usageError(`--cash: the cash of the agreement is ${cash}, not ${given}`, 'Give other assets by --collateral.')
  return { id, items, cash: amount }
}

/** Parts per million of `3.65%`. Throws `usage`. */
export function ppmOf(text: string, flag: string): number {
  const [, sign, whole, fraction = ''] = /^(-?)([0-9]{1,4})(?:\.([0-9]{1,4}))?%$/.exec(text.trim()) ?? []
  if (whole === undefined) throw usageError(`${flag}: "${text}" is not a percentage`, 'Write, for example, 3.65%.')
  const ppm = Number(whole) * 10_000 + Number(fraction.padEnd(4, '0'))
  return sign === '-' && ppm > 0 ? -ppm : ppm
}
