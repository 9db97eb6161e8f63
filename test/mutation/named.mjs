/**
 * Owns the run of the named mutants (named.json): wrong variants that a suite once let pass. Each replaces `find`, which
 * stands in its file once, by `by`; the suite that names its subject must catch it in a test whose name matches `test`.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT, startVitest } from './vitest.mjs'

export const NAMED = JSON.parse(readFileSync(join(import.meta.dirname, 'named.json'), 'utf8'))

/**
 * Runs the suite of each mutant over its patch.
 *
 * @param say gets a line for each mutant
 * @returns the names of those that no test caught
 */
export async function runNamed(mutants, say) {
  const sources = new Map()
  const vitest = await startVitest(sources)
  const survivors = []
  try {
    for (const { name, file, find, by, suite, test } of mutants) {
      const path = join(ROOT, file)
      sources.set(
        path,
        readFileSync(path, 'utf8').replace(find, () => by),
      )
      vitest.invalidateFile(path)
      const specs = await vitest.getRelevantTestSpecifications([suite])
      const { testModules } = await vitest.runTestSpecifications(specs)
      // It tells those of earlier runs too.
      const tests = testModules
        .filter(({ moduleId }) => moduleId === specs[0]?.moduleId)
        .flatMap(({ children }) => [...children.allTests()])
      const failed = tests.filter((one) => one.result().state === 'failed').map(({ fullName }) => fullName)
      const isCaught = failed.some((one) => new RegExp(test).test(one))
      if (!isCaught) survivors.push(name)
      say(isCaught ? `caught: ${name}` : `SURVIVED: ${name}; failed of ${suite}: ${failed.join('; ') || 'nothing'}`)
      sources.delete(path)
      vitest.invalidateFile(path)
    }
  } finally {
    await vitest.close()
  }
  say(`named: ${mutants.length - survivors.length} of ${mutants.length} caught`)
  return survivors
}
