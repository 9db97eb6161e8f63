/** The table of executions: each row names the tests that drive it past its bounds. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { EXECUTIONS } from '../../../src/executor/executions.js'

type Row = keyof typeof EXECUTIONS

/** For each row the tests that drive it past its bounds: file below test/, and a part of the title. */
const DRIVEN: Readonly<Record<Row, readonly (readonly [file: string, title: string])[]>> = {
  build: [
    ['unit/node/overfull-blocks.test.ts', 'ends its block where the units of the block end under a transaction'],
    ['unit/node/overfull-blocks.test.ts', 'leaves what no longer fits for later when costs rose'],
  ],
  validate: [
    ['unit/node/overfull-blocks.test.ts', 'with more signatures than its units pay for'],
    ['unit/node/overfull-blocks.test.ts', 'whose pairings together take more than the work of a block'],
  ],
  replay: [['unit/node/block-import.test.ts', 'ends at a block that was certified and is not reproduced here']],
  transaction: [['unit/executor/metering.test.ts', 'end a transaction at its own limit, which it pays in full']],
  trigger: [['unit/executor/schedule.test.ts', 'takes half of the units of a block at most']],
  dueRun: [['unit/executor/due-runs.test.ts', 'that take more than they declare end there']],
  endOfBlock: [['unit/executor/due-runs.test.ts', 'one that fails or takes more changes nothing']],
  genesis: [['unit/executor/triggers.test.ts', 'does not run in genesis']],
  selfCheck: [['unit/contracts/self-check.test.ts', 'comes to what this release holds']],
  dryRun: [['threads/trials.test.ts', 'ends a trial that exceeds its time']],
  trial: [['unit/contracts/reads.test.ts', 'has the units of one transaction with all that they do']],
  trialQuery: [['threads/trials.test.ts', 'ends beyond its memory, and the node goes on']],
  query: [
    ['unit/gateway/query-turns.test.ts', 'wait in a bounded number'],
    ['unit/base/turns.test.ts', 'never has more than its share and one burst'],
  ],
  admission: [['unit/node/admission.test.ts', 'since the message to the ledger has a bound']],
  content: [
    ['unit/node/admission.test.ts', 'is queued again, more large records of one account than a stranger may have read'],
  ],
  earlyProof: [['unit/node/early-proofs.test.ts', 'make an account wait for the end of the minute']],
  snapshotCheck: [['unit/node/snapshot-chunks.test.ts', 'asks again for a chunk that the disk changed']],
  scenario: [['unit/contracts/scenarios.test.ts', 'says which step did not come to what it has to']],
  scenarioView: [['unit/contracts/scenarios.test.ts', 'that no contract can be asked is refused with its place']],
}

describe('each execution', () => {
  it.each(Object.entries(DRIVEN))('%s is driven beyond its bounds', (_row, tests) => {
    for (const [file, title] of tests) {
      expect(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8'), file).toContain(title)
    }
  })
})
