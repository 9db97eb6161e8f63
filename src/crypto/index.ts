/**
 * Owns the public interface of crypto. Two files are separate because they load a curve library at import (25 ms):
 * `bls-pop.ts` (createPop, verifyPop) and `secp256k1-sign.ts` (signSecp256k1).
 */

export { asBuffer, binaryKey } from '../base/bytes.js'
export {
  BLS_POP_TAG,
  BLS_PUBLIC_KEY_BYTES,
  BLS_SECRET_BYTES,
  BLS_SIGNATURE_BYTES,
  BLS_SIGNATURE_TAG,
  type BlsBackend,
  type BlsGroup,
} from './bls.js'
export { type BlsChoice, loadBls } from './bls-load.js'
export { type CacheReads, cacheReads, countInto, countsForThread, readCounter } from './cache-counts.js'
export { compiledUrl } from './compiled-url.js'
export { keccak256, sha256 } from './digests.js'
export {
  ED25519_KEY_BYTES,
  ED25519_SIGNATURE_BYTES,
  type Ed25519Item,
  type Ed25519Signer,
  ed25519PublicKey,
  ed25519Signer,
  isAcceptableEd25519Key,
  loadFastEd25519,
  signEd25519,
  verifyEd25519,
  verifyEd25519Batch,
} from './ed25519.js'
export { GenerationCache } from './generation-cache.js'
export { blake3, HASH_BYTES, hash, innerHash } from './hash.js'
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
  samePublicKey,
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
export { type PrfStream, prfStream } from './prf.js'
export {
  isAcceptableSecp256k1Key,
  SECP256K1_KEY_BYTES,
  SECP256K1_SIGNATURE_BYTES,
  secp256k1PublicKey,
  verifySecp256k1,
} from './secp256k1.js'
export { type CryptoService, InlineCrypto, type VerifyItem, verifyItem } from './service.js'
export { type ExternalKey, isKeyPair, type SigningKey } from './signing-key.js'
export { listThread, type ThreadTime, threadTimes } from './threads.js'
