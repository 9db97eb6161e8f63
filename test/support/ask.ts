/** Runs a query of ABI 1 by its declaration, as the ledger thread does. */
import type { QueryContext } from '../../src/executor/reads.js'
import { ABI_1 } from '../../src/features/abi.js'
import type { QueryDef } from '../../src/model/index.js'

export async function ask<Q, R>(ctx: QueryContext, { kind }: QueryDef<Q, R>, input: Q): Promise<R | undefined> {
  const found = ABI_1.queries.get(kind)
  if (found === undefined) throw new Error(`ABI 1 has no query ${kind}`)
  return (await found.run(ctx, input)) as R | undefined
}
