/** Owns the instructions available to contracts, and the cost of decoding and running them. */
import { decodeWith } from '../../../codec/index.js'
import { addressPrefixOf } from '../../../executor/addresses.js'
import { anyInstruction, INSTRUCTION_REGISTRY, type Instruction } from '../../../model/index.js'
import { type Instance as Engine, TRAP } from '../../../vm/index.js'
import { HOST_GAS } from '../schema/abi.js'
import { GAS_PER_TEU } from '../schema/parameters.js'
import { EXECUTE_MAX_BYTES } from '../schema/records.js'
import { type CallFrame, trapped } from './frame.js'

/** Instructions that a contract may run as its own account. */
const MAY_EXECUTE: ReadonlySet<string> = new Set([
  'transfer',
  'mint',
  'burn',
  'registerAssetDefinition',
  'unregisterAssetDefinition',
  'registerNft',
  'unregisterNft',
  'transferOwnership',
  'setKeyValue',
  'removeKeyValue',
])

/** Number of an instruction, read without the rest of it. */
function idOf(bytes: Uint8Array): number | undefined {
  const read = decodeWith(bytes, (reader) => {
    const id = reader.varint()
    reader.skip(reader.end - reader.pos)
    return id
  })
  return read.ok ? read.value : undefined
}

/** Host function `execute(p, n)`: the error number of the instruction, or 0. */
export function execute(frame: CallFrame, engine: Engine, bytes: Uint8Array): number {
  const { abi } = frame.ctx
  if (bytes.length > EXECUTE_MAX_BYTES) return trapped(engine, TRAP.host_argument)
  // Checked and paid before the rest is decoded: other kinds contain lists of instructions and proofs.
  const codec = abi.codec(addressPrefixOf(frame.ctx))
  const id = idOf(bytes)
  const kind = id === undefined ? undefined : codec.registries?.[INSTRUCTION_REGISTRY]?.byId(id)?.kind
  if (kind === undefined || !MAY_EXECUTE.has(kind)) return trapped(engine, TRAP.host_argument)
  if (!engine.charge(HOST_GAS.instructionByte * bytes.length)) return 0
  const decoded = anyInstruction.decode(bytes.slice(), codec)
  return decoded.ok ? perform(frame, engine, decoded.value) : trapped(engine, TRAP.host_argument)
}

/** Run one instruction as the account of the contract; returns its error number, or 0. */
function perform(frame: CallFrame, engine: Engine, one: Instruction): number {
  const { ctx } = frame
  const staticGas = GAS_PER_TEU * ctx.abi.costOf([one], 'stored')
  if (!engine.charge(staticGas)) return 0
  const limit = Math.floor(engine.gas / GAS_PER_TEU)
  const { result, units } = ctx.apart(limit, () => ctx.perform(one))
  if (units > limit) return trapped(engine, TRAP.out_of_gas)
  if (!engine.charge(units * GAS_PER_TEU)) return 0
  if (result === undefined) return 0
  // An instruction that exhausted its units means that the contract lacked gas for it.
  if (result.code === 'teu_exhausted') return trapped(engine, TRAP.out_of_gas)
  const number = ctx.abi.errorNumbers.get(result.code)
  if (number === undefined) throw new Error(`error ${result.code} has no number`)
  return number
}
