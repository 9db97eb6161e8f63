/** Owns the totals of objects: how many there are of a kind, counted on with every block, so that nobody counts them anew. */
import { accounts } from '../../executor/accounts.js'
import type { QueryDef } from '../../executor/contract.js'
import type { CandidateRow, IndexChanges, RowKey } from '../../state/index.js'
import { totalKey } from './indexes.js'
import { type Totals, totals, totalsInput } from './schema/totals.js'
import { definitions, domains, nfts } from './tables.js'

/** Tables whose rows are counted, by what their total is called. */
const COUNTED = { domains, accounts, assetDefinitions: definitions, nfts } as const

/** The state before a block, as far as indexes ask it. */
export interface StateBefore {
  hasRow(row: RowKey): boolean
  indexGet(key: Uint8Array): Buffer | undefined
}

const numberOf = (bytes: Buffer | undefined): number => bytes?.readUIntBE(0, 6) ?? 0

function bytesOf(total: number): Buffer {
  const bytes = Buffer.alloc(6)
  bytes.writeUIntBE(total, 0, 6)
  return bytes
}

/** Totals that the rows of a block change. */
export function totalEntries(rows: readonly CandidateRow[], before: StateBefore): Required<IndexChanges>['put'] {
  return Object.values(COUNTED).flatMap(({ id }): [Uint8Array, Uint8Array][] => {
    const prefix = String.fromCharCode(id >> 8, id & 0xff)
    let change = 0
    for (const { row, bytes } of rows) {
      if (row.startsWith(prefix)) change += Number(bytes !== undefined) - Number(before.hasRow(row))
    }
    const key = totalKey(id)
    return change === 0 ? [] : [[key, bytesOf(numberOf(before.indexGet(key)) + change)]]
  })
}

export const totalsQuery: QueryDef<object, Totals> = {
  id: 74,
  kind: 'totals',
  input: totalsInput,
  output: totals,
  async run({ indexGet, height }) {
    const countOf = ({ id }: { readonly id: number }): number => numberOf(indexGet(totalKey(id)))
    return {
      domains: countOf(COUNTED.domains),
      accounts: countOf(COUNTED.accounts),
      assetDefinitions: countOf(COUNTED.assetDefinitions),
      nfts: countOf(COUNTED.nfts),
      height,
    }
  },
}
