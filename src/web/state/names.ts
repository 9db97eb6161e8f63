/** Owns the aliases of accounts shown beside addresses: each is read once, and cached while the page is open. */
import type { AccountView } from '../../features/accounts/schema.js'
import type { JsonOf } from '../json.js'
import { ApiError, get } from './api.js'
import { Store } from './store.js'

/** Maximum cached aliases; beyond that only addresses are shown. */
const NAMES_MAX = 1_000
/** Maximum concurrent requests: a node gives one client one slot on its ledger. */
const AT_ONCE = 2

/** Aliases by address; empty for an account without an alias, and while the request is pending. */
export const names = new Store<ReadonlyMap<string, string>>(new Map())

const waiting: string[] = []
let running = 0

/** Request the alias of an account unless it is known; `names` changes when it arrives. */
export function wantName(id: string): void {
  if (names.value.has(id) || names.value.size >= NAMES_MAX) return
  put(id, '')
  waiting.push(id)
  if (running < AT_ONCE) void readAll()
}

const put = (id: string, name: string): void => names.set(new Map(names.value).set(id, name))

async function readAll(): Promise<void> {
  running += 1
  for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
    try {
      const { label, domain } = await get<JsonOf<AccountView>>(`/v1/accounts/${encodeURIComponent(id)}`)
      if (label) put(id, `${label}@${domain}`)
    } catch (error) {
      // An account that does not exist has no alias. If the node is busy or unreachable, addresses suffice.
      if (!(error instanceof ApiError) || error.status !== 404) waiting.length = 0
    }
  }
  running -= 1
}
