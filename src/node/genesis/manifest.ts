/** Owns the genesis manifest: the readable JSON form of a signed genesis, validated with all its faults. */
import { dirname, resolve } from 'node:path'
import type { CodecContext, CodecFault, Json } from '../../codec/index.js'
import { isJsonList, isJsonObject } from '../../codec/schema.js'
import { isAcceptableEd25519Key, parsePublicKey } from '../../crypto/index.js'
import type { Abi } from '../../executor/index.js'
import {
  anyInstruction,
  type ConsensusMode,
  DEFAULT_ADDRESS_PREFIX,
  type GenesisPayload,
  type Instruction,
  keyString,
  LedgerError,
  MANIFEST_FIELDS,
  newChainFault,
  type Peer,
} from '../../model/index.js'
import { nearest } from '../config/index.js'
import { Faults, fieldsOf, type JsonFile, parseJsonFile, readBytes } from './json-file.js'
import { ledgerObjects } from './objects.js'
import { checkPeers, readTopology } from './topology.js'

const fieldsBy = ({ genesis }: Abi): string[] => [...MANIFEST_FIELDS, ...genesis.map(({ section }) => section)]
const PREFIX = /^[a-z][a-z0-9]{0,15}$/
const PLACEHOLDER = /\{\{[^{}]*\}\}/
/** Upper bound of a plausible genesis time, in ms since the Unix epoch: year 3000. */
const TIME_MAX_MS = 32_503_680_000_000

/** Inputs of a genesis besides its manifest. */
export interface ManifestOptions {
  readonly abi: Abi
  /** Time of genesis if the manifest has none, in ms since the Unix epoch. */
  readonly nowMs: number
}

function textField(value: Json | undefined, path: string, faults: Faults): string {
  if (typeof value === 'string' && value !== '') return value
  faults.add(path, value === undefined ? 'is required' : 'expected a text')
  return ''
}

/** Unfilled placeholders, each once: reported instead of the faults that they would cause. */
function placeholders(value: Json, path: string, faults: Faults, seen: Set<string>): void {
  if (typeof value === 'string') {
    const found = PLACEHOLDER.exec(value)?.[0]
    if (found === undefined || seen.has(found)) return
    seen.add(found)
    faults.add(path, `${found} is a placeholder without a value: see \`causeway genesis create --help\``)
  } else if (isJsonList(value)) {
    for (const [index, item] of value.entries()) placeholders(item, `${path}[${index}]`, faults, seen)
  } else if (isJsonObject(value)) {
    for (const [key, item] of Object.entries(value)) {
      placeholders(item, path === '' ? key : `${path}.${key}`, faults, seen)
    }
  }
}

function genesisKeyOf(value: Json | undefined, faults: Faults): string {
  const key = typeof value === 'string' ? parsePublicKey(value) : undefined
  if (key?.algorithm === 'ed25519' && isAcceptableEd25519Key(key.bytes)) return keyString(key.bytes)
  faults.add('genesis_key', 'expected the Ed25519 public key (ed0120...) that signs the genesis')
  return ''
}

function parametersOf(value: Json | undefined, abi: Abi, codec: CodecContext, faults: Faults): Map<string, Uint8Array> {
  const found = new Map<string, Uint8Array>()
  const known = abi.parameters.map((def) => def.name)
  if (value === undefined) return found
  if (!isJsonObject(value)) {
    faults.add('parameters', 'expected an object of parameter names and values')
    return found
  }
  for (const [key, json] of Object.entries(value)) {
    const path = `parameters.${key}`
    const def = abi.parameters.find((one) => one.name === key)
    if (def === undefined) {
      const guess = nearest(key, known)
      faults.add(path, `unknown parameter${guess === undefined ? '' : `; did you mean ${guess}?`}`)
      continue
    }
    const decoded = def.schema.fromJson(json, codec)
    const wrong = decoded.ok ? def.check?.(decoded.value) : decoded.fault.message
    if (wrong !== undefined) faults.add(path, wrong)
    else if (decoded.ok) found.set(key, def.schema.encode(decoded.value))
  }
  return found
}

/** Add the faults of a manifest record at `path`. */
function addFaults(faults: Faults, path: string, { also = [], ...first }: CodecFault): void {
  for (const { path: inner = '', message } of [first, ...also]) {
    faults.add(inner === '' || inner.startsWith('[') ? `${path}${inner}` : `${path}.${inner}`, message)
  }
}

