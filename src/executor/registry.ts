/** Owns the registry of one ABI: everything that a list of features adds, by id and by name, and its hash. */
import { type CodecContext, openRegistry } from '../codec/index.js'
import { hash } from '../crypto/index.js'
import {
  type ErrorCode,
  EVENT_REGISTRY,
  INSTRUCTION_REGISTRY,
  type Instruction,
  KERNEL_ERROR_NUMBERS,
  numbersOf,
} from '../model/index.js'
import {
  type EventDef,
  type ExecutionGate,
  type Feature,
  type FeePolicy,
  type InstructionDef,
  type ParameterDef,
  type PermissionDef,
  type QueryDef,
  registryEntry,
  type WatchRule,
  type WeightRules,
} from './contract.js'
import { costText, type Standing, systemCostLines, teuOf, workMsOf, workText } from './costs.js'
import { SYSTEM_PARAMETERS } from './system-parameters.js'
import { SYSTEM_TABLES } from './tables.js'

/** One version of the ledger-visible interface. */
export interface Abi {
  readonly number: number
  readonly hash: Buffer
  readonly features: readonly Feature[]
  /** Per feature: what the handshake compares to name the one that differs. */
  readonly featureHashes: ReadonlyMap<string, Buffer>
  readonly instructions: ReadonlyMap<string, InstructionDef<never>>
  readonly queries: ReadonlyMap<string, QueryDef<never, unknown>>
  readonly permissions: ReadonlyMap<string, PermissionDef>
  readonly parameters: readonly ParameterDef<never>[]
  readonly errorNumbers: ReadonlyMap<ErrorCode, number>
  readonly errorNames: ReadonlyMap<number, ErrorCode>
  readonly events: ReadonlyMap<string, EventDef<never>>
  readonly eventFamilies: ReadonlyMap<string, ReadonlyMap<string, number>>
  readonly fees: FeePolicy | undefined
  readonly weightRules: WeightRules | undefined
  readonly executionGate: ExecutionGate | undefined
  readonly watchRule: WatchRule | undefined
  /** Static cost of instructions in TEU, without signatures. */
  costOf(instructions: readonly Instruction[], standing: Standing): number
  /** Work that instructions declare beside their cost, in ms. */
  workMsOf(instructions: readonly Instruction[]): number
  /** Registries for the codec; the address prefix is the chain's. */
  codec(addressPrefix: string): CodecContext
}

function unique<K, V>(what: string, entries: Iterable<readonly [K, V]>): Map<K, V> {
  const found = new Map<K, V>()
  for (const [key, value] of entries) {
    if (found.has(key)) throw new Error(`two features share the ${what} ${String(key)}`)
    found.set(key, value)
  }
  return found
}

/** Parameters that execution itself has, whatever the features. */
const SYSTEM = SYSTEM_PARAMETERS as unknown as readonly ParameterDef<never>[]

const hashLines = (tag: string, lines: readonly string[]): Buffer => hash(tag, Buffer.from(lines.join('\n'), 'utf8'))

/** A parameter with the value that acts while the ledger has none: it decides like the stored one. */
function parameterLine({ name, schema, fallback, actsFrom }: ParameterDef<never>): string {
  return `parameter ${name} ${schema.hash.toString('hex')} ${actsFrom} ${schema.encode(fallback).toString('hex')}`
}

const errorLine = ([code, number]: readonly [ErrorCode, number]): string => `error ${number} ${code}`

/** What execution has of its own: its parameters, its errors and the units of signatures, records, rows, events and runs. */
const systemHash = (): Buffer =>
  hashLines('abi-system', [...systemCostLines(), ...SYSTEM.map(parameterLine), ...KERNEL_ERROR_NUMBERS.map(errorLine)])

const byId = <T extends { readonly id: number }>(defs: readonly T[]): T[] => [...defs].sort((a, b) => a.id - b.id)
const byName = <T extends { readonly name: string }>(defs: readonly T[]): T[] =>
  [...defs].sort((a, b) => (a.name < b.name ? -1 : 1))

/** Over ids and names in their order: the order of declarations says nothing. */
function featureHash(feature: Feature): Buffer {
  const lines = [
    `feature ${feature.name} ${feature.version}`,
    ...byId(feature.instructions).map(
      (def) =>
        `instruction ${def.id} ${def.kind} ${def.label} ${def.schema.hash.toString('hex')} cost ${costText(def.cost)}` +
        (def.work === undefined ? '' : ` work ${workText(def.work)}`),
    ),
    ...byId(feature.events).map(
      (def) => `event ${def.id} ${def.kind} ${def.family ?? '-'} ${def.schema.hash.toString('hex')}`,
    ),
    ...byName(feature.permissions).map((def) => `permission ${def.name} ${def.object}`),
    ...byName(feature.parameters).map(parameterLine),
    ...numbersOf(feature.errors).map(errorLine),
  ]
  return hashLines('feature', lines)
}

