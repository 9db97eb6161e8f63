/**
 * Owns the question whether the short suite (`npm test`) kills what the whole suite kills: a sample of mutants that the whole
 * suite kills, and how many of them the short suite kills too.
 *
 * The suites of a mutant are those of its folder, or else the test files that import its file. The short suite hunts first, so
 * that only those that survive it are hunted by the rest: files that it does not have, and those whose slices are smaller in it.
 * Tests of processes of the program load `dist/`, so they are not asked.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isShort, projectOf } from '../suites.mjs'
import { COUNTS, Hunt } from './hunt.mjs'
import { loadedBy, testFiles } from './imports.mjs'
import { draw, filesBelow } from './mutants.mjs'
import { ROOT } from './vitest.mjs'

/** Mutants that are hunted at once; a test file is loaded once for all of them. */
const BATCH = 160
/** Minimum share of the sample that the short suite must kill. */
const SHARE_MIN = 0.85
/** A mutant that survived tests for so long, in one of the two suites, is given up there, in ms. */
const MS_PER_MUTANT = 30_000
/** The pages of the explorer, which tests run in a browser. */
const PAGES = 'src/web/'
/** Import of test files whose slices differ between the suites. */
const SLICES = 'test/suites.mjs'

const inRoot = (path) => path.slice(ROOT.length + 1)
const isBelow = (path, folder) => path === folder || path.startsWith(`${folder}/`)

/** Test files inside the runner with what they load, the smallest first. */
function testsByLoad() {
  const loads = loadedBy(testFiles().filter((file) => projectOf(file) !== 'process'))
  return new Map([...loads].sort(([, a], [, b]) => a.size - b.size))
}

/**
 * Test files that may kill the mutants of a source file.
 *
 * @param folders of the named folders: their sources and suites
 */
function suitesOf(source, folders, loads) {
  const named = folders.filter(({ sources }) => [sources].flat().some((folder) => isBelow(source, folder)))
  const suites = named.flatMap((folder) => folder.suites)
  const isOf =
    named.length > 0 ? (test) => suites.some((suite) => isBelow(test, suite)) : (test) => loads.get(test).has(source)
  return new Set([...loads.keys()].filter(isOf))
}

/** Hunts a batch; gives each mutant with the test file that killed it, and whether that was in the short suite. */
async function huntBatch({ mutants, sources }, suites, loads, say) {
  const killers = new Map()
  const hunt = async (isAsked, isShortSuite, env) => {
    const left = new Map(mutants.filter(({ id }) => !killers.has(id)).map(({ id, file }) => [id, suites.get(file)]))
    const tests = [...loads.keys()].filter((test) => isAsked(test) && [...left.values()].some((one) => one.has(test)))
    if (tests.length === 0) return
    const started = await Hunt.start(sources, { say, env, msPerMutant: MS_PER_MUTANT })
    try {
      const paths = tests.map((test) => join(ROOT, test))
      await started.run([...left.keys()], paths, (path, id) => left.get(id).has(inRoot(path)))
    } finally {
      await started.close()
    }
    for (const [id, path] of started.caught) killers.set(id, { test: inRoot(path), isShortSuite })
  }
  await hunt(isShort, true, { ...COUNTS, CAUSEWAY_SUITE: 'short' })
  await hunt((test) => !isShort(test) || loads.get(test).has(SLICES), false, { CAUSEWAY_SUITE: 'all' })
  return mutants.map((mutant) => ({ ...mutant, killer: killers.get(mutant.id) }))
}

/** Draws mutants over all sources until the whole suite killed `count`, and counts those that the short suite kills. */
export async function huntShort(folders, seed, count, say) {
  const loads = testsByLoad()
  const programs = filesBelow('src').filter((file) => !file.startsWith(PAGES))
  const suites = new Map(programs.map((file) => [file, suitesOf(file, folders, loads)]))
  const reached = programs.filter((file) => suites.get(file).size > 0)
  const sample = []
  let drawn = 0
  let figures
  do {
    const size = Math.min(BATCH, 2 * (count - sample.length))
    const { mutants, sources, ...found } = await draw(reached, seed, size, drawn)
    say(`seed ${seed}: mutants ${drawn + 1} to ${drawn + mutants.length} of ${found.all}`)
    const hunted = await huntBatch({ mutants, sources }, suites, loads, say)
    for (const mutant of hunted) {
      if (sample.length === count) break
      drawn += 1
      if (mutant.killer !== undefined) sample.push(mutant)
    }
    figures = found
  } while (sample.length < count && drawn < figures.all)

  const survivors = sample.filter(({ killer }) => !killer.isShortSuite)
  mkdirSync(join(ROOT, 'coverage'), { recursive: true })
  const report = { seed, drawn, ...figures, sample, survivors }
  writeFileSync(join(ROOT, 'coverage', 'mutation-short.json'), `${JSON.stringify(report, null, 2)}\n`)
  for (const { file, line, column, before, after, killer } of survivors) {
    console.log(`${file}:${line}:${column}, killed by ${killer.test}\n- ${before}\n+ ${after}`)
  }
  console.log(
    `not drawn: ${figures.statics} mutants of declarations, ${PAGES}, and ${programs.length - reached.length} files that no test inside the runner loads`,
  )
  console.log(`seed ${seed}: the whole suite kills ${sample.length} of ${drawn} drawn of ${figures.all}`)
  const killed = sample.length - survivors.length
  console.log(
    `the short suite kills ${killed} of these ${sample.length}; at least ${Math.ceil(SHARE_MIN * count)} are needed`,
  )
  process.exitCode = killed < SHARE_MIN * count ? 1 : 0
}
