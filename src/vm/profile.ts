/**
 * Owns the hash of the validation and execution rules of modules: nodes with different machines have different ABIs.
 */
import { hash } from '../crypto/index.js'
import { hostLines } from './host.js'
import { MODULE_LIMITS } from './limits.js'
import { GAS, opcodeLines } from './opcodes.js'
import { TRAP } from './traps.js'

/** Version of the profile: the supported part of the standard, its gas, and its bounds. */
const PROFILE = 1

/** Hash over opcodes, host functions, gas, bounds and trap codes, with lines of the feature that hosts contracts. */
export function profileHash(more: readonly string[]): Buffer {
  const lines = [
    `profile ${PROFILE}`,
    ...opcodeLines(),
    ...hostLines(),
    ...Object.entries(GAS).map(([name, gas]) => `gas ${name} ${gas}`),
    ...Object.entries(MODULE_LIMITS).map(([name, limit]) => `limit ${name} ${limit}`),
    ...Object.entries(TRAP).map(([name, code]) => `trap ${code} ${name}`),
    ...more,
  ]
  return hash('contract:abi', Buffer.from(lines.join('\n'), 'utf8'))
}
