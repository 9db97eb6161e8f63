/**
 * Owns the public interface of the contract machine: integer WebAssembly, validated and interpreted, with the same
 * results on every node.
 */
export { ModuleFault } from './binary.js'
export { HOST_FUNCTIONS } from './host.js'
export { type HostCall, Instance } from './instance.js'
export { MODULE_MAX_BYTES } from './limits.js'
export { checkModule, codeGas, LoadedModule, loadGas, loadModule } from './loaded.js'
export { profileHash } from './profile.js'
export { Machine, type StoppedAt } from './running.js'
export { EngineFault, TRAP, type Trap, trapName } from './traps.js'
export { vectorFault, vectorOutcome } from './vectors.js'
