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
      'ends its block before the transaction that exceeds the execution units, and keeps the rest queued',
    ],
    ['unit/node/overfull-blocks.test.ts', 'keeps transactions queued that no longer fit because costs have risen'],
  ],
  validate: [
    [
      'unit/node/overfull-blocks.test.ts',
      'whose signatures alone exceed its execution units, before any signature is verified',
    ],
    ['unit/node/overfull-blocks.test.ts', 'whose pairing checks together exceed the work limit of a block'],
  ],
  replay: [
    [
      'unit/node/block-import.test.ts',
      'stops with a report at a certified block that it cannot reproduce, and stores nothing of that block',
    ],
  ],
  transaction: [['unit/executor/metering.test.ts', 'stop a transaction at its own limit, which it pays in full']],
  trigger: [
    [
      'unit/executor/schedule.test.ts',
      'uses at most half of the units of a block, except that the first may use the limit of a transaction',
    ],
  ],
  dueRun: [['unit/executor/due-runs.test.ts', 'stop at their declared units and have no effect if they exceed them']],
  endOfBlock: [
    ['unit/executor/due-runs.test.ts', 'has no effect if it exceeds its units or fails, and the chain continues'],
  ],
  genesis: [['unit/executor/triggers.test.ts', 'does not run in genesis']],
  selfCheck: [['unit/contracts/self-check.test.ts', 'matches the results of this release']],
  dryRun: [['threads/trials.test.ts', 'aborts a trial at its timeout, and runs the next one on a new thread']],
  trial: [
    [
      'unit/contracts/reads.test.ts',
      'shares the unit limit of one transaction with its triggers, and reports if the limit is exceeded',
    ],
  ],
  trialQuery: [['threads/trials.test.ts', 'is terminated beyond its memory limit, and the node continues']],
  query: [
    ['unit/gateway/query-turns.test.ts', 'of one client have a bounded queue, and other clients still get a slot'],
    ['unit/base/turns.test.ts', 'never exceeds its share plus one burst, whatever the load'],
  ],
  admission: [
    [
      'unit/node/admission.test.ts',
      'is sent to the ledger in small groups if large, since the message size is bounded',
    ],
  ],
  content: [['unit/node/admission.test.ts', 'is queued again, even above the limit of large records per account']],
  earlyProof: [['unit/node/early-proofs.test.ts', 'block only that account until the end of the minute']],
  snapshotCheck: [['unit/node/snapshot-chunks.test.ts', 'requests a chunk again if it was changed on disk']],
  scenario: [['unit/contracts/scenarios.test.ts', 'reports the step that failed']],
  scenarioView: [['unit/contracts/scenarios.test.ts', 'is refused with the position of an invalid step']],
}

describe('each bounded execution', () => {
  it.each(Object.entries(DRIVEN))('has an existing test that exceeds its bounds: %s', (_row, tests) => {
    for (const [file, title] of tests) {
      expect(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8'), file).toContain(title)
    }
  })
})
