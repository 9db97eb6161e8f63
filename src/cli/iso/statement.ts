/** Owns account statements on the command line: reading a period, writing it as CSV or camt.053. */

import type { CausewayClient } from '../../client/index.js'
import { PageGuard } from '../../client/pages.js'
import { formatNumeric, type Numeric, parseNumeric } from '../../codec/numeric.js'
import { currencyScale } from '../../features/iso20022/message/values/currency.js'
import { escapeXml } from '../../features/iso20022/schema/xml-text.js'
import { LedgerError } from '../../model/errors.js'
import { assetDefinitionId } from '../../model/names.js'
import { getJson } from '../gateway/gateway.js'
import { timeFrom } from '../input/time.js'
import { oneLine } from '../text/escape.js'
import { isoTime } from '../text/figures.js'

/** Movements per page. */
const PAGE = 500

/** Movement in the form of the node; a type alias, so that the compiler treats it as JSON. */
export type MovementView = {
  readonly definition: string
  readonly side: 'Credit' | 'Debit'
  readonly amount: string
  readonly balance: string
  readonly kind: string
  readonly counterparty: string | null
  readonly transaction_hash: string | null
  readonly reference: string | null
  /** Address of the account that set the reference. */
  readonly reference_by: string | null
  readonly height: number
  readonly time_ms: number
  /** Message whose payments are booked as one entry; absent if this movement is an entry by itself. */
  readonly batch?: { readonly submitter: string; readonly message_id: string; readonly payments: number }
}

type StatementPage = {
  readonly account: string
  readonly items: readonly MovementView[]
  readonly next_cursor: string | null
  readonly opening_balance: string | null
}

/** Movements of one asset in a period. */
export interface AssetStatement {
  readonly asset: string
  readonly opening: string
  readonly closing: string
  readonly items: readonly MovementView[]
}

/** Period of an account. */
export interface AccountStatement {
  readonly account: string
  readonly fromMs: number
  readonly toMs: number
  readonly assets: readonly AssetStatement[]
}

/** Furthest end of a period: 2^48 - 1 ms, the greatest time of an index key. */
const END_OF_TIME_MS = 2 ** 48 - 1

/** Period of the flags, in ms; without them from the beginning to a minute from now. Throws `bad_value`. */
export function periodOf(
  { since, until }: { readonly since?: string | undefined; readonly until?: string | undefined },
  nowMs: number,
): Pick<Period, 'fromMs' | 'toMs'> {
  const fromMs = since === undefined ? 0 : timeOf(since, false)
  const toMs = until === undefined ? Math.min(nowMs + 60_000, END_OF_TIME_MS) : timeOf(until, true)
  if (since === undefined || fromMs < toMs) return { fromMs, toMs }
  throw new LedgerError('bad_value', `--since ${since}: expected a time before ${until ?? 'now'}`)
}

/**
 * Start of a UTC day, or a full time; throws `bad_value`. `isEnd`: true to resolve a day to the start of the next day.
 */
function timeOf(text: string, isEnd: boolean): number {
  const time = timeFrom(text)
  if (time === undefined || time.ms < 0) {
    throw new LedgerError(
      'bad_value',
      `${text}: expected an existing date, YYYY-MM-DD, or a time such as 2026-03-01T10:00:00Z`,
    )
  }
  return time.isDay && isEnd ? time.ms + 86_400_000 : time.ms
}

function add(a: Numeric, b: Numeric, sign: 1n | -1n): Numeric {
  const scale = Math.max(a.scale, b.scale)
  const at = (value: Numeric): bigint => value.mantissa * 10n ** BigInt(scale - value.scale)
  return { mantissa: at(a) + sign * at(b), scale }
}

const numericOf = (text: string): Numeric => parseNumeric(text) ?? { mantissa: 0n, scale: 0 }

/** Balance before a movement. */
const before = (one: MovementView): string =>
  formatNumeric(add(numericOf(one.balance), numericOf(one.amount), one.side === 'Credit' ? -1n : 1n))

/**
 * Error for an unknown balance. The node searches a bounded number of movements, and movements of other assets may hide
 * both neighbours of the period.
 */
