/** Owns the hunt for mutants: which tests reach each of them, and whether one of those catches it. */
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startVitest } from './vitest.mjs'

/** A process that says nothing for so long runs a mutant that never ends, in ms. */
const SILENCE_MS = 120_000
/** A file whose tests take longer is run for many mutants at once or not at all, in ms. */
const WHOLE_MS_MAX = 5_000
/** Few of what the suites make at random: a mutant is met by the first ones or needs a test of its own. */
const COUNTS = { SIM_SEEDS: '20', CAUSEWAY_HISTORIES: '15' }

/** A hunt over sources that carry their mutants switched off. */
export class Hunt {
  /** Mutants that were caught, by id, with the test file that did it. */
  caught = new Map()
  /** Test files that a mutant needs a process of its own for. */
  deferred = new Map()
  /** What each test file reaches: by test and mutant, and by mutant outside of tests. */
  reach = new Map()
  folder = mkdtempSync(join(tmpdir(), 'causeway-mutation-'))

  constructor(vitest, say) {
    this.vitest = vitest
    this.say = say
  }

  /** `say` takes lines of progress. */
  static async start(sources, say) {
    const runner = join(import.meta.dirname, 'runner.mjs')
    const env = Object.fromEntries(Object.entries(COUNTS).map(([name, few]) => [name, process.env[name] ?? few]))
    return new Hunt(await startVitest(sources, { runner, env }), say)
  }

  async close() {
    await this.vitest.close()
    rmSync(this.folder, { recursive: true, force: true })
  }

  /** Hunts for mutants through the suites: those that are quick first, and a process for one mutant last. */
  async run(mutants, suites) {
    const specs = await this.vitest.getRelevantTestSpecifications(suites)
    for (const { moduleId } of specs) await this.meet(moduleId)
    const quickFirst = [...this.reach.keys()].sort((a, b) => this.reach.get(a).ms - this.reach.get(b).ms)
    for (const file of quickFirst) {
      await this.tryAll(file, mutants)
      this.say(`${file}: ${this.caught.size} of ${mutants.length} caught`)
    }
    for (const mutant of mutants) {
      for (const file of quickFirst) {
        if (this.reach.get(file).ms > WHOLE_MS_MAX) break
        const isDue = this.reach.get(file).outside[mutant] !== undefined || this.deferred.get(mutant)?.has(file)
        if (isDue && !this.caught.has(mutant)) await this.tryWhole(file, mutant)
      }
    }
  }

  /** How many test files reach a mutant. */
  filesReaching(mutant) {
    const all = [...this.reach.values()]
    return all.filter(({ tests, outside }) => [outside, ...tests.values()].some((hits) => hits[mutant] !== undefined))
      .length
  }

  /** Notes what a file reaches; a test that does not pass as things are is left out. */
  async meet(file) {
    const lines = await this.runFile(file, { way: 'reach' })
    const { perTest = {} } = lines.find(({ reach }) => reach !== undefined)?.reach ?? {}
    const passed = lines.filter(({ state }) => state === 'pass')
    this.reach.set(file, {
      ms: passed.reduce((sum, { ms }) => sum + ms, 0),
      tests: new Map(passed.map(({ test }) => [test, perTest[test] ?? {}])),
      outside: perTest.outside ?? {},
    })
  }

  /** Tries the mutants that are left in each test of a file that reaches them, in as many processes as that needs. */
  async tryAll(file, mutants) {
    const done = new Set()
    for (;;) {
      const tests = {}
      for (const [test, hits] of this.reach.get(file).tests) {
        const left = mutants.filter((id) => id in hits && !this.caught.has(id) && !done.has(`${test} ${id}`))
        if (left.length > 0) tests[test] = left.map((mutant) => ({ mutant, hits: hits[mutant] }))
      }
      if (Object.keys(tests).length === 0) return
      const before = done.size
      let open
      for (const { test, mutant, state } of await this.runFile(file, { way: 'tries', tests })) {
        if (mutant === undefined) continue
        done.add(`${test} ${mutant}`)
        open = state === 'started' ? mutant : undefined
        if (state === 'caught') this.caught.set(mutant, file)
        if (state === 'deferred') this.deferred.set(mutant, (this.deferred.get(mutant) ?? new Set()).add(file))
      }
      // The process ended in the middle of a try.
      if (open !== undefined) this.caught.set(open, file)
      if (done.size === before) return this.say(`${file}: its tests do not run`)
    }
  }

  /** Runs a file in a process of its own with a mutant switched on from the start. */
  async tryWhole(file, mutant) {
    const { tests, outside } = this.reach.get(file)
    const hits = [outside, ...tests.values()].reduce((sum, one) => sum + (one[mutant] ?? 0), 0)
    const lines = await this.runFile(file, { way: 'whole', mutant, hits })
    if (!lines.some(({ state }) => state === 'passed')) this.caught.set(mutant, file)
  }

  /** Runs one file as the plan says; gives what its process noted. */
  async runFile(file, plan) {
    const log = join(this.folder, 'log')
    rmSync(log, { force: true })
    this.vitest.provide('mutation', { ...plan, log })
    const notes = () => {
      const lines = existsSync(log) ? readFileSync(log, 'utf8').split('\n').slice(0, -1) : []
      return lines.map((line) => JSON.parse(line))
    }
    const watchdog = setInterval(() => {
      if (!existsSync(log) || Date.now() - statSync(log).mtimeMs < SILENCE_MS) return
      process.kill(notes()[0].pid, 'SIGKILL')
    }, 5_000)
    try {
      const specs = await this.vitest.getRelevantTestSpecifications([file])
      await this.vitest.runTestSpecifications(specs.filter(({ moduleId }) => moduleId === file))
    } finally {
      clearInterval(watchdog)
      // That a process ended is an answer here.
      this.vitest.state.errorsSet.clear()
    }
    return notes()
  }
}
