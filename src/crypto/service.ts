/** Owns the interface of the node to slow cryptography, and its single-threaded implementation. */
import type { BlsAggregate, BlsBackend, BlsGroup } from './bls.js'
import { type BlsChoice, loadBls } from './bls-load.js'
import { type Ed25519Signer, ed25519Signer, loadFastEd25519, verifyEd25519 } from './ed25519.js'
import type { KeyAlgorithm } from './keys.js'
import { verifySecp256k1 } from './secp256k1.js'

/** Signature to check. */
export interface VerifyItem {
  readonly algorithm: KeyAlgorithm
  readonly publicKey: Uint8Array
  readonly message: Uint8Array
  readonly signature: Uint8Array
}

/** Slow cryptography as promises. A rejection means that the service failed, never that a signature is invalid. */
export interface CryptoService {
  /** One result per item, in order. */
  verifyBatch(items: readonly VerifyItem[]): Promise<boolean[]>
  /** Add a consensus secret under a name; the caller may erase its copy afterwards. */
  addBlsKey(keyId: string, secret: Uint8Array): void
  /** Sign each message with the named key, 96 bytes each; rejects for an unknown name. */
  blsSign(keyId: string, messages: readonly Uint8Array[]): Promise<Buffer[]>
  /** Add an Ed25519 seed under a name, for receipts; the caller may erase its copy afterwards. */
  addEd25519Key(keyId: string, seed: Uint8Array): void
  /** Sign each message with the named key, 64 bytes each; rejects for an unknown name. */
  ed25519SignBatch(keyId: string, messages: readonly Uint8Array[]): Promise<Buffer[]>
  /** Verify one key over one message. */
  blsVerify(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): Promise<boolean>
  /** Verify all keys over one message. */
  blsVerifyAggregate(publicKeys: readonly Uint8Array[], message: Uint8Array, signature: Uint8Array): Promise<boolean>
  /** Verify every group over its own message. */
  blsVerifyMulti(groups: readonly BlsGroup[], signature: Uint8Array): Promise<boolean>
  /** True if all of them are valid; an invalid one is not identified. */
  blsVerifyAggregates(aggregates: readonly BlsAggregate[]): Promise<boolean>
  /** Sum of the signatures; undefined if one is malformed. */
  blsAggregate(signatures: readonly Uint8Array[]): Promise<Buffer | undefined>
  /** Sum of the signatures if it is valid for all keys over one message, in one request; else undefined. */
  blsAggregateVerified(
    signatures: readonly Uint8Array[],
    publicKeys: readonly Uint8Array[],
    message: Uint8Array,
  ): Promise<Buffer | undefined>
  /** End the service; pending requests are rejected. */
  close(): Promise<void>
}

/** Verify one signature of any algorithm. */
export function verifyItem(bls: BlsBackend, item: VerifyItem): boolean {
  switch (item.algorithm) {
    case 'ed25519':
      return verifyEd25519(item.publicKey, item.message, item.signature)
    case 'secp256k1':
      return verifySecp256k1(item.publicKey, item.message, item.signature)
    case 'bls':
      return bls.verify(item.publicKey, item.message, item.signature)
  }
}

/** Service on the calling thread: for tests, tools and the inside of a worker. */
export class InlineCrypto implements CryptoService {
  private readonly secrets = new Map<string, Buffer>()
  private readonly signers = new Map<string, Ed25519Signer>()

  private constructor(private readonly bls: BlsBackend) {}

  /** Load the libraries. */
  static async create(options: { bls?: BlsChoice } = {}): Promise<InlineCrypto> {
    await loadFastEd25519()
    return new InlineCrypto(await loadBls(options.bls))
  }

  async verifyBatch(items: readonly VerifyItem[]): Promise<boolean[]> {
    return items.map((item) => verifyItem(this.bls, item))
  }

  addBlsKey(keyId: string, secret: Uint8Array): void {
    this.secrets.set(keyId, Buffer.from(secret))
  }

  async blsSign(keyId: string, messages: readonly Uint8Array[]): Promise<Buffer[]> {
    const secret = this.secrets.get(keyId)
    if (secret === undefined) throw new Error(`unknown consensus key ${JSON.stringify(keyId)}`)
    return messages.map((message) => this.bls.sign(secret, message))
  }

  addEd25519Key(keyId: string, seed: Uint8Array): void {
    this.signers.set(keyId, ed25519Signer(seed))
  }

  async ed25519SignBatch(keyId: string, messages: readonly Uint8Array[]): Promise<Buffer[]> {
    const signer = this.signers.get(keyId)
    if (signer === undefined) throw new Error(`unknown Ed25519 key ${JSON.stringify(keyId)}`)
    return messages.map((message) => signer.sign(message))
  }

  async blsVerify(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): Promise<boolean> {
    return this.bls.verify(publicKey, message, signature)
  }

  async blsVerifyAggregate(
    publicKeys: readonly Uint8Array[],
    message: Uint8Array,
    signature: Uint8Array,
  ): Promise<boolean> {
    return this.bls.verifyAggregate(publicKeys, message, signature)
  }

  async blsVerifyMulti(groups: readonly BlsGroup[], signature: Uint8Array): Promise<boolean> {
    return this.bls.verifyMulti(groups, signature)
  }

  async blsVerifyAggregates(aggregates: readonly BlsAggregate[]): Promise<boolean> {
    return this.bls.verifyAggregates(aggregates)
  }

  async blsAggregate(signatures: readonly Uint8Array[]): Promise<Buffer | undefined> {
    return this.bls.aggregate(signatures)
  }

  async blsAggregateVerified(
    signatures: readonly Uint8Array[],
    publicKeys: readonly Uint8Array[],
    message: Uint8Array,
  ): Promise<Buffer | undefined> {
    return this.bls.aggregateVerified(signatures, publicKeys, message)
  }

  async close(): Promise<void> {
    for (const secret of this.secrets.values()) secret.fill(0)
    this.secrets.clear()
    this.signers.clear()
  }
}
