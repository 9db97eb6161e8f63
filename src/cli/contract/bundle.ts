/** Owns bundles of contracts on the command line: steps of a file as the instructions of one transaction. */
import type { Json } from '../../codec/index.js'
import { instructions } from '../../features/contracts/schema/instructions.js'
import { type Instruction, LedgerError } from '../../model/index.js'
import type { Settings } from '../settings/settings.js'
import type { Signing } from '../transaction/submit.js'
import { callInstruction } from './call.js'
import { deployInstructions } from './deployment.js'

/** Maximum steps of a bundle. */
const STEPS_MAX = 16

type Fields = { readonly [field: string]: Json }

function fault(where: string, message: string): never {
  throw new LedgerError('bad_value', `${where}: ${message}`, {
    hint: 'A step has deploy (a folder), call (a contract) or bind (an alias); `causeway contract bundle --help` shows them.',
  })
}

class Step {
  constructor(
    private readonly fields: Fields,
    private readonly where: string,
  ) {}
  has(name: string): boolean {
    return this.fields[name] !== undefined
  }
  only(...names: readonly string[]): void {
    const other = Object.keys(this.fields).find((name) => !names.includes(name))
    if (other !== undefined) fault(this.where, `unknown field ${other}`)
  }
  text(name: string): string {
    const value = this.fields[name]
    return typeof value === 'string' ? value : fault(this.where, `${name} must be a text`)
  }
  maybe(name: string): string | undefined {
    return this.has(name) ? this.text(name) : undefined
  }
  gas(): number | undefined {
    const value = this.fields['gas']
    if (value === undefined) return undefined
    return typeof value === 'number' && Number.isSafeInteger(value) && value > 0
      ? value
      : fault(this.where, 'gas must be a whole number')
  }
  isSet(name: string): boolean {
    const value = this.fields[name] ?? false
    return typeof value === 'boolean' ? value : fault(this.where, `${name} must be true or false`)
  }
  args(): string {
    return JSON.stringify(this.fields['args'] ?? {})
  }
  attach(): string[] {
    const value = this.fields['attach'] ?? {}
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return fault(this.where, 'attach must be an object')
    return Object.entries(value).map(([asset, amount]) =>
      typeof amount === 'string' ? `${asset}=${amount}` : fault(this.where, 'an amount must be a text such as "2.5"'),
    )
  }
}

async function instructionsOf(
  settings: Settings,
  step: Step,
  where: string,
  signing: Pick<Signing, 'read' | 'names'>,
): Promise<readonly Instruction[]> {
  if (step.has('deploy')) {
    step.only('deploy', 'alias', 'domain', 'args', 'gas', 'inherit')
    const flags = { alias: step.maybe('alias'), domain: step.maybe('domain'), args: step.args(), gas: step.gas() }
    return deployInstructions(settings, step.text('deploy'), flags, step.isSet('inherit'), signing)
  }
  if (step.has('call')) {
    step.only('call', 'entrypoint', 'args', 'gas', 'attach')
    const flags = { args: step.args(), gas: step.gas(), attach: step.attach() }
    const call = { contract: step.text('call'), entrypoint: step.text('entrypoint'), ...flags }
    return [await callInstruction(settings, call, signing)]
  }
  if (step.has('bind')) {
    step.only('bind', 'address')
    return [signing.read(instructions.bindContractAlias, { alias: step.text('bind'), address: step.text('address') })]
  }
  return fault(where, 'the step must deploy, call or bind something')
}

/** Instructions of the steps of a file, in order. */
export async function bundleInstructions(
  settings: Settings,
  file: Json,
  signing: Pick<Signing, 'read' | 'names'>,
): Promise<readonly Instruction[]> {
  if (!Array.isArray(file) || file.length === 0) fault('the bundle', 'expected a list of steps')
  if (file.length > STEPS_MAX) fault('the bundle', `${file.length} steps, but at most ${STEPS_MAX} are allowed`)
  const bundle: Instruction[] = []
  for (const [index, value] of file.entries()) {
    const where = `step ${index + 1}`
    if (typeof value !== 'object' || value === null || Array.isArray(value)) fault(where, 'expected an object')
    bundle.push(...(await instructionsOf(settings, new Step(value as Fields, where), where, signing)))
  }
  return bundle
}
