/** Owns the ISO 20022 notifications of income of lots, made from a transaction and the statement of an account. */
import type { CausewayClient } from '../../client/index.js'
import { formatNumeric, type Numeric, parseNumeric } from '../../codec/index.js'
import { add } from '../../model/index.js'
import { getView, textOf, type View, viewOf, viewsOf } from '../gateway/gateway.js'
import { fetchStatement } from '../iso/statement.js'
import { notificationOf, unmapped } from '../iso/written.js'

interface IncomeMessageRequest {
  readonly hash: string
  /** Account that is notified: address or alias. */
  readonly account: string
  readonly iban: string | undefined
  readonly currency: string | undefined
}

const NOTHING: Numeric = { mantissa: 0n, scale: 0 }

/** Class whose income a transaction declares or pays. Throws `iso_unmapped` unless there is exactly one. */
function classOf({ instructions, outcome }: View): string {
  const classes = new Set(
    viewsOf(instructions).flatMap(({ DeclareRwaIncome, ClaimRwaIncome }) => {
      const income = DeclareRwaIncome ?? ClaimRwaIncome
      return income === undefined ? [] : [textOf(viewOf(income).class) ?? '']
    }),
  )
  const [only] = classes
  if (only === undefined || classes.size > 1)
    throw unmapped(`the transaction has income of ${classes.size} classes, expected one`)
  if (outcome !== 'Approved') throw unmapped('the transaction was rejected: no income was paid')
  return only
}

/** Sum of amounts; undefined if one is not a decimal, or if the sum is too large. */
const sumOf = (amounts: readonly string[]): Numeric | undefined =>
  amounts.reduce<Numeric | undefined>((sum, text) => {
    const amount = parseNumeric(text)
    return sum === undefined || amount === undefined ? undefined : add(sum, amount)
  }, NOTHING)

/**
 * Flat pairs of the camt.054 of income: a credit of an owner of lots, or the debit of the issuer. Throws `iso_unmapped`
 * if the account has none in the transaction, or if a binding is missing.
 */
export async function incomeMessageOf(client: CausewayClient, { hash, account, iban, currency }: IncomeMessageRequest) {
  const transaction = await getView(client, ({ explorer }) => explorer.transaction, { params: { hash } })
  const { isin, income } = await getView(client, ({ rwas }) => rwas.class, { params: { id: classOf(transaction) } })
  const { cash, vault } = viewOf(income)
  const timeMs = Number(transaction.time_ms)
  // Header times increase strictly, so the period contains one block.
  const period = { fromMs: timeMs, toMs: timeMs + 1, asset: textOf(cash), withUnmoved: false }
  const statement = await fetchStatement(client, account, period)
  const entries = statement.assets
    .flatMap(({ items }) => items)
    .filter((one) => one.transaction_hash === hash.toLowerCase() && one.counterparty === vault)
  const [first] = entries
  if (first === undefined)
    throw unmapped(`the transaction has no payment between ${account} and the income of the class`)
  if (entries.some(({ side }) => side !== first.side))
    throw unmapped('the transaction declares and pays income of the same account, which is not one entry')
  const sum = sumOf(entries.map(({ amount }) => amount))
  if (sum === undefined) throw unmapped('the amounts of the payments have no sum')
  return notificationOf(client, {
    account: statement.account,
    cash: textOf(cash),
    id: `INCOME-${hash.slice(0, 16).toLowerCase()}`,
    timeMs,
    iban,
    currency,
    amount: formatNumeric(sum),
    reference: textOf(isin) ?? hash.slice(0, 32),
    direction: first.side === 'Credit' ? 'CRDT' : 'DBIT',
  })
}
