/** Owns the terms of an agreement on the command line: from flags, or from a file. */
import { Flags } from '@oclif/core'
import type { Json } from '../../codec/index.js'
import { getView, textOf, type View, viewOf } from '../gateway/gateway.js'
import { parseLedgerDuration } from '../input/duration.js'
import { accountFlag, assetValueFlag } from '../input/texts.js'
import { amountText } from '../input/values.js'
import { amountOfAsset } from '../lane/settlement.js'
import type { Drafting } from '../ledger/command.js'
import { usageError } from '../terminal/failure.js'
import { itemFlags, itemsOf, ppmOf } from './forms.js'

/** Repurchase date on the business day after the purchase date. */
const NEXT = 'next'
const NO_GRACE = '0'

export const termFlags = {
  seller: accountFlag({ description: 'account that gives collateral (default: account of the key)' }),
  buyer: accountFlag({ description: 'account that gives cash (default: account of the key)' }),
  custodian: accountFlag({ description: 'account that consents too and may call margin' }),
  cash: Flags.string({ description: 'purchase price, such as "90000 eur#bank"' }),
  ...itemFlags,
  haircut: Flags.string({ description: 'haircut of all collateral', default: '0%' }),
  eligible: assetValueFlag({
    description: 'definition in which margin may be given, with its haircut, such as bond#bank=5%',
    multiple: true,
  }),
  rate: Flags.string({ description: 'interest a year; may be negative', default: '0%' }),
  basis: Flags.option({ options: ['act360', 'act365f'] as const, description: 'day count', default: 'act360' })(),
  purchase: Flags.string({ description: 'purchase date (default: business date of the calendar)' }),
  until: Flags.string({ description: `repurchase date, or ${NEXT} for the next business day` }),
  calendar: Flags.string({ description: 'calendar of business days' }),
  threshold: Flags.string({ description: 'exposure up to which no margin can be called', default: '0' }),
  minimum: Flags.string({ description: 'least exposure that can be called as margin', default: '0' }),
  'margin-days': Flags.integer({ description: 'business days to meet a margin call', default: 0, min: 0, max: 30 }),
  poster: accountFlag({ description: 'account whose prices count; up to three times', multiple: true }),
  'price-age': Flags.string({ description: 'greatest age of a price', default: '1d' }),
  grace: Flags.string({ description: 'time after a failed repurchase before a default, 0 to 72h', default: '1h' }),
  from: Flags.string({
    description: 'JSON with sides and terms in place of these flags; dates may be absent',
    helpValue: 'FILE',
  }),
}

interface TermFlags {
  readonly seller?: string | undefined
  readonly buyer?: string | undefined
  readonly custodian?: string | undefined
  readonly cash?: string | undefined
  readonly collateral?: string[] | undefined
  readonly lot?: string[] | undefined
  readonly haircut: string
  readonly eligible?: string[] | undefined
  readonly rate: string
  readonly basis: 'act360' | 'act365f'
  readonly purchase?: string | undefined
  readonly until?: string | undefined
  readonly calendar?: string | undefined
  readonly threshold: string
  readonly minimum: string
  readonly 'margin-days': number
  readonly poster?: string[] | undefined
  readonly 'price-age': string
  readonly grace: string
  readonly from?: string | undefined
}

/** Parties and terms of a proposal in their JSON form. */
export interface Proposed {
  readonly sides: Json
  readonly terms: Json
}

const needed = <T>(value: T | undefined, flag: string): T => {
  if (value === undefined) throw usageError(`--${flag} is missing`, 'Give it, or the whole agreement by --from FILE.')
  return value
}

/** Definitions of items in their JSON form. */
const definitionsOf = (items: readonly Json[]): string[] =>
  items.map((item) => {
    const { Asset: asset, Lot: lot } = viewOf(item)
    return textOf(viewOf(asset).definition) ?? (textOf(viewOf(lot).lot) ?? '').replace(/\/[0-9]+$/, '')
  })

