/** Owns the hunt for mutants: which tests reach each of them, and whether one of those catches it. */
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { startVitest } from './vitest.mjs'

/** A process that says nothing for so long runs a mutant that never ends, in ms. */
const SILENCE_MS = 120_000
/** A file whose tests take longer is run for many mutants at once or not at all, in ms. */
const WHOLE_MS_MAX = 5_000
/** Tests that take longer are tried after all files are met, in ms. */
const QUICK_MS = 1_000
/** Processes that run test files at the same time. */
const LANES = Math.min(2, availableParallelism())
/** Few of what the suites make at random: a mutant is met by the first ones or needs a test of its own. */
export const COUNTS = {
  SIM_SEEDS: process.env.SIM_SEEDS ?? '20',
  CAUSEWAY_HISTORIES: process.env.CAUSEWAY_HISTORIES ?? '15',
}

/** A hunt over sources that carry their mutants switched off. */
export class Hunt {
  /** Mutants that were caught, by id, with the test file that did it. */
  caught = new Map()
  /** Test files that a mutant needs a process of its own for. */
  deferred = new Map()
  /** Reached code by test file: by test and mutant, and by mutant outside of tests. */
  reach = new Map()
  /** By test file, the pairs of test and mutant that were tried. */
  tried = new Map()
  /** Time that tests took with a mutant, in ms. */
  spent = new Map()
  folder = mkdtempSync(join(tmpdir(), 'causeway-mutation-'))

  constructor(lanes, { say, msPerMutant = Number.POSITIVE_INFINITY }) {
    this.lanes = lanes
    this.say = say
    this.msPerMutant = msPerMutant
  }

  /**
   * Starts the test runners.
   *
   * @param options `say` takes lines of progress; `env` is added to the environment of the tests; a mutant that survived
   * `msPerMutant` of tests is given up
   */
  static async start(sources, { env, ...options }) {
    const runner = join(import.meta.dirname, 'runner.mjs')
    const lanes = Array.from({ length: LANES }, () => startVitest(sources, { runner, env }))
    return new Hunt(await Promise.all(lanes), options)
  }

  async close() {
    await Promise.all(this.lanes.map((vitest) => vitest.close()))
    rmSync(this.folder, { recursive: true, force: true })
  }

  /** Paths of the test files of suites. */
  async filesOf(suites) {
    const specs = await this.lanes[0].getRelevantTestSpecifications(suites)
    return [...new Set(specs.map(({ moduleId }) => moduleId))]
  }

  /**
   * Hunts for mutants: quick tests first, and a process for one mutant last.
   *
   * @param files paths of test files, in the order in which they are met
   * @param isFor whether a test file is one of the suites of a mutant
   */
  async run(mutants, files, isFor = () => true) {
    const dueIn = (file) => mutants.filter((id) => isFor(file, id) && this.isAlive(id))
    await this.each(files, async (file, lane) => {
      await this.meet(file, dueIn(file), lane)
      this.say(`${file}: ${this.caught.size} of ${mutants.length} caught`)
    })
    const quickFirst = [...this.reach.keys()].sort((a, b) => this.reach.get(a).ms - this.reach.get(b).ms)
    await this.each(quickFirst, async (file, lane) => {
      await this.tryAll(file, () => dueIn(file), lane)
      this.say(`${file}, slow tests: ${this.caught.size} of ${mutants.length} caught`)
    })
    const quick = quickFirst.filter((file) => this.reach.get(file).ms <= WHOLE_MS_MAX)
    const left = mutants.filter((mutant) => this.isAlive(mutant))
    await this.each(left, async (mutant, lane) => {
      for (const file of quick) {
        const isDue = this.reach.get(file).outside[mutant] !== undefined || this.deferred.get(mutant)?.has(file)
        if (isDue && isFor(file, mutant) && this.isAlive(mutant)) await this.tryWhole(file, mutant, lane)
      }
      this.say(
        `${left.indexOf(mutant) + 1} of ${left.length} on their own: ${this.caught.size} of ${mutants.length} caught`,
      )
    })
  }

  /** Works on items in all lanes, each of which takes the next item when it is done with one. */
  async each(items, work) {
    const left = [...items]
    const drain = async (_vitest, lane) => {
      while (left.length > 0) await work(left.shift(), lane)
    }
    await Promise.all(this.lanes.map(drain))
  }