const unknownBalance = (asset: string): LedgerError =>
  new LedgerError('query_too_complex', `the node did not find the balance of ${asset} at the start of the period`, {
    hint: `The account has no movement of ${asset} in the period, and many of other assets around it. Choose a longer period that contains a movement of it.`,
  })

/** Period of a statement. */
export interface Period {
  readonly fromMs: number
  /** End of the period, exclusive. */
  readonly toMs: number
  /** undefined: all assets that moved. */
  readonly asset: string | undefined
  /** True to include statements of held assets that did not move in the period. */
  readonly withUnmoved: boolean
}

/** Page of rows, newest first. */
export interface StatementRows {
  readonly rows: readonly MovementView[]
  readonly pages: number
}

/** Page of the movements of all assets, newest first. */
export function newestFirst({ assets }: AccountStatement, page: number, limit: number): StatementRows {
  const all = assets
    .flatMap(({ items }) => [...items].reverse())
    .sort((a, b) => b.time_ms - a.time_ms || b.height - a.height)
  return { rows: all.slice((page - 1) * limit, page * limit), pages: Math.max(1, Math.ceil(all.length / limit)) }
}

/**
 * Fetch a period of an account, page by page. Throws `query_too_complex` if the balance of an asset without movements
 * is unknown, and `not_found` if the asset does not exist.
 */
export async function fetchStatement(
  client: CausewayClient,
  account: string,
  period: Period,
): Promise<AccountStatement> {
  const { fromMs, toMs, asset, withUnmoved } = period
  const items: MovementView[] = []
  let address = account
  let opening: string | null = null
  const pages = new PageGuard()
  let cursor: string | undefined
  do {
    const query = { from_ms: fromMs, to_ms: toMs, limit: PAGE, asset, cursor }
    const answer = await getJson(client, ({ explorer }) => explorer.statement, { params: { id: account }, query })
    const page = answer as StatementPage
    address = page.account
    opening ??= page.opening_balance
    for (const item of page.items) items.push(item)
    cursor = pages.next(page.next_cursor ?? undefined, page.items.length)
  } while (cursor !== undefined)
  // An asset without movements has balances of 0 even if it does not exist.
  if (asset !== undefined && items.length === 0)
    await getJson(client, ({ assets }) => assets.definition, { params: { id: asset } })
  const moved = new Set(items.map((one) => one.definition))
  const held = asset === undefined && withUnmoved ? await heldAssets(client, account) : []
  const names = asset === undefined ? [...new Set([...moved, ...held])].sort() : [asset]
  const assets: AssetStatement[] = []
  for (const name of names) {
    const own = items.filter((one) => one.definition === name)
    const [first] = own
    const start = first === undefined ? await openingOf(name) : before(first)
    if (start === null) throw unknownBalance(name)
    assets.push({ asset: name, opening: start, closing: own.at(-1)?.balance ?? start, items: own })
  }
  return { account: address, fromMs, toMs, assets }

  /** Balance before the period of an asset that did not move in it. */
  async function openingOf(name: string): Promise<string | null> {
    if (name === asset) return opening
    const query = { from_ms: fromMs, to_ms: toMs, limit: 1, asset: name }
    const answer = await getJson(client, ({ explorer }) => explorer.statement, { params: { id: account }, query })
    return (answer as StatementPage).opening_balance
  }
}

/** Definitions of which an account currently holds a balance. */
async function heldAssets(client: CausewayClient, account: string): Promise<readonly string[]> {
  const held: string[] = []
  const pages = new PageGuard()
  let cursor: string | undefined
  do {
    const query = { limit: PAGE, cursor }
    const answer = await getJson(client, ({ assets }) => assets.accountAssets, { params: { id: account }, query })
    const page = answer as {
      readonly items: readonly { readonly definition: string }[]
      readonly next_cursor: string | null
    }
    for (const { definition } of page.items) held.push(definition)
    cursor = pages.next(page.next_cursor ?? undefined, page.items.length)
  } while (cursor !== undefined)
  return held
}

