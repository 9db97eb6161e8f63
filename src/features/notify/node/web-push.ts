/**
 * Owns Web Push messages: encrypted for the browser (RFC 8291), with the signature of this node for the push service
 * (RFC 8292).
 */
import { createECDH, createPrivateKey, type ECDH, type KeyObject, randomBytes, sign } from 'node:crypto'
import { createRequire } from 'node:module'
import { BoundedMap } from '../../../base/bounded.js'
import type { PushSubscription } from '../schema.js'
import { ORIGINS_MAX, TOKEN_MS, TOKEN_USED_MS } from './limits.js'

const CURVE = 'prime256v1'
const SALT_BYTES = 16
const AUTH_BYTES = 16
const POINT_BYTES = 65

/** Random inputs of an encryption; injected by tests. */
export interface Chance {
  readonly sender: ECDH
  readonly salt: Uint8Array
}

function drawn(): Chance {
  const sender = createECDH(CURVE)
  sender.generateKeys()
  return { sender, salt: randomBytes(SALT_BYTES) }
}

type Library = typeof import('http_ece')
/**
 * Loads the library. It is not `import()`, which after a failure, for example without a free file descriptor, fails for
 * the rest of the process.
 */
const load = createRequire(import.meta.url)

/** Library, loaded with the first message. */
function encoder(): Library {
  // If set, the library would print keys.
  delete process.env['ECE_KEYLOG']
  return load('http_ece') as Library
}

/** Encrypted message for the push service. Throws for keys that are not valid public keys. */
export function encrypted(
  plain: Uint8Array,
  { p256dh, auth }: PushSubscription['keys'],
  { sender, salt }: Chance = drawn(),
): Buffer {
  const [dh, authSecret] = [Buffer.from(p256dh, 'base64url'), Buffer.from(auth, 'base64url')]
  if (dh.length !== POINT_BYTES || authSecret.length !== AUTH_BYTES) throw new Error('wrong key length')
  return encoder().encrypt(plain, { version: 'aes128gcm', dh, privateKey: sender, authSecret, salt })
}

/**
 * Reason why messages cannot be encrypted for a subscription; undefined if they can. Throws if the library cannot be
 * loaded.
 */
export function keysFault(keys: PushSubscription['keys']): string | undefined {
  // Before the keys are validated: a missing library is not their fault.
  encoder()
  try {
    encrypted(Buffer.alloc(0), keys)
    return undefined
  } catch {
    return 'keys: p256dh is a point of P-256 (65 bytes) and auth is 16 bytes, both in base64url'
  }
}

/** A new secret of this node for push services. */
export function newVapidSecret(): Buffer {
  const pair = createECDH(CURVE)
  pair.generateKeys()
  const secret = pair.getPrivateKey()
  return Buffer.concat([Buffer.alloc(32 - secret.length), secret])
}

const text = (value: Uint8Array | string): string => Buffer.from(value).toString('base64url')

/** Sender identification for push services. */
export class Vapid {
  /** Public key in base64url, with which browsers subscribe. */
  readonly publicKey: string
  private readonly key: KeyObject
  private readonly tokens = new BoundedMap<string, { readonly header: string; readonly usedUntilMs: number }>(
    ORIGINS_MAX,
  )

  /** `subject`: contact of the operator for the push service. */
  constructor(
    secret: Uint8Array,
    private readonly subject: string,
    private readonly wallMs: () => number,
  ) {
    const pair = createECDH(CURVE)
    pair.setPrivateKey(Buffer.from(secret))
    const point = pair.getPublicKey()
    this.publicKey = text(point)
    const [x, y] = [text(point.subarray(1, 33)), text(point.subarray(33))]
    this.key = createPrivateKey({ key: { kty: 'EC', crv: 'P-256', d: text(secret), x, y }, format: 'jwk' })
  }

  /** Header `authorization` for an endpoint; a token per origin is reused for hours. */
  header(endpoint: string): string {
    const { origin } = new URL(endpoint)
    const nowMs = this.wallMs()
    const known = this.tokens.get(origin)
    if (known !== undefined && known.usedUntilMs > nowMs) return known.header
    const claims = { aud: origin, exp: Math.floor((nowMs + TOKEN_MS) / 1_000), sub: this.subject }
    const signed = `${text('{"typ":"JWT","alg":"ES256"}')}.${text(JSON.stringify(claims))}`
    const signature = sign('sha256', Buffer.from(signed), { key: this.key, dsaEncoding: 'ieee-p1363' })
    const header = `vapid t=${signed}.${text(signature)}, k=${this.publicKey}`
    this.tokens.renew(origin, { header, usedUntilMs: nowMs + TOKEN_USED_MS })
    return header
  }
}
