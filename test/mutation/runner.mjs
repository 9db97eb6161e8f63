/**
 * Owns how a test file is run for mutants, inside the worker of vitest. One of three ways, named by the plan:
 * `meet` notes which test executes which mutant, and repeats a quick test once for every mutant that it reaches; `tries` does the
 * latter for the tests and mutants of the plan; `whole` runs the file in a process of its own with one mutant switched on from
 * the start.
 *
 * A mutant that is caught by a try may have left something behind, so the test is tried without any mutant after it: only
 * if that passes is the try believed; otherwise the pair is deferred to a `whole` run and the process ends.
 */
import { setMaxListeners } from 'node:events'
import { appendFileSync } from 'node:fs'
import fc from 'fast-check'
import { TestRunner } from 'vitest'

/** The namespace that the instrumented sources ask. */
globalThis.__stryker__ ??= {}
const switches = globalThis.__stryker__

/** Executions of a mutant in a test, in multiples of those without it, after which it loops. */
const HITS_FACTOR = 100
const HITS_MIN = 1_000
/** Time of a try, in multiples of one without a mutant, after which it hangs. */
const TIME_FACTOR = 10
const TIME_MIN_MS = 5_000

// A test may have put the clock away.
const { setTimeout, clearTimeout } = globalThis

export default class MutationRunner extends TestRunner {
  plan = this.injectValue('mutation')
  /** Mutants that this file has caught. */
  caught = new Set()

  constructor(config) {
    super(config)
    // A counterexample is enough; the smallest one is not asked for.
    fc.configureGlobal({ endOnFailure: true })
    // A test that is tried often listens often.
    setMaxListeners(0)
    this.log({ pid: process.pid })
    if (this.plan.way === 'whole') {
      Object.assign(switches, { activeMutant: this.plan.mutant, hitCount: 0, hitLimit: limitOf(this.plan.hits) })
    }
  }

  log(line) {
    appendFileSync(this.plan.log, `${JSON.stringify(line)}\n`)
  }

  onCollected() {
    if (this.plan.way === 'meet') switches.currentTestId = 'outside'
  }

  async onBeforeRunTask(test) {
    await super.onBeforeRunTask(test)
    const { way, tests, mutants } = this.plan
    if (way === 'whole' || test.mode !== 'run') return
    const todo = way === 'meet' ? mutants : (tests[test.id] ?? []).filter(({ mutant }) => !this.caught.has(mutant))
    if (way === 'tries' && todo.length === 0) {
      test.mode = 'skip'
      return
    }
    // Which mutants a test meets is known after its first run.
    this.todo = way === 'meet' ? [] : todo
    this.suspect = undefined
    this.tried = undefined
    this.cleanMs = undefined
    // As many as there can be: each mutant, and once more without it.
    test.retry = 2 * todo.length + 2
  }

  onBeforeTryTask(test) {
    super.onBeforeTryTask(test)
    if (this.plan.way === 'whole') return
    switches.currentTestId = this.isMeeting() ? test.id : undefined
    this.tried = this.cleanMs === undefined || this.suspect !== undefined ? undefined : this.todo.shift()
    if (this.tried !== undefined) this.log({ test: test.id, mutant: this.tried.mutant, state: 'started' })
    switches.activeMutant = this.tried?.mutant
    switches.hitCount = 0
    switches.hitLimit = limitOf(this.tried?.hits)
    this.isLate = false
    this.startedAt = performance.now()
  }

  /** True while a test runs for the first time, without a mutant, so that it is noted what it reaches. */
  isMeeting() {
    return this.plan.way === 'meet' && this.cleanMs === undefined
  }

  /** Notes what a test that passed reaches; gives the mutants to try in it. */
  reached(test, ms) {
    const hits = switches.mutantCoverage?.perTest[test.id] ?? {}
    this.log({ test: test.id, ms, hits })
    if (ms > this.plan.quickMs) return []
    const met = this.plan.mutants.filter((mutant) => mutant in hits && !this.caught.has(mutant))
    return met.map((mutant) => ({ mutant, hits: hits[mutant] }))
  }

  async runTask(test) {
    const run = TestRunner.getTestFn(test)
    if (this.tried === undefined) return run()
    let timer
    const late = new Promise((_resolve, reject) => {
      const ms = Math.max(TIME_MIN_MS, TIME_FACTOR * this.cleanMs)
      timer = setTimeout(() => {
        this.isLate = true
        reject(new Error(`not done within ${ms} ms`))
      }, ms)
    })
    try {
      await Promise.race([run(), late])
    } finally {
      clearTimeout(timer)
    }
  }

  onAfterRetryTask(test) {
    const ms = performance.now() - this.startedAt
    const { result } = test
    if (this.plan.way === 'whole') return
    switches.currentTestId = 'outside'
    switches.activeMutant = undefined
    const isFailed = result.state === 'fail'
    const say = (mutant, state) => this.log({ test: test.id, mutant, state, ms })
    if (this.isMeeting() && !isFailed) this.todo = this.reached(test, ms)
    if (this.tried !== undefined) {
      if (!isFailed) say(this.tried.mutant, 'passed')
      else if (this.isLate) {
        // A late result may still arrive, so this process ends.
        say(this.tried.mutant, 'caught')
        process.exit(1)
      } else this.suspect = this.tried.mutant
    } else {
      if (this.suspect !== undefined) say(this.suspect, isFailed ? 'deferred' : 'caught')
      if (isFailed) {
        // It does not pass twice in one process, or not without the tests before it.
        for (const { mutant } of this.todo.splice(0)) say(mutant, 'deferred')
        if (this.suspect !== undefined) process.exit(1)
      } else if (this.suspect !== undefined) this.caught.add(this.suspect)
      this.suspect = undefined
      this.cleanMs ??= ms
    }
    // A failed try is followed by the next one.
    const goesOn = this.suspect !== undefined || this.todo.length > 0
    result.state = goesOn ? 'fail' : 'pass'
    result.errors = goesOn ? [{ message: 'the next try' }] : undefined
  }

  async onAfterRunTask(test) {
    super.onAfterRunTask(test)
    if (this.plan.way === 'whole' && test.result?.state === 'fail') this.finish('caught')
  }

  onAfterRunFiles(files) {
    super.onAfterRunFiles()
    if (this.plan.way === 'meet') this.log({ outside: switches.mutantCoverage?.perTest.outside ?? {} })
    if (this.plan.way === 'whole') this.finish(files.some(isFailed) ? 'caught' : 'passed')
  }

  finish(state) {
    this.log({ mutant: this.plan.mutant, state })
    if (state === 'caught') process.exit(1)
  }
}

const limitOf = (hits) => Math.max(HITS_MIN, HITS_FACTOR * (hits ?? 0))

const isFailed = (task) => task.result?.state === 'fail' || (task.tasks ?? []).some(isFailed)
