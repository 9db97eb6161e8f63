/**
 * Owns the comparison of a warehouse with a node: every balance and supply, each page at the height of its response.
 */
import { sleep } from '../base/sleep.js'
import { type CausewayClient, routes } from '../client/index.js'
import { PageGuard } from '../client/pages.js'
import { formatNumeric, toHex } from '../codec/index.js'
import { hashOfHeader, LedgerError } from '../model/index.js'
import { Differences } from './differences.js'
import { addressText, type Naming } from './ledger-rows.js'
import type { Balance, Warehouse } from './warehouse.js'

/** Items per page. */
const LIMIT = 500
/** Maximum wait until the sink reaches the height of a page, in ms, and the interval of checks. */
const CATCH_UP_MS = 30_000
const LOOK_MS = 100

/** Result of a comparison. */
export interface Compared {
  /** Height of the last page. */
  readonly height: number
  readonly balances: number
  readonly supplies: number
  /** First differences, as sentences; empty if there are none. */
  readonly differences: readonly string[]
}

interface Subject {
  readonly client: CausewayClient
  readonly warehouse: Warehouse
  readonly naming: Naming
  readonly signal: AbortSignal
}

/**
 * Wait until the warehouse has reached a height. Throws `sink_conflict` if it does not, and the reason of an aborted
 * signal.
 */
async function reach({ warehouse, signal }: Subject, height: number): Promise<void> {
  const end = performance.now() + CATCH_UP_MS
  for (;;) {
    signal.throwIfAborted()
    const at = (await warehouse.cursor())?.height ?? 0
    if (at >= height) return
    if (performance.now() > end) {
      throw new LedgerError('sink_conflict', `the tables are at block ${at}, but the node is at ${height}`, {
        hint: 'Let the sink catch up, or run it once more with --once.',
      })
    }
    await sleep(LOOK_MS, { signal })
  }
}

const nameOf = ({ account, definition }: Pick<Balance, 'account' | 'definition'>): string => `${account} ${definition}`

/** Compare all balances and supplies of the node with the tables, in both directions. */
export async function compare(subject: Subject, onPage: (done: number) => void): Promise<Compared> {
  const { client, warehouse, naming } = subject
  const differences = new Differences()
  const seen = new Set<string>()
  const balances = new PageGuard()
  let cursor: string | undefined
  let first: number | undefined
  let last = 0
  do {
    const page = await client.route(routes.assets.assets, {
      query: { limit: LIMIT, cursor },
    })
    await reach(subject, page.height)
    first ??= page.height
    last = page.height
    const reported = page.items.map(({ account, definition, amount }) => ({
      account: addressText(account, naming),
      definition,
      amount: formatNumeric(amount),
    }))
    const kept = new Map((await warehouse.balances(reported, page.height)).map((one) => [nameOf(one), one.amount]))
    for (const one of reported) {
      seen.add(nameOf(one))
      const held = kept.get(nameOf(one))
      if (held !== one.amount)
        differences.add(`${nameOf(one)}: ${held ?? 'none'} in the tables, ${one.amount} at the node`)
    }
    onPage(seen.size)
    cursor = balances.next(page.nextCursor, page.items.length)
  } while (cursor !== undefined)
  // An account that changed while the pages were read may be missing on all of them; an unchanged one must be there.
  for await (const one of warehouse.balancesAt(first)) {
    if (seen.has(nameOf(one))) continue
    const [now] = await warehouse.balances([one], last)
    if (now?.amount === one.amount) differences.add(`${nameOf(one)}: ${one.amount} in the tables, none at the node`)
  }

  const definitions = new PageGuard()
  const known = new Set<string>()
  let since: number | undefined
  do {
    const page = await client.route(routes.assets.definitions, {
      query: { limit: LIMIT, cursor },
    })
    await reach(subject, page.height)
    since ??= page.height
    last = page.height
    const kept = new Map(
      (await warehouse.suppliesAt(page.height)).map(({ definition, supply }) => [definition, supply]),
    )
    for (const { id, totalQuantity } of page.items) {
      known.add(id)
      const [held, reported] = [kept.get(id) ?? '0', formatNumeric(totalQuantity)]
      if (held !== reported) differences.add(`supply of ${id}: ${held} in the tables, ${reported} at the node`)
    }
    cursor = definitions.next(page.nextCursor, page.items.length)
  } while (cursor !== undefined)
  // A definition can be removed once nothing of it is left: one with a supply before and after the pages must be on one
  // of them.
  const after = new Map((await warehouse.suppliesAt(last)).map(({ definition, supply }) => [definition, supply]))
  for (const { definition, supply } of await warehouse.suppliesAt(since)) {
    if (known.has(definition) || supply === '0' || after.get(definition) !== supply) continue
    differences.add(`supply of ${definition}: ${supply} in the tables, none at the node`)
  }

  const { block } = await client.route(routes.explorer.finality, { params: { height: last }, query: { from: last } })
  const hash = await warehouse.blockHash(last)
  if (hash !== toHex(hashOfHeader(block.header))) differences.add(`block ${last}: the hash differs from the node`)
  return { height: last, balances: seen.size, supplies: known.size, differences: differences.list }
}