/** Text in a CSV cell (RFC 4180): quoted if needed, with formula-like texts neutralised for spreadsheets. */
function cell(value: string): string {
  const text = oneLine(value)
  const safe = /^\s*[=+@-]/.test(text) ? `'${text}` : text
  return /[",]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Number in a cell, never a text, so that a spreadsheet can add it. */
const amountCell = (text: string): string => formatNumeric(numericOf(text))

/** Statement as CSV with a header. */
export function statementCsv({ assets }: AccountStatement): string {
  const head = 'time,asset,side,amount,balance,kind,counterparty,reference,reference_by,transaction,height'
  const rows = assets.flatMap(({ items }) =>
    items.map((one) =>
      [
        isoTime(one.time_ms),
        cell(one.definition),
        cell(one.side.toLowerCase()),
        amountCell(one.amount),
        amountCell(one.balance),
        cell(one.kind.toLowerCase()),
        cell(one.counterparty ?? ''),
        cell(one.reference ?? ''),
        cell(one.reference_by ?? ''),
        cell(one.transaction_hash ?? ''),
        String(one.height),
      ].join(','),
    ),
  )
  return `${[head, ...rows].join('\n')}\n`
}

/**
 * Currencies of assets: an asset `eur#bank` has EUR if the ledger binds that currency to it. The name alone is not
 * sufficient: an asset whose currency is bound under another name, or not at all, is left out.
 */
export async function boundCurrencies(
  client: CausewayClient,
  assets: readonly AssetStatement[],
): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const { asset } of assets) {
    const currency = asset.split('#')[0]?.toUpperCase() ?? ''
    if (currencyScale(currency) === undefined) continue
    const query = { table: 'iso_currencies', key: currency }
    const row = await getJson(client, ({ explorer }) => explorer.stateProof, { query }).catch(absent)
    const { value } = row as { readonly value: string | null }
    const bound = value === null ? undefined : assetDefinitionId.decode(Buffer.from(value, 'base64'))
    if (bound?.ok === true && bound.value === asset) found.set(asset, currency)
  }
  return found
}

/** Result for a node that cannot prove a row yet, such as one whose chain has only its genesis. */
function absent(error: unknown): { readonly value: null } {
  if (error instanceof LedgerError && error.code === 'not_found') return { value: null }
  throw error
}

/** Statement of an account without assets. */
const NOTHING: AssetStatement = { asset: '', opening: '0', closing: '0', items: [] }

/**
 * Movements by entry: all movements of a message that is booked as a batch, at the position of the first; other
 * movements individually.
 */
function entriesOf(items: readonly MovementView[]): readonly Entry[] {
  const entries: [MovementView, ...MovementView[]][] = []
  const batches = new Map<string, [MovementView, ...MovementView[]]>()
  for (const one of items) {
    const key = one.batch && `${one.batch.submitter} ${one.batch.message_id} ${one.side}`
    const known = key === undefined ? undefined : batches.get(key)
    if (known !== undefined) {
      known.push(one)
      continue
    }
    const entry: [MovementView, ...MovementView[]] = [one]
    entries.push(entry)
    if (key !== undefined) batches.set(key, entry)
  }
  return entries
}

/** Movements of one entry. */
type Entry = readonly [MovementView, ...MovementView[]]

const sideOf = ({ side }: MovementView): string => `<CdtDbtInd>${side === 'Credit' ? 'CRDT' : 'DBIT'}</CdtDbtInd>`

