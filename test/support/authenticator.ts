/**
 * Owns a software authenticator (WebAuthn level 3, section 6) for tests: it creates passkeys and signs with them, also
 * incorrectly.
 */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

const FLAGS = { userPresent: 0x01, userVerified: 0x04, attested: 0x40 }

/** CBOR encoding of authenticator data (RFC 8949): integers, bytes, texts, maps. */
function cbor(value: unknown): Buffer {
  const head = (major: number, count: number): Buffer =>
    count < 24
      ? Buffer.of((major << 5) | count)
      : count < 256
        ? Buffer.of((major << 5) | 24, count)
        : Buffer.of((major << 5) | 25, count >> 8, count & 0xff)
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value])
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(cbor)])
  const entries = [...(value as Map<unknown, unknown>)]
  return Buffer.concat([head(5, entries.length), ...entries.flatMap(([key, one]) => [cbor(key), cbor(one)])])
}

const sha256 = (bytes: string | Uint8Array): Buffer => createHash('sha256').update(bytes).digest()
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')

/** Changes of a response by a test. */
export interface Wrong {
  readonly challenge?: string
  readonly origin?: string
  readonly rpId?: string
  readonly counter?: number
  readonly unverified?: boolean
  readonly type?: string
  readonly signature?: Buffer
  readonly format?: string
  readonly statement?: Map<string, unknown>
}

export interface Asked {
  readonly challenge: string
}

export class Authenticator {
  readonly id = randomBytes(32)
  private readonly publicKey: KeyObject
  private readonly privateKey: KeyObject
  counter = 0

  constructor(
    private readonly origin: string,
    private readonly rpId: string,
    private readonly algorithm: 'ES256' | 'EdDSA' | 'RS256' = 'ES256',
    private readonly counts = true,
  ) {
    const pair =
      algorithm === 'ES256'
        ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
        : algorithm === 'EdDSA'
          ? generateKeyPairSync('ed25519')
          : generateKeyPairSync('rsa', { modulusLength: 2048 })
    this.publicKey = pair.publicKey
    this.privateKey = pair.privateKey
  }

  /** Registration in the form of `PublicKeyCredential.toJSON()`. */
  create(asked: Asked, wrong: Wrong = {}): Record<string, unknown> {
    const client = this.client('webauthn.create', asked, wrong)
    const attested = Buffer.concat([Buffer.alloc(16), Buffer.of(0, this.id.length), this.id, this.coseKey()])
    const data = Buffer.concat([this.data(FLAGS.attested, wrong), attested])
    const attestation = cbor(
      new Map<string, unknown>([
        ['fmt', wrong.format ?? 'none'],
        ['attStmt', wrong.statement ?? new Map()],
        ['authData', data],
      ]),
    )
    const response = { clientDataJSON: text(client), attestationObject: text(attestation), transports: ['internal'] }
    return this.credential(response)
  }

  /** Assertion in the same form. */
  get(asked: Asked, wrong: Wrong = {}): Record<string, unknown> {
    const client = this.client('webauthn.get', asked, wrong)
    const data = this.data(0, wrong)
    const signed = Buffer.concat([data, sha256(client)])
    const signature = sign(this.algorithm === 'EdDSA' ? null : 'sha256', signed, this.privateKey)
    return this.credential({
      clientDataJSON: text(client),
      authenticatorData: text(data),
      signature: text(wrong.signature ?? signature),
      userHandle: text(Buffer.alloc(32, 1)),
    })
  }

  private credential(response: object): Record<string, unknown> {
    const id = text(this.id)
    return {
      id,
      rawId: id,
      type: 'public-key',
      authenticatorAttachment: 'platform',
      clientExtensionResults: {},
      response,
    }
  }

  private client(type: string, { challenge }: Asked, wrong: Wrong): Buffer {
    return Buffer.from(
      JSON.stringify({
        type: wrong.type ?? type,
        challenge: wrong.challenge ?? challenge,
        origin: wrong.origin ?? this.origin,
        crossOrigin: false,
      }),
    )
  }

  private data(flags: number, { rpId = this.rpId, counter, unverified }: Wrong): Buffer {
    if (this.counts) this.counter += 1
    const head = Buffer.alloc(5)
    head[0] = flags | FLAGS.userPresent | (unverified === true ? 0 : FLAGS.userVerified)
    head.writeUInt32BE(counter ?? this.counter, 1)
    return Buffer.concat([sha256(rpId), head])
  }

  private coseKey(): Buffer {
    const jwk = this.publicKey.export({ format: 'jwk' }) as Record<string, string>
    const part = (name: string): Buffer => Buffer.from(jwk[name] ?? '', 'base64url')
    const entries: Record<string, [number, unknown][]> = {
      ES256: [
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, part('x')],
        [-3, part('y')],
      ],
      EdDSA: [
        [1, 1],
        [3, -8],
        [-1, 6],
        [-2, part('x')],
      ],
      RS256: [
        [1, 3],
        [3, -257],
        [-1, part('n')],
        [-2, part('e')],
      ],
    }
    return cbor(new Map(entries[this.algorithm]))
  }
}