/** Kinds of events and their numbers by the family that triggers name. */
function familiesOf(events: readonly EventDef<never>[]): Map<string, ReadonlyMap<string, number>> {
  const families = new Map<string, Map<string, number>>()
  for (const { id, family, kind } of events) {
    if (family === undefined) continue
    const kinds = families.get(family)
    if (kinds === undefined) families.set(family, new Map([[kind, id]]))
    else kinds.set(kind, id)
  }
  return families
}

/** A rule that one feature has at most; undefined: nobody asks. */
function policyOf<K extends 'fees' | 'weightRules' | 'executionGate' | 'watchRule'>(
  features: readonly Feature[],
  name: K,
): Feature[K] {
  const [provider, second] = features.filter((feature) => feature[name] !== undefined)
  if (second !== undefined) throw new Error(`${provider?.name} and ${second.name} both provide ${name}`)
  return provider?.[name]
}

const isUnformed = (def: PermissionDef): boolean => (def.object === 'none') !== (def.isObject === undefined)

/** Composes features into an ABI; refuses shared ids, names, labels and tables. */
export function composeAbi(number: number, features: readonly Feature[]): Abi {
  const instructions = features.flatMap((feature) => feature.instructions)
  const events = features.flatMap((feature) => feature.events)
  unique(
    'table',
    [...SYSTEM_TABLES, ...features.flatMap((feature) => feature.tables)].map((table) => [table.id, table.name]),
  )
  unique(
    'label',
    instructions.map((def) => [def.label, def.kind]),
  )
  const errors = [...KERNEL_ERROR_NUMBERS, ...features.flatMap((feature) => numbersOf(feature.errors))]
  const parameters = [...SYSTEM, ...features.flatMap((feature) => feature.parameters)]
  unique(
    'parameter',
    parameters.map((def) => [def.name, def]),
  )
  const featureHashes = unique(
    'feature name',
    byName(features).map((feature) => [feature.name, featureHash(feature)]),
  )
  const registries = {
    [INSTRUCTION_REGISTRY]: openRegistry(INSTRUCTION_REGISTRY, instructions.map(registryEntry)),
    [EVENT_REGISTRY]: openRegistry(EVENT_REGISTRY, events.map(registryEntry)),
  }
  const contexts = new Map<string, CodecContext>()
  const byKind = unique(
    'instruction',
    instructions.map((def) => [def.kind, def]),
  )
  const unformed = features.flatMap((feature) => feature.permissions).find(isUnformed)
  if (unformed !== undefined) throw new Error(`permission ${unformed.name} does not say what texts name its object`)
  return {
    number,
    hash: hash('abi', Buffer.from(String(number)), systemHash(), ...featureHashes.values()),
    features,
    featureHashes,
    instructions: byKind,
    events: unique(
      'event',
      events.map((def) => [def.kind, def]),
    ),
    eventFamilies: familiesOf(events),
    fees: policyOf(features, 'fees'),
    weightRules: policyOf(features, 'weightRules'),
    executionGate: policyOf(features, 'executionGate'),
    watchRule: policyOf(features, 'watchRule'),
    costOf(list, standing) {
      let teu = 0
      for (const one of list) teu += teuOf(definitionOf(this, one).cost, one.value, standing)
      return teu
    },
    workMsOf(list) {
      let ms = 0
      for (const one of list) {
        const { work } = definitionOf(this, one)
        if (work !== undefined) ms += workMsOf(work, one.value)
      }
      return ms
    },
    queries: unique(
      'query',
      features.flatMap((feature) => feature.queries).map((def) => [def.kind, def]),
    ),
    permissions: unique(
      'permission',
      features.flatMap((feature) => feature.permissions).map((def) => [def.name, def]),
    ),
    parameters,
    errorNumbers: unique('error name', errors),
    errorNames: unique(
      'error code',
      errors.map(([code, number]) => [number, code]),
    ),
    codec(addressPrefix) {
      let context = contexts.get(addressPrefix)
      if (context === undefined) {
        context = { registries, addressPrefix }
        contexts.set(addressPrefix, context)
      }
      return context
    },
  }
}

/** Definition of an instruction of the ABI; one that decoded is always there. */
export function definitionOf(abi: Abi, instruction: Instruction): InstructionDef<unknown> {
  const def = abi.instructions.get(instruction.kind)
  if (def === undefined) throw new Error(`instruction ${instruction.kind} decoded but is not in ABI ${abi.number}`)
  return def as unknown as InstructionDef<unknown>
}