/** Dates of terms. An absent date is the business date of the calendar, or the next one for the repurchase. */
async function datesOf(
  { client }: Drafting,
  calendar: string,
  purchase: string | undefined,
  until: string | undefined,
): Promise<{ readonly purchase_date: string; readonly repurchase_date: string }> {
  if (purchase !== undefined && until !== undefined && until !== NEXT)
    return { purchase_date: purchase, repurchase_date: until }
  const view = await getView(client, ({ repo }) => repo.calendar, { params: { name: calendar } })
  const [today, next] = [textOf(view.business_date) ?? '', textOf(view.next_business_date) ?? '']
  if (purchase !== undefined && purchase !== today)
    throw usageError(`${NEXT} is the business day after ${today}`, 'Give the repurchase date.')
  return { purchase_date: today, repurchase_date: until === undefined || until === NEXT ? next : until }
}

async function fromFlags(flags: TermFlags, drafting: Drafting): Promise<Proposed> {
  const { account, asset } = drafting
  const { seller, buyer, custodian } = flags
  if (seller === undefined && buyer === undefined)
    throw usageError('--buyer or --seller is missing', 'Name the other party.')
  const { amount, definition } = amountOfAsset(needed(flags.cash, 'cash'), '--cash')
  const collateral = await itemsOf(flags, drafting)
  const haircutPpm = ppmOf(flags.haircut, '--haircut')
  const eligible = new Map(definitionsOf(collateral).map((id) => [id, haircutPpm]))
  for (const text of flags.eligible ?? []) {
    const [, id, haircut] = /^(.+)=([^=]+)$/.exec(text) ?? []
    if (id === undefined || haircut === undefined)
      throw usageError(`--eligible: "${text}" is not a definition with a haircut`, 'Write, for example, bond#bank=5%.')
    eligible.set(await asset(id), ppmOf(haircut, '--eligible'))
  }
  const calendar = needed(flags.calendar, 'calendar')
  const dates = await datesOf(drafting, calendar, flags.purchase, needed(flags.until, 'until'))
  const posters: string[] = []
  for (const poster of flags.poster ?? []) posters.push(await account(poster))
  return {
    sides: {
      seller: await account(seller),
      buyer: await account(buyer),
      custodian: custodian === undefined ? null : await account(custodian),
    },
    terms: {
      cash: { definition: await asset(definition), amount },
      collateral,
      eligible: [...eligible].map(([id, ppm]) => ({ definition: id, haircut_ppm: ppm })),
      rate_ppm: ppmOf(flags.rate, '--rate'),
      basis: flags.basis === 'act360' ? 'Act360' : 'Act365f',
      ...dates,
      calendar,
      threshold: amountText(flags.threshold),
      minimum_transfer: amountText(flags.minimum),
      margin_days: flags['margin-days'],
      posters,
      price_max_age_ms: parseLedgerDuration(flags['price-age'], '--price-age'),
      grace_ms: flags.grace === NO_GRACE ? 0 : parseLedgerDuration(flags.grace, '--grace'),
    },
  }
}

/** Parties of a file; an absent party is the signing account. */
async function sidesOfFile(sides: View, { account }: Drafting): Promise<Json> {
  const { seller, buyer, custodian } = sides
  return {
    seller: await account(textOf(seller)),
    buyer: await account(textOf(buyer)),
    custodian: textOf(custodian) === undefined ? null : await account(textOf(custodian)),
  }
}

async function fromFile(path: string, drafting: Drafting): Promise<Proposed> {
  const { readJsonInput } = await import('../input/json.js')
  const { sides, terms: written } = viewOf(await readJsonInput(path))
  const terms = viewOf(written)
  const { purchase_date: purchase, repurchase_date: until, calendar, posters } = terms
  const dates = await datesOf(drafting, textOf(calendar) ?? '', textOf(purchase), textOf(until))
  const resolved: Json[] = []
  for (const poster of Array.isArray(posters) ? posters : []) resolved.push(await drafting.account(textOf(poster)))
  return { sides: await sidesOfFile(viewOf(sides), drafting), terms: { ...terms, ...dates, posters: resolved } as Json }
}

/** Parties and terms of flags or of a file. Throws `usage`. */
export const proposedOf = (flags: TermFlags, drafting: Drafting): Promise<Proposed> =>
  flags.from === undefined ? fromFlags(flags, drafting) : fromFile(flags.from, drafting)
