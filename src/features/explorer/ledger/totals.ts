/** Owns the totals of objects by kind, updated with every block. */

import { accounts } from '../../../executor/accounts.js'
import type { QueryRun, StateBefore } from '../../../executor/reads.js'
import { numberValue, totalKey } from '../../../ledger/indexes.js'
import { definitions, domains, nfts } from '../../../ledger/tables.js'
import { type CandidateRow, type IndexChanges, tableIdOf } from '../../../state/index.js'
import type { Totals } from '../schema/series.js'

/** Tables whose rows are counted, by name of the total. */
const COUNTED = { domains, accounts, assetDefinitions: definitions, nfts } as const

const numberOf = (bytes: Buffer | undefined): number => bytes?.readUIntBE(0, 6) ?? 0

/** Totals changed by the rows of a block. */
export function totalEntries(rows: readonly CandidateRow[], before: StateBefore): Required<IndexChanges>['put'] {
  const changes = new Map<number, number>(Object.values(COUNTED).map(({ id }) => [id, 0]))
  for (const { row, bytes } of rows) {
    const id = tableIdOf(row)
    const change = changes.get(id)
    if (change !== undefined) changes.set(id, change + Number(bytes !== undefined) - Number(before.hasRow(row)))
  }
  return [...changes].flatMap(([id, change]): [Uint8Array, Uint8Array][] => {
    const key = totalKey(id)
    return change === 0 ? [] : [[key, numberValue(numberOf(before.indexGet(key)) + change)]]
  })
}

export const totalsQuery: QueryRun<object, Totals> = async ({ indexGet, height }) => {
  const countOf = ({ id }: { readonly id: number }): number => numberOf(indexGet(totalKey(id)))
  return {
    domains: countOf(COUNTED.domains),
    accounts: countOf(COUNTED.accounts),
    assetDefinitions: countOf(COUNTED.assetDefinitions),
    nfts: countOf(COUNTED.nfts),
    height,
  }
}
