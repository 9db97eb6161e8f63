/** Owns the shape of signature checks: what the state machine asks for and a backend answers with a verdict. */
import type { ValidatorKey } from '../model/index.js'

/** One signature over one message by one or more signers. */
export interface SameMessageCheck {
  readonly kind: 'same'
  readonly keys: readonly ValidatorKey[]
  readonly message: Uint8Array
  readonly signature: Uint8Array
}

/** One aggregate over several messages, each by its group of signers. */
export interface MultiMessageCheck {
  readonly kind: 'multi'
  readonly groups: readonly { readonly keys: readonly ValidatorKey[]; readonly message: Uint8Array }[]
  readonly signature: Uint8Array
}

export type SignatureCheck = SameMessageCheck | MultiMessageCheck
