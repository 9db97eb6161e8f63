/** Owns runs of scenarios, each on a separate ledger, and their costs. */

import type { Json } from '../codec/index.js'
import { manifest as manifestRecord } from '../features/contracts/schema/records.js'
import { LedgerError } from '../model/index.js'
import { type Scenario, scenariosOf } from './file.js'
import { ScenarioLedger } from './ledger.js'

/** Result of a scenario. */
export interface ScenarioResult {
  readonly name: string
  /** Difference from the expected result, with the number of the step; undefined if the scenario passed. */
  readonly failure: string | undefined
  readonly gas: number
}

/** Cost of an entrypoint over all scenarios. */
export interface EntrypointCost {
  readonly entrypoint: string
  readonly calls: number
  readonly leastGas: number
  readonly mostGas: number
  /** Median time of all calls, on this machine. */
  readonly micros: number
}

/** Built contract. */
export interface BuiltContract {
  readonly code: Uint8Array
  readonly manifest: Json
}

interface Sample {
  readonly entrypoint: string
  readonly gas: number
  readonly micros: number
}

function runScenario(scenario: Scenario, built: Readied, samples: Sample[]): ScenarioResult {
  const { name, steps } = scenario
  let gas = 0
  const ledger = new ScenarioLedger(built.code, built.manifest, scenario)
  const refused = ledger.deploy()
  if (refused !== undefined) return { name, failure: refused, gas }
  for (const [index, step] of steps.entries()) {
    const came = ledger.step(step)
    if (typeof came === 'string') return { name, failure: `step ${index + 1}: ${came}`, gas }
    if (came === undefined || !('entrypoint' in step)) continue
    gas += came.gas
    samples.push({ entrypoint: step.entrypoint, ...came })
  }
  return { name, failure: undefined, gas }
}

interface Readied {
  readonly code: Uint8Array
  readonly manifest: ReturnType<typeof manifestOf>
}
function manifestOf(jsonForm: Json) {
  const decoded = manifestRecord.fromJson(jsonForm)
  if (decoded.ok) return decoded.value
  throw new LedgerError(decoded.fault.code, `manifest.json: ${decoded.fault.message}`)
}

/** Run the scenarios of a file on a contract, a given number of times. */
export function runScenarios(
  { code, manifest }: BuiltContract,
  file: Json,
  rounds = 1,
): { readonly results: readonly ScenarioResult[]; readonly costs: readonly EntrypointCost[] } {
  const scenarios = scenariosOf(file)
  const built = { code, manifest: manifestOf(manifest) }
  const samples: Sample[] = []
  let results: ScenarioResult[] = []
  for (let left = rounds; left > 0; left -= 1) {
    results = scenarios.map((scenario) => runScenario(scenario, built, samples))
  }
  const byEntrypoint = new Map<string, Sample[]>()
  for (const one of samples) byEntrypoint.set(one.entrypoint, [...(byEntrypoint.get(one.entrypoint) ?? []), one])
  const costs = [...byEntrypoint].map(([entrypoint, all]) => {
    const times = all.map(({ micros }) => micros).sort((a, b) => a - b)
    const gas = all.map((one) => one.gas)
    return {
      entrypoint,
      calls: all.length,
      leastGas: Math.min(...gas),
      mostGas: Math.max(...gas),
      micros: Math.round(times[times.length >> 1] ?? 0),
    }
  })
  return { results, costs }
}
