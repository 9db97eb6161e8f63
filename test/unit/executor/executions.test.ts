/** The table of executions: each row names the tests that drive it past its bounds. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { EXECUTIONS } from '../../../src/executor/executions.js'

type Row = keyof typeof EXECUTIONS

/** For each row the tests that drive it past its bounds: file below test/, and a part of the title. */
const DRIVEN: Readonly<Record<Row, readonly (readonly [file: string, title: string])[]>> = {
  build: [
    [
      'unit/node/overfull-blocks.test.ts',
      'ends its block before a transaction that exhausts its units, and keeps that one and the rest',
    ],
    [
      'unit/node/overfull-blocks.test.ts',
      'leaves transactions that no longer fit for later when costs rose under a full queue',
    ],
  ],
  validate: [
    ['unit/node/overfull-blocks.test.ts', 'with more signatures than its units pay for'],
    ['unit/node/overfull-blocks.test.ts', 'whose pairings together exceed the work of a block'],
  ],
  replay: [
    [
      'unit/node/block-import.test.ts',
      'ends at a certified block that is not reproduced, with a report, and stores nothing of it',
    ],
  ],
  transaction: [['unit/executor/metering.test.ts', 'end a transaction at its own limit, which it pays in full']],
  trigger: [
    [
      'unit/executor/schedule.test.ts',
      'uses at most half of the units of a block, and the first of a block as much as a transaction',
    ],
  ],
  dueRun: [['unit/executor/due-runs.test.ts', 'that exceed their declared units end there, without effect']],
  endOfBlock: [
    [
      'unit/executor/due-runs.test.ts',
      'is executed by each feature within its units; a failing one changes nothing, and the chain continues',
    ],
  ],
  genesis: [['unit/executor/triggers.test.ts', 'does not run in genesis']],
  selfCheck: [['unit/contracts/self-check.test.ts', 'matches the results of this release']],
  dryRun: [['threads/trials.test.ts', 'ends a trial at its timeout, and the next one has a new thread']],
  trial: [
    ['unit/contracts/reads.test.ts', 'has the units of one transaction including them, and reports their exhaustion'],
  ],
  trialQuery: [['threads/trials.test.ts', 'ends beyond its memory limit, and the node continues']],
  query: [
    ['unit/gateway/query-turns.test.ts', 'of one client are bounded while waiting; others still get a slot'],
    ['unit/base/turns.test.ts', 'never exceeds its share and one burst, whatever the load'],
  ],
  admission: [
    ['unit/node/admission.test.ts', 'is checked with few others if long, since the message to the ledger is bounded'],
  ],
  content: [['unit/node/admission.test.ts', 'is queued again, beyond the limit of large records of one account']],
  earlyProof: [['unit/node/early-proofs.test.ts', 'make only that account wait until the end of the minute']],
  snapshotCheck: [['unit/node/snapshot-chunks.test.ts', 'requests a chunk again that was changed on disk']],
  scenario: [['unit/contracts/scenarios.test.ts', 'reports the step that failed']],
  scenarioView: [['unit/contracts/scenarios.test.ts', 'with an invalid step is refused with its position']],
}

describe('each execution', () => {
  it.each(Object.entries(DRIVEN))('has a test beyond its bounds: %s', (_row, tests) => {
    for (const [file, title] of tests) {
      expect(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8'), file).toContain(title)
    }
  })
})
