/**
 * Owns the public interface of crypto. Two files are separate because they load a curve library at import (25 ms):
 * `bls-pop.ts` (createPop, verifyPop) and `secp256k1-sign.ts` (signSecp256k1).
 */

export { binaryKey } from '../base/bytes.js'
export { BLS_SIGNATURE_BYTES, type BlsBackend } from './bls.js'
export { loadBls } from './bls-load.js'
export { cacheReads, countInto, countsForThread, readCounter } from './cache-counts.js'
export { compiledUrl } from './compiled-url.js'
export { keccak256, sha256 } from './digests.js'
export {
  ED25519_KEY_BYTES,
  ed25519PublicKey,
  ed25519Signer,
  isAcceptableEd25519Key,
  loadFastEd25519,
  signEd25519,
  verifyEd25519,
  verifyEd25519Batch,
} from './ed25519.js'
export { GenerationCache } from './generation-cache.js'
export { blake3, hash, innerHash } from './hash.js'
export { type JobLimits, JobThread, JobTimeout, serveJobs } from './job-thread.js'
export {
  formatPublicKey,
  formatSecret,
  generateKeyPair,
  KEY_ALGORITHMS,
  type KeyAlgorithm,
  type KeyPair,
  keyPairFromSecret,
  type PublicKey,
  parsePublicKey,
  parseSecret,
} from './keys.js'
export {
  EMPTY_MERKLE_ROOT,
  type MerkleProof,
  merkleProof,
  merkleRoot,
  rootOfProof,
  verifyMerkleProof,
} from './merkle.js'
export { CryptoPool } from './pool.js'
export { prfStream } from './prf.js'
export { secp256k1PublicKey, verifySecp256k1 } from './secp256k1.js'
export { type CryptoService, InlineCrypto, type VerifyItem } from './service.js'
export { type ExternalKey, isKeyPair, type SigningKey } from './signing-key.js'
export { listThread, threadTimes } from './threads.js'
