/** Owns the protocol between nodes and a signer: frames with a length and a record. */
import {
  bytesN,
  enumOf,
  hash32,
  type Infer,
  list,
  option,
  type Schema,
  string,
  struct,
  u32,
  varint,
} from '../codec/index.js'
import { SIGNED_KINDS, type SignRefusal, signedRecord, signRequest } from '../consensus/index.js'
import { BLS_SIGNATURE_BYTES, networkKey, validatorKey } from '../model/index.js'
import { FRAME_MAX_BYTES } from './limits.js'

/** Version of these messages; messages of any other version are refused. */
export const SIGNER_WIRE_VERSION = 1
/** Maximum keys of one signer: the active key, and the key of a rotation. */
const KEYS_MAX = 2
/** Maximum signatures of one response: a proposal and its vote. */
const SIGNATURES_MAX = 2
const CODE_MAX_BYTES = 64

/** Reason for a refused signature: the rules, or the lease. */
export type RefusalCode = SignRefusal | 'lease_lost' | 'no_such_key'

const signature = bytesN(BLS_SIGNATURE_BYTES)

/** Message of a node. */
export type NodeMessage = Infer<typeof nodeMessage>
export const nodeMessage = enumOf('NodeMessage', {
  /** First message of a connection; over TLS the node is identified by its proven key. */
  hello: [0, struct('SignerHello', { version: u32, node: networkKey })],
  /** Request or renew the lease, with the current fence for a renewal. */
  lease: [1, struct('LeaseRequest', { fence: option(varint) })],
  sign: [2, struct('SignerRequest', { id: u32, fence: varint, key: validatorKey, request: signRequest })],
  /** Request for the signature for the randomness of an epoch. */
  reveal: [3, struct('RevealRequest', { id: u32, fence: varint, key: validatorKey, epoch: varint })],
})

/** Message of the signer. */
export type SignerMessage = Infer<typeof signerMessage>
export const signerMessage = enumOf('SignerMessage', {
  welcome: [
    0,
    struct('SignerWelcome', { version: u32, chainHash: hash32, keys: list(validatorKey, KEYS_MAX), leaseMs: u32 }),
  ],
  leased: [1, struct('LeaseGranted', { fence: varint })],
  /** Another node has the lease, for this time unless it renews it. */
  held: [2, struct('LeaseHeld', { forMs: u32 })],
  signed: [3, struct('SignerSignatures', { id: u32, signatures: list(signature, SIGNATURES_MAX) })],
  refused: [
    4,
    struct('SignerRefusal', { id: u32, code: string(CODE_MAX_BYTES), recorded: list(signedRecord, SIGNED_KINDS) }),
  ],
})

const LENGTH_BYTES = 4

/** Message with its length as a prefix. */
export function frameOf<T>(schema: Schema<T>, value: T): Buffer {
  const body = schema.encode(value)
  const head = Buffer.alloc(LENGTH_BYTES)
  head.writeUInt32BE(body.length)
  return Buffer.concat([head, body])
}

/** Splits a stream into messages. */
export class FrameReader<T> {
  private waiting: Buffer = Buffer.alloc(0)

  constructor(private readonly schema: Schema<T>) {}

  /** Complete messages; undefined if the stream violates the protocol and must end. */
  read(chunk: Buffer): T[] | undefined {
    this.waiting = this.waiting.length === 0 ? chunk : Buffer.concat([this.waiting, chunk])
    const found: T[] = []
    while (this.waiting.length >= LENGTH_BYTES) {
      const end = LENGTH_BYTES + this.waiting.readUInt32BE()
      if (end > FRAME_MAX_BYTES) return undefined
      if (this.waiting.length < end) break
      // Copied: what is kept of a message must not keep the whole chunk.
      const decoded = this.schema.decode(Buffer.from(this.waiting.subarray(LENGTH_BYTES, end)))
      if (!decoded.ok) return undefined
      found.push(decoded.value)
      this.waiting = this.waiting.subarray(end)
    }
    return found
  }
}
