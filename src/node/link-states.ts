/** Owns the states of the links as the parts of a node read them. */
import type { ValidatorKey } from '../model/index.js'

/** State of the links, as the services read it. */
export interface LinkStates {
  isConnected(key: ValidatorKey): boolean
  lastError(key: ValidatorKey): string | undefined
  connected(): readonly ValidatorKey[]
}
