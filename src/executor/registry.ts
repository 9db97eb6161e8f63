/** Owns the registry of one ABI: everything that a list of features adds, by id and by name, and its hash. */

import { type CodecContext, openRegistry } from '../codec/index.js'
import { hash } from '../crypto/index.js'
import {
  type ErrorCode,
  EVENT_REGISTRY,
  type EventDef,
  INSTRUCTION_REGISTRY,
  type Instruction,
  MANIFEST_FIELDS,
  numbersOf,
  type ParameterDef,
} from '../model/index.js'
import { type ExecutableInstruction, type Policies, registryEntry } from './contract.js'
import { costText, type Standing, systemCostLines, teuOf, workMsOf, workText } from './costs.js'
import { featuresAt, type KernelDeclarations, kernelAt } from './dated.js'
import type { Feature, FeatureHook, FeatureRun, GenesisSection } from './feature.js'
import { objectOf, type Permission } from './permission.js'
import type { Answerable } from './reads.js'
import type { Rule } from './rules.js'
import { END_OF_BLOCK_TEU_MAX, shareLine } from './shares.js'
import { SYSTEM_TABLES } from './tables.js'

/** Version of the ledger-visible interface. */
export interface Abi {
  readonly number: number
  readonly hash: Buffer
  readonly features: readonly Feature[]
  /** Hash per feature, which the handshake compares to name a differing feature. */
  readonly featureHashes: ReadonlyMap<string, Buffer>
  readonly instructions: ReadonlyMap<string, ExecutableInstruction<unknown>>
  readonly queries: ReadonlyMap<string, Answerable<unknown, unknown>>
  readonly permissions: ReadonlyMap<string, Permission>
  readonly parameters: readonly ParameterDef<unknown>[]
  readonly errorNumbers: ReadonlyMap<ErrorCode, number>
  readonly errorNames: ReadonlyMap<number, ErrorCode>
  readonly events: ReadonlyMap<string, EventDef<unknown>>
  readonly eventSubjects: ReadonlyMap<string, ReadonlyMap<string, number>>
  /** Kinds of due runs, each with its feature. */
  readonly scheduled: ReadonlyMap<string, FeatureRun>
  /** Ends of blocks, by feature name. */
  readonly endOfBlock: readonly FeatureHook[]
  readonly policies: Policies
  /** Rules of this ABI, including rules of earlier ABIs. */
  readonly rules: ReadonlySet<Rule>
  /** Sections of the genesis manifest, ordered by name. */
  readonly genesis: readonly GenesisSection<unknown>[]
  /** Static cost of instructions in TEU, without signatures. */
  costOf(instructions: readonly Instruction[], standing: Standing): number
  /** Declared work of instructions beside their cost, in ms. */
  workMsOf(instructions: readonly Instruction[]): number
  /** Work counted by the instructions themselves, in units of 10 ns. */
  workUnitsOf(instructions: readonly Instruction[]): number
  /** Proof work of instructions, in proof units. */
  proofWorkOf(instructions: readonly Instruction[]): number
  /** Registries for the codec; `addressPrefix` is the prefix of the chain. */
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

const hashLines = (tag: string, lines: readonly string[]): Buffer => hash(tag, Buffer.from(lines.join('\n'), 'utf8'))

/** Parameter with its default, which decides like a stored value until one is set. */
function parameterLine({ name, schema, fallback, activationDelay }: ParameterDef<unknown>): string {
  return `parameter ${name} ${schema.hash.toString('hex')} ${activationDelay} ${schema.encode(fallback).toString('hex')}`
}

const ruleLines = (rules: readonly Rule[]): readonly string[] => rules.map(({ text }) => `rule ${text}`).sort()

const errorLine = ([code, number]: readonly [ErrorCode, number]): string => `error ${number} ${code}`

/**
 * Hash of the parts of execution itself: its rules, parameters, errors, and the units of signatures, records, rows,
 * events and runs.
 */
const systemHash = ({ rules, parameters, errors }: KernelDeclarations): Buffer =>
  hashLines('abi-system', [
    ...ruleLines(rules),
    ...systemCostLines(),
    shareLine,
    ...parameters.map(parameterLine),
    ...errors.map(errorLine),
  ])

const byId = <T extends { readonly id: number }>(defs: readonly T[]): T[] => [...defs].sort((a, b) => a.id - b.id)
const byName = <T extends { readonly name: string }>(defs: readonly T[]): T[] =>
  [...defs].sort((a, b) => (a.name < b.name ? -1 : 1))

const byKind = <T extends { readonly kind: string }>(defs: readonly T[]): T[] =>
  [...defs].sort((a, b) => (a.kind < b.kind ? -1 : 1))
const byFeature = (hooks: readonly FeatureHook[]): FeatureHook[] =>
  [...hooks].sort((a, b) => (a.feature < b.feature ? -1 : 1))

/** Hash over ids and names in order; the order of declarations does not matter. */
function featureHash(feature: Feature): Buffer {
  const lines = [
    `feature ${feature.name} ${feature.version}`,
    ...byId(feature.instructions).map(
      (def) =>
        `instruction ${def.id} ${def.kind} ${def.label} ${def.schema.hash.toString('hex')} cost ${costText(def.cost)}` +
        (def.work === undefined ? '' : ` work ${workText(def.work)}`) +
        (def.proofWork === undefined ? '' : ` proof work ${def.proofWork.item}`),
    ),
    ...byId(feature.events).map(
      (def) => `event ${def.id} ${def.kind} ${def.subject ?? '-'} ${def.schema.hash.toString('hex')}`,
    ),
    ...byName(feature.permissions).map((def) => `permission ${def.name} ${objectOf(def)}`),
    ...byName(feature.parameters).map(parameterLine),
    ...numbersOf(feature.errors).map(errorLine),
    ...byKind(feature.scheduled.map(({ def }) => def)).map(
      ({ kind, key, paidBy, teu, maxTeu }) => `run ${kind} ${key.hash.toString('hex')} ${paidBy} ${teu} ${maxTeu}`,
    ),
    ...byFeature(feature.endOfBlock).map(({ feature: name, maxTeu }) => `end of block ${name} ${maxTeu}`),
    ...ruleLines(feature.rules),
  ]
  return hashLines('feature', lines)
}

/** Event kinds and their numbers by trigger subject. */
function subjectsOf(events: readonly EventDef<unknown>[]): Map<string, ReadonlyMap<string, number>> {
  const subjects = new Map<string, Map<string, number>>()
  for (const { id, subject, kind } of events) {
    if (subject === undefined) continue
    const kinds = subjects.get(subject)
    if (kinds === undefined) subjects.set(subject, new Map([[kind, id]]))
    else kinds.set(kind, id)
  }
  return subjects
}

/** Parts of one feature of the ABI, ordered by ids and names. */
function joined(name: string, parts: readonly Feature[]): Feature {
  const versions = new Set(parts.map(({ version }) => version))
  const [version = 0] = versions
  if (versions.size > 1) throw new Error(`the parts of feature ${name} have different versions`)
  return {
    name,
    version,
    tables: byId(parts.flatMap(({ tables }) => tables)),
    instructions: byId(parts.flatMap(({ instructions }) => instructions)),
    queries: byId(parts.flatMap(({ queries }) => queries)),
    events: byId(parts.flatMap(({ events }) => events)),
    permissions: byName(parts.flatMap(({ permissions }) => permissions)),
    parameters: byName(parts.flatMap(({ parameters }) => parameters)),
    errors: Object.fromEntries(
      unique(
        'error name',
        parts.flatMap(({ errors }) => Object.entries(errors)),
      ),
    ),
    scheduled: parts.flatMap(({ scheduled }) => scheduled),
    endOfBlock: parts.flatMap(({ endOfBlock }) => endOfBlock),
    policies: policiesOf(parts),
    rules: parts.flatMap(({ rules }) => rules),
    genesis: parts.flatMap(({ genesis }) => genesis),
    indexes: parts.flatMap(({ indexes }) => indexes),
    history: parts.flatMap(({ history }) => history),
    selfChecks: parts.flatMap(({ selfChecks }) => selfChecks),
  }
}

/** Ends of blocks by feature name; throws if they declare more units than a block has for them. */
function endsOfBlock(features: readonly Feature[]): readonly FeatureHook[] {
  const hooks = byFeature(features.flatMap(({ endOfBlock }) => endOfBlock))
  const sum = hooks.reduce((teu, { maxTeu }) => teu + maxTeu, 0)
  if (sum > END_OF_BLOCK_TEU_MAX) {
    throw new Error(`the ends of blocks declare ${sum} units, at most ${END_OF_BLOCK_TEU_MAX} are allowed`)
  }
  return hooks
}

/** Features by ABI name, with their parts joined. */
function featuresOf(declared: readonly Feature[]): readonly Feature[] {
  const parts = new Map<string, Feature[]>()
  for (const feature of declared) {
    const { name, abi = name } = feature
    parts.set(abi, [...(parts.get(abi) ?? []), feature])
  }
  return [...parts].map(([name, of]) => joined(name, of))
}

/** Policies of all features, each with at most one provider. */
function policiesOf(features: readonly Feature[]): Policies {
  const providers = unique(
    'policy',
    features.flatMap(({ policies }) => Object.entries(policies)),
  )
  return Object.fromEntries(providers)
}

/** Sections of the genesis manifest, ordered by name. */
function sectionsOf(features: readonly Feature[]): readonly GenesisSection<unknown>[] {
  const sections = unique(
    'genesis section',
    features.flatMap(({ genesis }) => genesis.map((one) => [one.section, one] as const)),
  )
  for (const name of MANIFEST_FIELDS) {
    if (sections.has(name)) throw new Error(`the genesis section ${name} has the name of a field of every manifest`)
  }
  return [...sections.values()].sort((a, b) => (a.section < b.section ? -1 : 1))
}

/** Sums over the instructions of a list, by their definitions in the ABI. */
const SUMS: Pick<Abi, 'costOf' | 'workMsOf' | 'workUnitsOf' | 'proofWorkOf'> & ThisType<Abi> = {
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
  workUnitsOf(list) {
    let units = 0
    for (const one of list) units += definitionOf(this, one).work?.units?.count(one.value) ?? 0
    return units
  },
  proofWorkOf(list) {
    let units = 0
    for (const one of list) units += definitionOf(this, one).proofWork?.count(one.value) ?? 0
    return units
  },
}

/** Compose the ABI of a number from the declarations of features; throws on duplicate ids, names, labels and tables. */
export function composeAbi(number: number, declared: readonly Feature[]): Abi {
  unique(
    'feature name',
    declared.map((feature) => [feature.name, feature]),
  )
  const features = featuresOf(featuresAt(declared, number))
  const kernel = kernelAt(number)
  const rules = [...kernel.rules, ...features.flatMap((feature) => feature.rules)]
  unique(
    'rule',
    rules.map((rule) => [rule.text, rule]),
  )
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
  const errors = [...kernel.errors, ...features.flatMap((feature) => numbersOf(feature.errors))]
  const parameters = [...kernel.parameters, ...features.flatMap((feature) => feature.parameters)]
  unique(
    'parameter',
    parameters.map((def) => [def.name, def]),
  )
  const featureHashes = new Map(byName(features).map((feature) => [feature.name, featureHash(feature)]))
  const registries = {
    [INSTRUCTION_REGISTRY]: openRegistry(INSTRUCTION_REGISTRY, instructions.map(registryEntry)),
    [EVENT_REGISTRY]: openRegistry(EVENT_REGISTRY, events.map(registryEntry)),
  }
  const contexts = new Map<string, CodecContext>()
  const instructionsByKind = unique(
    'instruction',
    instructions.map((def) => [def.kind, def]),
  )
  return {
    number,
    hash: hash('abi', Buffer.from(String(number)), systemHash(kernel), ...featureHashes.values()),
    features,
    featureHashes,
    instructions: instructionsByKind,
    events: unique(
      'event',
      events.map((def) => [def.kind, def]),
    ),
    eventSubjects: subjectsOf(events),
    scheduled: unique(
      'kind of runs',
      features.flatMap(({ scheduled }) => scheduled.map((run) => [run.def.kind, run] as const)),
    ),
    endOfBlock: endsOfBlock(features),
    policies: policiesOf(features),
    rules: new Set(rules),
    genesis: sectionsOf(features),
    ...SUMS,
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

/** Definition of an instruction of the ABI; it exists for every decoded instruction. */
export function definitionOf(abi: Abi, instruction: Instruction): ExecutableInstruction<unknown> {
  const def = abi.instructions.get(instruction.kind)
  if (def === undefined) throw new Error(`instruction ${instruction.kind} was decoded but is not in ABI ${abi.number}`)
  return def
}
