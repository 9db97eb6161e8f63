/** Owns the reading of an account's movements on one node, for tests that count what was paid. */
import { getJson } from './localnet.js'

export interface Movement {
  readonly reference: string | null
  readonly side: string
  readonly amount: string
}

/** All movements of an account on one node, from its index. */
export async function movements(gateway: string, account: string): Promise<Movement[]> {
  const found: Movement[] = []
  let cursor: string | null = null
  do {
    const search: string = cursor === null ? '' : `&cursor=${cursor}`
    const page: { items: Movement[]; next_cursor: string | null } = await getJson(
      gateway,
      `/v1/accounts/${account}/statement?asset=${encodeURIComponent('eur#bank')}&limit=500${search}`,
    )
    found.push(...page.items)
    cursor = page.next_cursor
  } while (cursor !== null)
  return found
}
