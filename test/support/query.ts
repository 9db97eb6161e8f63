/** Owns the base request of query tests: all domains, in one response. */
import type { QueryRequest, QueryStart } from '../../src/api/index.js'

/** Start of a query. */
export const startOf = (changes: Partial<QueryStart> = {}): QueryRequest => ({
  kind: 'start',
  value: {
    query: { kind: 'domains', input: {} },
    predicate: undefined,
    sorting: [],
    offset: 0,
    limit: undefined,
    fetchSize: undefined,
    cursorMode: 'ephemeral',
    ...changes,
  },
})
