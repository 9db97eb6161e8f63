/**
 * Owns the self-check of the machine: modules of a release with their results. A process with other results must not
 * execute blocks. The check also warms up validation and interpreter.
 */
import { hash } from '../crypto/index.js'
import { HOST_FUNCTIONS } from './host.js'
import { Instance } from './instance.js'
import { checkModule } from './loaded.js'
import { Machine } from './running.js'
import { trapName } from './traps.js'
import { VECTORS } from './vector-pack.js'

/** Module in base64, the gas of a call of its `main`, and the result (`vectorOutcome`). */
export type Vector = readonly [code: string, gas: number, outcome: string]

/**
 * Number of bytes at the beginning of the memory that a digest covers, which contain data segments and small addresses.
 */
const DIGEST_BYTES = 8 * 1024
/** Digits of a digest, enough to distinguish two machines. */
const DIGEST_DIGITS = 16

const words = (values: Int32Array): Uint8Array => {
  const bytes = Buffer.alloc(4 * values.length)
  for (const [index, value] of values.entries()) bytes.writeInt32LE(value, 4 * index)
  return bytes
}

/**
 * Run `main` of a module with a host whose results depend on its arguments; returns the trap, the remaining gas and a
 * digest of its actions.
 */
export function vectorOutcome(code: Uint8Array, gas: number, machine = new Machine()): string {
  const module = checkModule(code)
  const asked: Uint8Array[] = []
  const instance = new Instance(module, machine, gas, (_, place, first) => {
    const args = machine.lo.slice(first, first + (HOST_FUNCTIONS[place]?.params ?? 0))
    asked.push(Buffer.of(place), words(args))
    return (args[0] ?? 0) ^ asked.length
  })
  const trap = instance.run(module.def.exports.get('main') ?? -1)
  const { memory, globalsLo, globalsHi } = instance
  const digest = hash('contract:vector', memory.subarray(0, DIGEST_BYTES), words(globalsLo), words(globalsHi), ...asked)
  instance.release()
  return `${trapName(trap)} ${instance.gas} ${digest.toString('hex').slice(0, DIGEST_DIGITS)}`
}

/** Run the modules with known results; returns the first difference, or undefined. */
export function vectorFault(vectors: readonly Vector[] = VECTORS): string | undefined {
  const machine = new Machine()
  for (const [index, [code, gas, expected]] of vectors.entries()) {
    const found = vectorOutcome(Buffer.from(code, 'base64'), gas, machine)
    if (found !== expected) return `vector ${index} returned ${found}, expected ${expected}`
  }
  return undefined
}
