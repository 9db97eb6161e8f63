/** The query of a relay envelope: what it reads of a block in which there is none. */
import { expect, it } from 'vitest'
import type { QueryContext } from '../../../src/executor/reads.js'
import { rosterStarts, rosters } from '../../../src/executor/tables.js'
import { laneEnvelope } from '../../../src/features/lanes/ledger/queries.js'
import type { StateReader, TableDef } from '../../../src/state/index.js'

it('the envelope query does not read the body of a block without settlements', async () => {
  let bodies = 0
  const rows = new Map<number, unknown>([
    [rosterStarts.id, [1]],
    [rosters.id, { roster: [] }],
  ])
  const reader = { get: ({ id }: TableDef<unknown, unknown>) => rows.get(id) } as unknown as StateReader
  const ctx = {
    reader,
    height: 9,
    firstHeight: 1,
    outcome: async () => ({
      results: [],
      events: [{ entry: 0, event: { kind: 'accountChanged', value: {} } }],
      texts: [],
    }),
    block: async () => {
      bodies += 1
      return undefined
    },
  } as unknown as QueryContext
  expect(await laneEnvelope(ctx, { height: 5, lane: 0 })).toBeUndefined()
  expect(bodies).toBe(0)
})