/** Ntry element; for a batch with its message and payments as details. */
function entryXml(entry: Entry, currency: string): string {
  const [one] = entry
  const { batch } = one
  const last = entry.at(-1) ?? one
  const sum = entry.reduce((total, { amount }) => add(total, numericOf(amount), 1n), numericOf('0'))
  const amount = `<Amt Ccy="${currency}">${batch === undefined ? one.amount : formatNumeric(sum)}</Amt>${sideOf(one)}`
  // A hash has 64 characters and an address more, which exceeds a reference.
  const more = [
    ...(one.transaction_hash === null || batch !== undefined ? [] : [`transaction ${one.transaction_hash}`]),
    ...(one.reference === null ? [] : [`reference set by ${one.reference_by ?? 'an unknown account'}`]),
  ].join(', ')
  const named = batch === undefined ? one.reference : batch.message_id
  const reference = named === null ? '' : `<NtryRef>${escapeXml(named)}</NtryRef>`
  const information = more === '' ? '' : `<AddtlNtryInf>${escapeXml(more)}</AddtlNtryInf>`
  return (
    `<Ntry>${reference}${amount}<Sts><Cd>BOOK</Cd></Sts>` +
    `<BookgDt><DtTm>${isoTime(last.time_ms)}</DtTm></BookgDt>` +
    `<BkTxCd><Prtry><Cd>${escapeXml(one.kind.toUpperCase())}</Cd></Prtry></BkTxCd>` +
    `${batch === undefined ? '' : batchXml(batch.message_id, entry, formatNumeric(sum), currency)}${information}</Ntry>`
  )
}

/** Details of the entry of a batch. */
function batchXml(messageId: string, entry: Entry, total: string, currency: string): string {
  const transactions = entry.map((one) => {
    const reference = one.reference === null ? '' : `<Refs><EndToEndId>${escapeXml(one.reference)}</EndToEndId></Refs>`
    const hash = one.transaction_hash === null ? '' : `<AddtlTxInf>transaction ${one.transaction_hash}</AddtlTxInf>`
    return `<TxDtls>${reference}<Amt Ccy="${currency}">${one.amount}</Amt>${sideOf(one)}${hash}</TxDtls>`
  })
  return (
    `<NtryDtls><Btch><MsgId>${escapeXml(messageId)}</MsgId><NbOfTxs>${entry.length}</NbOfTxs>` +
    `<TtlAmt Ccy="${currency}">${total}</TtlAmt>${sideOf(entry[0])}</Btch>${transactions.join('')}</NtryDtls>`
  )
}

/**
 * Statement in the style of camt.053.001.08: one Stmt per asset with opening and closing balance, and an Ntry per
 * movement, or for all movements of a message that is booked as a batch, with the account that set its reference.
 * Accounts are addresses (Othr/Id is cut to 34 characters, Nm has the full one); the currency is taken from
 * `currencies`, by asset, else XXX. The period ends at its last millisecond, or at the creation of the statement if
 * that is earlier.
 */
export function statementXml(
  { account, fromMs, toMs, assets }: AccountStatement,
  currencies: ReadonlyMap<string, string>,
  createdMs: number,
): string {
  const created = isoTime(createdMs)
  const endMs = Math.max(fromMs, Math.min(toMs - 1, createdMs))
  const id = `STMT-${createdMs.toString(36).toUpperCase()}`
  const statements = (assets.length === 0 ? [NOTHING] : assets).map(({ asset, opening, closing, items }, at) => {
    const currency = currencies.get(asset) ?? 'XXX'
    const balance = (code: string, amount: string, timeMs: number): string =>
      `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="${currency}">${amount}</Amt>` +
      `<CdtDbtInd>CRDT</CdtDbtInd><Dt><DtTm>${isoTime(timeMs)}</DtTm></Dt></Bal>`
    const entries = entriesOf(items).map((group) => entryXml(group, currency))
    return (
      `<Stmt><Id>${id}-${at + 1}</Id><CreDtTm>${created}</CreDtTm>` +
      `<FrToDt><FrDtTm>${isoTime(fromMs)}</FrDtTm><ToDtTm>${isoTime(endMs)}</ToDtTm></FrToDt>` +
      `<Acct><Id><Othr><Id>${escapeXml(account.slice(0, 34))}</Id></Othr></Id><Ccy>${currency}</Ccy>` +
      `<Nm>${escapeXml(account.slice(0, 70))}</Nm></Acct>` +
      `${balance('OPBD', opening, fromMs)}${balance('CLBD', closing, endMs)}\n${entries.map((one) => `${one}\n`).join('')}</Stmt>`
    )
  })
  return (
    '<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt>' +
    `<GrpHdr><MsgId>${id}</MsgId><CreDtTm>${created}</CreDtTm></GrpHdr>\n${statements.join('\n')}\n</BkToCstmrStmt></Document>\n`
  )
}
