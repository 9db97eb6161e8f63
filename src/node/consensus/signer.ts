/**
 * Owns the interface of consensus signing: a secret in the crypto threads of this node, or a signer
 * (docs/decisions/0067).
 */
import type { AnswerOf, EffectOf, SignRequest } from '../../consensus/index.js'
import { revealSignBytes } from '../../consensus/npos/index.js'
import type { CryptoService } from '../../crypto/index.js'
import type { ValidatorKey } from '../../model/index.js'
import type { SignerClient } from '../../signer/client.js'

type SignEffect = EffectOf<'sign'>
/** Result of a signing request of consensus. */
export type Signature = AnswerOf<'signed' | 'unsigned'>

/** Signer for the consensus keys of a node. */
export interface ConsensusSigner {
  /** Sign the message of an effect; a rejection means that signing failed, and ends the process. */
  sign(key: ValidatorKey, effect: SignEffect, request: () => SignRequest): Promise<Signature>
  /** Sign a contribution to the randomness of an epoch. */
  reveal(key: ValidatorKey, epoch: number): Promise<Uint8Array | undefined>
}

/** Signer with the secrets of this node. */
export const localSigner = (crypto: Pick<CryptoService, 'blsSign'>, chainHash: Uint8Array): ConsensusSigner => ({
  sign: async (key, { job, messages }) => ({ type: 'signed', job, signatures: await crypto.blsSign(key, messages) }),
  reveal: async (key, epoch) => (await crypto.blsSign(key, [revealSignBytes(chainHash, epoch)]))[0],
})

/** Signer over a remote signer process. */
export const remoteSigner = (client: Pick<SignerClient, 'sign' | 'reveal'>): ConsensusSigner => ({
  sign: async (key, { job }, request) => ({ ...(await client.sign(key, request())), job }),
  reveal: (key, epoch) => client.reveal(key, epoch),
})
