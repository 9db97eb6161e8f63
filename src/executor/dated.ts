/**
 * Owns the declarations of an ABI: declarations of features and of execution itself whose `since` is at most its
 * number.
 */
import { type Dated, ERRORS, type ErrorCode, isOfAbi, KERNEL_ERROR_NUMBERS, type ParameterDef } from '../model/index.js'
import type { ExecutableInstruction } from './contract.js'
import type { Feature } from './feature.js'
import type { Rule } from './rules.js'
import { KERNEL_RULES } from './rules.js'
import { SYSTEM_PARAMETERS } from './system-parameters.js'

type Instruction = ExecutableInstruction<unknown>

/** Declarations of execution itself. */
export interface KernelDeclarations {
  readonly rules: readonly Rule[]
  readonly parameters: readonly ParameterDef<unknown>[]
  readonly errors: readonly (readonly [code: ErrorCode, number: number])[]
}
const KERNEL: KernelDeclarations = {
  rules: KERNEL_RULES,
  parameters: SYSTEM_PARAMETERS,
  errors: KERNEL_ERROR_NUMBERS,
}

/** Declarations of execution itself in an ABI. */
export const kernelAt = (abi: number): KernelDeclarations => ({
  rules: KERNEL.rules.filter((rule) => isOfAbi(rule, abi)),
  parameters: KERNEL.parameters.filter((def) => isOfAbi(def, abi)),
  errors: KERNEL.errors.filter(([code]) => isOfAbi(ERRORS[code], abi)),
})

function instructionAt(def: Instruction, abi: number): Instruction {
  const { base, per = [] } = def.cost
  const counted = per.filter((item) => isOfAbi(item, abi))
  return counted.length === per.length ? def : { ...def, cost: { base, per: counted } }
}

/**
 * Features of an ABI, each with its declarations of that ABI. Tables, queries and policies are defined by the release.
 */
export const featuresAt = (declared: readonly Feature[], abi: number): readonly Feature[] =>
  declared
    .filter((feature) => isOfAbi(feature, abi))
    .map((feature) => {
      const own = <T extends Dated>(list: readonly T[]): readonly T[] => list.filter((one) => isOfAbi(one, abi))
      return {
        ...feature,
        instructions: own(feature.instructions).map((def) => instructionAt(def, abi)),
        events: own(feature.events),
        permissions: own(feature.permissions),
        parameters: own(feature.parameters),
        errors: Object.fromEntries(Object.entries(feature.errors).filter(([, def]) => isOfAbi(def, abi))),
        scheduled: feature.scheduled.filter(({ def }) => isOfAbi(def, abi)),
        endOfBlock: own(feature.endOfBlock),
        rules: own(feature.rules),
      }
    })

/** Declaration with an optional `since`, and its name. */
type NamedDated = readonly [what: string, declared: Dated]

const rulesNamed = (rules: readonly Rule[]): readonly NamedDated[] => rules.map((rule) => [`rule "${rule.text}"`, rule])
const parametersNamed = (parameters: readonly ParameterDef<unknown>[]): readonly NamedDated[] =>
  parameters.map((def) => [`parameter ${def.name}`, def])

const datedOf = (feature: Feature): readonly NamedDated[] => [
  [`feature ${feature.name}`, feature],
  ...feature.instructions.flatMap((def): readonly NamedDated[] => [
    [`instruction ${def.kind}`, def],
    ...(def.cost.per ?? []).map((item) => [`cost of ${def.kind} per ${item.item}`, item] as const),
  ]),
  ...feature.events.map((def) => [`event ${def.kind}`, def] as const),
  ...feature.permissions.map((def) => [`permission ${def.name}`, def] as const),
  ...parametersNamed(feature.parameters),
  ...Object.entries(feature.errors).map(([code, def]) => [`error ${code}`, def] as const),
  ...feature.scheduled.map(({ def }) => [`run ${def.kind}`, def] as const),
  ...feature.endOfBlock.map((hook) => [`end of block of ${hook.feature}`, hook] as const),
  ...rulesNamed(feature.rules),
]

/** All dated declarations: those of the executor and those of the given features. */
export const allDated = (declared: readonly Feature[]): readonly NamedDated[] => [
  ...rulesNamed(KERNEL.rules),
  ...parametersNamed(KERNEL.parameters),
  ...KERNEL.errors.map(([code]) => [`error ${code}`, ERRORS[code]] as const),
  ...declared.flatMap(datedOf),
]
