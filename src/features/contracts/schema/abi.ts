/** Owns the gas of host functions, and the ABI of contracts: the guaranteed interface of a module. */

import { profileHash } from '../../../vm/index.js'
import { GAS_PER_TEU } from './parameters.js'
import * as records from './records.js'

/** Gas of host functions in addition to the gas of opcodes; bytes are counted in and out. */
export const HOST_GAS = {
  call: 20,
  /** For `context`, whose values are mostly computed on request. */
  context: 20,
  bytesPerUnit: 8,
  stateRead: 500,
  /** Set so that a block full of writes changes fewer rows than a block full of transfer batches. */
  stateWrite: 1_200,
  perStateByte: 2,
  /** Includes its rows in the indexes of nodes, and the lookup of triggers. */
  event: 1_000,
  perEventByte: 2,
  hash: 200,
  hashBytesPerUnit: 4,
  /** High because Keccak-256 has no fast implementation on some platforms. */
  keccak: 700,
  keccakPerByte: 5,
  verifyEd25519: 12_000,
  verifySecp256k1: 50_000,
  /** Per byte of an executed instruction, paid in advance: decoding JSON takes 50 ns per byte. */
  instructionByte: 5,
  /** Per byte of metadata that is read: it may be undecoded JSON, at up to 150 ns per byte. */
  metadataByte: 8,
  /**
   * Arithmetic: base cost, and cost per byte of its operands, since long operands take ten times as long as amounts of
   * money.
   */
  num: 100,
  numByte: 10,
  query: 1_500,
  contractCall: 2_000,
  /** Per asset attached to a nested call, which moves it and writes its rows. */
  attached: 8_000,
  /** Per byte of the manifest of the called contract, which is read before anything runs. */
  manifestByte: 2,
} as const

/** Bounds of records, ordered by name: the order of a module's exports differs between loaders. */
const boundLines = (): string[] =>
  Object.entries(records)
    .flatMap(([name, value]) => (typeof value === 'number' ? [`bound ${name} ${value}`] : []))
    .sort()

/** Version of the ABI of contracts; its hash covers all parts. */
export const CONTRACT_ABI_VERSION = 1
export const CONTRACT_ABI_HASH: Buffer = profileHash([
  ...Object.entries(HOST_GAS).map(([name, gas]) => `host gas ${name} ${gas}`),
  `teu ${GAS_PER_TEU}`,
  ...boundLines(),
])
