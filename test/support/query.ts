/** Owns the question that tests of queries vary: all domains, in one answer. */
import type { QueryRequest, QueryStart } from '../../src/api/index.js'

/** The beginning of a query. */
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
