/**
 * Owns the browser side of Web Push: it subscribes, and decrypts messages of a push service (RFC 8291, section 4; RFC
 * 8188, section 2).
 */
import { createDecipheriv, createECDH, type ECDH, hkdfSync, randomBytes } from 'node:crypto'
import type { PushSubscription } from '../../src/features/notify/schema.js'

export class PushBrowser {
  readonly pair: ECDH = createECDH('prime256v1')
  readonly auth = randomBytes(16)

  constructor(readonly endpoint: string) {
    this.pair.generateKeys()
  }

  get subscription(): PushSubscription {
    const p256dh = this.pair.getPublicKey().toString('base64url')
    return { endpoint: this.endpoint, keys: { p256dh, auth: this.auth.toString('base64url') } }
  }

  read(body: Buffer): string {
    const salt = body.subarray(0, 16)
    const length = body[20] ?? 0
    const sender = body.subarray(21, 21 + length)
    const shared = this.pair.computeSecret(sender)
    const about = Buffer.concat([Buffer.from('WebPush: info\0'), this.pair.getPublicKey(), sender])
    const key = Buffer.from(hkdfSync('sha256', shared, this.auth, about, 32))
    const part = (name: string, bytes: number) =>
      Buffer.from(hkdfSync('sha256', key, salt, `Content-Encoding: ${name}\0`, bytes))
    const cipher = createDecipheriv('aes-128-gcm', part('aes128gcm', 16), part('nonce', 12))
    const record = body.subarray(21 + length)
    cipher.setAuthTag(record.subarray(-16))
    const plain = Buffer.concat([cipher.update(record.subarray(0, -16)), cipher.final()])
    // Delimiter of a last record.
    if (plain.at(-1) !== 2) throw new Error('the message is not one record')
    return plain.subarray(0, -1).toString()
  }
}
