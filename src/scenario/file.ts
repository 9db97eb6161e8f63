/** Owns the scenario file: steps with a contract on an empty ledger, and their expected results. */
import { type Json, parseNumeric } from '../codec/index.js'
import { LedgerError } from '../model/errors.js'

/** Step or expectation. */
export type Step =
  | {
      readonly kind: 'call'
      readonly entrypoint: string
      readonly by: string
      readonly args: Json
      /** Amounts by asset. */
      readonly attach: readonly (readonly [asset: string, amount: string])[]
      readonly gas: number
      /** Expected result: approved, aborted with a code, or a trap or an error by name. */
      readonly aborts: number | undefined
      readonly fails: string | undefined
    }
  | {
      readonly kind: 'view'
      readonly entrypoint: string
      readonly by: string
      readonly args: Json
      readonly gives: Json
    }
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'holds'; readonly of: string; readonly asset: string; readonly amount: string }

export interface Scenario {
  readonly name: string
  /** Account that deploys the contract. */
  readonly by: string
  readonly init: Json
  /** Expected abort code of `init`; the scenario then has no steps. */
  readonly aborts: number | undefined
  readonly steps: readonly Step[]
}

const STEPS_MAX = 1_000
const SCENARIOS_MAX = 200
/** Gas of a call if the step does not set it. */
const GAS = 1_000_000
const FIRST = 'alice'

type Fields = { readonly [field: string]: Json }

class Reader {
  constructor(
    private readonly fields: Fields,
    private readonly where: string,
  ) {}
  fault(message: string): never {
    throw new LedgerError('bad_value', `${this.where}: ${message}`, {
      hint: 'docs/concepts/contracts.md shows an example of a test file.',
    })
  }
  only(...names: readonly string[]): void {
    const other = Object.keys(this.fields).find((name) => !names.includes(name))
    if (other !== undefined) this.fault(`unknown field ${other}; known fields are ${names.join(', ')}`)
  }
  has(name: string): boolean {
    return this.fields[name] !== undefined
  }
  json(name: string, fallback?: Json): Json {
    return this.fields[name] ?? fallback ?? this.fault(`${name} is missing`)
  }
  text(name: string, fallback?: string): string {
    const value = this.json(name, fallback)
    return typeof value === 'string' && value !== '' ? value : this.fault(`${name} must be a text`)
  }
  count(name: string, fallback?: number): number {
    const value = this.json(name, fallback)
    return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
      ? value
      : this.fault(`${name} must be a whole number`)
  }
  amount(value: Json | undefined): string {
    return typeof value === 'string' && parseNumeric(value) !== undefined
      ? value
      : this.fault('an amount must be a text such as "2.5"')
  }
  record(name: string): Fields {
    const value = this.json(name, {})
    return isFields(value) ? value : this.fault(`${name} must be an object`)
  }
  list(name: string, max: number): readonly Json[] {
    const value = this.json(name)
    if (!Array.isArray(value)) return this.fault(`${name} must be a list`)
    return value.length <= max ? value : this.fault(`${name} has more than ${max} entries`)
  }
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function readerOf(value: Json, where: string): Reader {
  if (isFields(value)) return new Reader(value, where)
  throw new LedgerError('bad_value', `${where}: expected an object`)
}

function stepOf(value: Json, where: string): Step {
  const reader = readerOf(value, where)
  if (reader.has('call')) {
    reader.only('call', 'by', 'args', 'attach', 'gas', 'aborts', 'fails')
    return {
      kind: 'call',
      entrypoint: reader.text('call'),
      by: reader.text('by', FIRST),
      args: reader.record('args'),
      attach: Object.entries(reader.record('attach')).map(([asset, amount]) => [asset, reader.amount(amount)] as const),
      gas: reader.count('gas', GAS),
      aborts: reader.has('aborts') ? reader.count('aborts') : undefined,
      fails: reader.has('fails') ? reader.text('fails') : undefined,
    }
  }
  if (reader.has('view')) {
    reader.only('view', 'by', 'args', 'gives')
    const [entrypoint, by] = [reader.text('view'), reader.text('by', FIRST)]
    return { kind: 'view', entrypoint, by, args: reader.record('args'), gives: reader.json('gives') }
  }
  if (reader.has('wait')) {
    reader.only('wait')
    return { kind: 'wait', ms: reader.count('wait') }
  }
  reader.only('holds', 'asset', 'amount')
  return {
    kind: 'holds',
    of: reader.text('holds'),
    asset: reader.text('asset'),
    amount: reader.amount(reader.json('amount')),
  }
}

/** Scenarios of a parsed file. Throws `bad_value` with the position of the fault. */
export function scenariosOf(file: Json): readonly Scenario[] {
  const all = readerOf(file, 'tests.json')
  all.only('tests')
  return all.list('tests', SCENARIOS_MAX).map((value, index) => {
    const reader = readerOf(value, `tests[${index}]`)
    const begun = { name: reader.text('name'), by: reader.text('by', FIRST), init: reader.record('init') }
    if (reader.has('aborts')) {
      reader.only('name', 'by', 'init', 'aborts')
      return { ...begun, aborts: reader.count('aborts'), steps: [] }
    }
    reader.only('name', 'by', 'init', 'steps')
    const steps = reader.list('steps', STEPS_MAX).map((step, at) => stepOf(step, `tests[${index}].steps[${at}]`))
    return { ...begun, aborts: undefined, steps }
  })
}