/** Instructions of feature sections that genesis runs before all others, or after them. */
function sectionInstructions(
  fields: Readonly<Record<string, Json>>,
  { genesis }: Abi,
  codec: CodecContext,
  { isLast, faults }: { readonly isLast: boolean; readonly faults: Faults },
): Instruction[] {
  return genesis.flatMap(({ section, schema, instructionsOf, runsLast = false }) => {
    const value = fields[section]
    if (value === undefined || runsLast !== isLast) return []
    const decoded = schema.fromJson(value, codec)
    if (decoded.ok) return instructionsOf(decoded.value)
    addFaults(faults, section, decoded.fault)
    return []
  })
}

function instructionsOf(value: Json | undefined, codec: CodecContext, faults: Faults): Instruction[] {
  if (value === undefined) return []
  if (!Array.isArray(value)) {
    faults.add('instructions', 'expected a list of instructions')
    return []
  }
  return value.flatMap((item: Json, index) => {
    const decoded = anyInstruction.fromJson(ledgerObjects(item, codec.addressPrefix), codec)
    if (decoded.ok) return [decoded.value]
    addFaults(faults, `instructions[${index}]`, decoded.fault)
    return []
  })
}

async function peersOf(value: Json | undefined, source: JsonFile, faults: Faults): Promise<Peer[]> {
  if (typeof value !== 'string') return (await checkPeers(value, 'topology', faults)).map((one) => one.peer)
  const file = resolve(dirname(source.file), value)
  try {
    return (await readTopology(file)).map((one) => one.peer)
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error
    faults.add('topology', error.message)
    return []
  }
}

function timeOf(value: Json | undefined, nowMs: number, faults: Faults): number {
  if (value === undefined || value === null) return nowMs
  if (typeof value === 'number' && value >= 0 && value < TIME_MAX_MS) return value
  faults.add('created_at_ms', 'expected milliseconds since the Unix epoch')
  return nowMs
}

/** Convert a parsed manifest to the genesis payload; throws `genesis_invalid` with every fault. */
async function payloadOf(source: JsonFile, options: ManifestOptions): Promise<GenesisPayload> {
  const { abi, nowMs } = options
  const faults = new Faults(source)
  placeholders(source.value, '', faults, new Set())
  faults.throwIfAny('genesis_invalid')
  const fields = fieldsOf(source.value, '', fieldsBy(abi), faults)
  faults.throwIfAny('genesis_invalid')
  if (fields === undefined) throw new Error('an object without fields passed its check')
  const chain = textField(fields.chain, 'chain', faults)
  const chainFault = chain === '' ? undefined : newChainFault(chain)
  if (chainFault !== undefined) faults.add('chain', chainFault)
  const addressPrefix = fields.address_prefix ?? DEFAULT_ADDRESS_PREFIX
  if (typeof addressPrefix !== 'string' || !PREFIX.test(addressPrefix)) {
    faults.add('address_prefix', 'expected 1 to 16 lower-case letters and digits, a letter first')
  }
  const prefix = String(addressPrefix)
  const mode = fields.consensus_mode ?? 'permissioned'
  if (mode !== 'permissioned' && mode !== 'npos') faults.add('consensus_mode', 'expected "permissioned" or "npos"')
  if (mode === 'npos' && abi.policies.election === undefined) {
    faults.add('consensus_mode', `ABI ${abi.number} does not support elected validators`)
  }
  const features = fields.features === undefined ? {} : fieldsOf(fields.features, 'features', [], faults)
  const payload: GenesisPayload = {
    chain,
    addressPrefix: prefix,
    consensusMode: mode as ConsensusMode,
    createdAtMs: timeOf(fields.created_at_ms, nowMs, faults),
    genesisKey: genesisKeyOf(fields.genesis_key, faults),
    abi: abi.number,
    parameters: parametersOf(fields.parameters, abi, abi.codec(prefix), faults),
    topology: await peersOf(fields.topology, source, faults),
    instructions: [
      ...sectionInstructions(fields, abi, abi.codec(prefix), { isLast: false, faults }),
      ...instructionsOf(fields.instructions, abi.codec(prefix), faults),
      ...sectionInstructions(fields, abi, abi.codec(prefix), { isLast: true, faults }),
    ],
    features: new Map(Object.keys(features ?? {}).map((key) => [key, new Uint8Array()])),
  }
  faults.throwIfAny('genesis_invalid')
  return payload
}

/** Parse the text of a manifest; the topology path is relative to `file`. Throws `genesis_invalid` with every fault. */
export const parseManifest = (text: string, file: string, options: ManifestOptions): Promise<GenesisPayload> =>
  payloadOf(parseJsonFile(text, file, 'genesis_invalid'), options)

/** Read a manifest file; throws also `file_missing` and `file_unreadable`. */
export const readManifest = async (file: string, options: ManifestOptions): Promise<GenesisPayload> =>
  parseManifest((await readBytes(file)).toString('utf8'), file, options)