  /** True for a mutant that is neither caught nor given up. */
  isAlive(mutant) {
    return !this.caught.has(mutant) && (this.spent.get(mutant) ?? 0) < this.msPerMutant
  }

  /** Number of test files that reach a mutant. */
  filesReaching(mutant) {
    const all = [...this.reach.values()]
    return all.filter(({ tests, outside }) => [outside, ...tests.values()].some((hits) => hits[mutant] !== undefined))
      .length
  }

  /**
   * Notes what a file reaches, and tries the mutants in its quick tests on the way. A test that does not pass as things are is
   * left out.
   */
  async meet(file, mutants, lane) {
    if (mutants.length === 0) return
    let lines = await this.runFile(file, { way: 'meet', mutants, quickMs: QUICK_MS }, lane)
    this.note(file, lines)
    // A try ended the process; the tests behind it are met without any.
    if (!lines.some(({ outside }) => outside !== undefined)) {
      lines = await this.runFile(file, { way: 'meet', mutants: [], quickMs: QUICK_MS }, lane)
    }
    const passed = lines.filter(({ hits }) => hits !== undefined)
    this.reach.set(file, {
      ms: passed.reduce((sum, { ms }) => sum + ms, 0),
      tests: new Map(passed.map(({ test, hits }) => [test, hits])),
      outside: lines.find(({ outside }) => outside !== undefined)?.outside ?? {},
    })
  }

  /** Tries the mutants that are left in each test of a file that reaches them, in as many processes as that needs. */
  async tryAll(file, due, lane) {
    const tried = this.tried.get(file)
    for (;;) {
      const tests = {}
      const mutants = due()
      for (const [test, hits] of this.reach.get(file).tests) {
        const left = mutants.filter((id) => id in hits && !tried.has(`${test} ${id}`))
        if (left.length > 0) tests[test] = left.map((mutant) => ({ mutant, hits: hits[mutant] }))
      }
      if (Object.keys(tests).length === 0) return
      const before = tried.size
      this.note(file, await this.runFile(file, { way: 'tries', tests }, lane))
      if (tried.size === before) return this.say(`${file}: its tests do not run`)
    }
  }

  /** Records the results of the tries of a process. */
  note(file, lines) {
    const tried = this.tried.get(file) ?? new Set()
    this.tried.set(file, tried)
    let open
    for (const { test, mutant, state, ms = 0 } of lines) {
      if (mutant === undefined) continue
      tried.add(`${test} ${mutant}`)
      open = state === 'started' ? mutant : undefined
      this.spent.set(mutant, (this.spent.get(mutant) ?? 0) + ms)
      if (state === 'caught') this.caught.set(mutant, file)
      if (state === 'deferred') this.deferred.set(mutant, (this.deferred.get(mutant) ?? new Set()).add(file))
    }
    // The process ended in the middle of a try.
    if (open !== undefined) this.caught.set(open, file)
  }

  /** Runs a file in a process of its own with a mutant switched on from the start. */
  async tryWhole(file, mutant, lane) {
    const { tests, outside } = this.reach.get(file)
    const hits = [outside, ...tests.values()].reduce((sum, one) => sum + (one[mutant] ?? 0), 0)
    const startedAt = performance.now()
    const lines = await this.runFile(file, { way: 'whole', mutant, hits }, lane)
    this.spent.set(mutant, (this.spent.get(mutant) ?? 0) + performance.now() - startedAt)
    if (!lines.some(({ state }) => state === 'passed')) this.caught.set(mutant, file)
  }

  /** Runs one file as the plan says; gives what its process noted. */
  async runFile(file, plan, lane) {
    const vitest = this.lanes[lane]
    const log = join(this.folder, `log-${lane}`)
    rmSync(log, { force: true })
    vitest.provide('mutation', { ...plan, log })
    const notes = () => {
      const lines = existsSync(log) ? readFileSync(log, 'utf8').split('\n').slice(0, -1) : []
      return lines.map((line) => JSON.parse(line))
    }
    const watchdog = setInterval(() => {
      if (!existsSync(log) || Date.now() - statSync(log).mtimeMs < SILENCE_MS) return
      process.kill(notes()[0].pid, 'SIGKILL')
    }, 5_000)
    try {
      const specs = await vitest.getRelevantTestSpecifications([file])
      await vitest.runTestSpecifications(specs.filter(({ moduleId }) => moduleId === file))
    } finally {
      clearInterval(watchdog)
      // That a process ended is an answer here.
      vitest.state.errorsSet.clear()
    }
    return notes()
  }
}
