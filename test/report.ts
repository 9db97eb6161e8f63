/** Owns the machine-readable result of a run of the test runner, which `scripts/test.mjs` reads. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Reporter, SerializedError, TestCase, TestModule } from 'vitest/node'
import { BUDGET } from './budget.js'
import { type ProjectName, SUITE } from './suites.mjs'

/** Result of one test file. */
export interface FileReport {
  readonly project: string
  /** Path in the repository. */
  readonly file: string
  readonly passed: number
  /** Failed tests, or 1 if the file itself failed. */
  readonly failed: number
  readonly skipped: readonly { readonly name: string; readonly reason: string }[]
  readonly wallSeconds: number
  readonly cpuSeconds: number
}

/** Result of a run. */
export interface RunReport {
  readonly files: readonly FileReport[]
  /** Processor time of each project beside its budget, in seconds. */
  readonly projects: readonly { readonly name: string; readonly cpuSeconds: number; readonly budgetSeconds: number }[]
  /** Errors outside of any test. */
  readonly unhandled: number
}

/** Reason of a test that is skipped without one. */
const UNKNOWN = 'no reason given'

/** Why a test was skipped: by what it needs (`test/support/needs.ts`), or by the note of the test itself. */
function reasonOf(test: TestCase): string {
  const result = test.result()
  const note = result.state === 'skipped' ? result.note : undefined
  return test.meta().skippedBecause ?? note ?? UNKNOWN
}

const seconds = (ms: number): number => Math.round(ms) / 1_000

function reportOf(module: TestModule): FileReport {
  const tests = [...module.children.allTests()]
  const inState = (state: string) => tests.filter((test) => test.result().state === state)
  const failed = inState('failed').length
  const { duration, collectDuration } = module.diagnostic()
  return {
    project: module.project.name,
    file: module.relativeModuleId,
    passed: inState('passed').length,
    failed: failed === 0 && module.state() === 'failed' ? 1 : failed,
    skipped: inState('skipped').map((test) => ({ name: test.fullName, reason: reasonOf(test) })),
    wallSeconds: seconds(duration + collectDuration),
    cpuSeconds: seconds((module.meta().cpuSeconds ?? 0) * 1_000),
  }
}

/** Writes the report of a run to a file. */
export class ReportToFile implements Reporter {
  constructor(private readonly path: string) {}

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const files = modules.map(reportOf)
    const projects = [...new Set(files.map(({ project }) => project))].map((name) => {
      const own = files.filter(({ project }) => project === name)
      const cpuSeconds = own.reduce((sum, file) => sum + file.cpuSeconds, 0)
      return { name, cpuSeconds: seconds(cpuSeconds * 1_000), budgetSeconds: BUDGET[SUITE][name as ProjectName] }
    })
    const report: RunReport = { files, projects, unhandled: unhandled.length }
    mkdirSync(dirname(this.path), { recursive: true })
    writeFileSync(this.path, `${JSON.stringify(report, null, 2)}\n`)
  }
}
