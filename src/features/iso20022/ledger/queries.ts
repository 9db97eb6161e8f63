/** Owns the queries of the bridge: what a payment resolves to, and who claimed a message. */
import { accounts } from '../../../executor/accounts.js'
import type { QueryDef } from '../../../executor/contract.js'
import { definitions } from '../../core/tables.js'
import { ISO_QUERIES } from '../schema/ids.js'
import {
  type ClaimQuery,
  type ClaimView,
  claimQuery,
  claimView,
  type Resolution,
  type ResolveQuery,
  resolution,
  resolveQuery,
} from '../schema/views.js'
import { mayDebit } from './instructions.js'
import { claims, currencies, ibans, submitters } from './tables.js'

export const isoResolve: QueryDef<ResolveQuery, Resolution> = {
  id: ISO_QUERIES.isoResolve,
  kind: 'isoResolve',
  input: resolveQuery,
  output: resolution,
  async run(ctx, query) {
    const { reader } = ctx
    const account = (text: string): string | undefined => {
      const bound = reader.get(ibans, text)
      return bound !== undefined && reader.get(accounts, bound) !== undefined ? bound : undefined
    }
    const source = account(query.debtorIban)
    const definition = reader.get(currencies, query.currency)
    const submitter = reader.get(submitters, query.submitter)
    return {
      source,
      target: account(query.creditorIban),
      definition,
      scale: definition === undefined ? undefined : reader.get(definitions, definition)?.scale,
      submitterKnown: submitter !== undefined,
      mayDebit: submitter !== undefined && source !== undefined && mayDebit(reader, submitter, source),
      bics: (submitter?.bics ?? []).join(' '),
    }
  },
}

export const isoClaim: QueryDef<ClaimQuery, ClaimView> = {
  id: ISO_QUERIES.isoClaim,
  kind: 'isoClaim',
  input: claimQuery,
  output: claimView,
  run: async (ctx, query) => ctx.reader.get(claims, query.key),
}
