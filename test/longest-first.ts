/** Owns the order of test files: those that take minutes begin first, so that none of them runs alone at the end. */
import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take a minute or more, longest first. The runner goes by the size of a file, which says little here. */
export const LONGEST: readonly string[] = [
  'test/docs/start.test.ts',
  'test/e2e/staking.test.ts',
  'test/chaos/chaos.test.ts',
  'test/e2e/drills/machines.test.ts',
  'test/e2e/rolling-upgrade.test.ts',
  'test/docs/toy-feature.test.ts',
  'test/e2e/drills/quorum.test.ts',
  'test/e2e/sinks.test.ts',
  'test/e2e/signer.test.ts',
  'test/cli/lying-gateway.test.ts',
  'test/e2e/contracts.test.ts',
  'test/chaos/twins.test.ts',
  'test/e2e/toolkit.test.ts',
  'test/e2e/webhooks.test.ts',
  'test/cli/results.test.ts',
  'test/property/npos/mutants.test.ts',
  'test/simulation/mutants.test.ts',
  'test/simulation/lanes.test.ts',
  'test/byzantine/messages.test.ts',
  'test/byzantine/account.test.ts',
]

/** Place of a file in the order above; behind all of them when it is not there. */
function placeOf({ moduleId }: TestSpecification): number {
  const place = LONGEST.indexOf(relative(process.cwd(), moduleId))
  return place < 0 ? LONGEST.length : place
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => placeOf(a) - placeOf(b))
  }
}
