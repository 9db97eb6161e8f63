/**
 * Owns the challenges of passkeys. A challenge contains its expiry and a tag of the node, so that requesting one stores
 * nothing. Only answered challenges are remembered until they expire, because each is valid once.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { ANSWERED_MAX, CHALLENGE_MS } from './limits.js'

const KEY_BYTES = 32
const TIME_BYTES = 8
const NONCE_BYTES = 16
const TAG_BYTES = 16
const HEAD_BYTES = TIME_BYTES + NONCE_BYTES
const BYTES = HEAD_BYTES + TAG_BYTES

/** Purpose of a challenge; `ticket`: the ticket that a registration uses. */
export type Purpose = { readonly kind: 'login' } | { readonly kind: 'registration'; readonly ticket: string }

export class Challenges {
  private readonly key = randomBytes(KEY_BYTES)
  /** Answered challenges with their expiry, in order of their answers. */
  private readonly answered = new Map<string, number>()

  constructor(private readonly monotonicMs: () => number) {}

  create(purpose: Purpose): Buffer<ArrayBuffer> {
    const head = Buffer.alloc(HEAD_BYTES)
    head.writeBigUInt64BE(BigInt(Math.round(this.monotonicMs() + CHALLENGE_MS)))
    randomBytes(NONCE_BYTES).copy(head, TIME_BYTES)
    return Buffer.concat([head, this.tag(head, purpose)])
  }

  /** True for a challenge, in base64url, of this node and purpose that is neither expired nor answered. */
  isOpen(text: string, purpose: Purpose): boolean {
    const bytes = Buffer.from(text, 'base64url')
    // Only the canonical text of a challenge: other texts may decode alike.
    if (bytes.length !== BYTES || bytes.toString('base64url') !== text || this.answered.has(text)) return false
    const head = bytes.subarray(0, HEAD_BYTES)
    if (!timingSafeEqual(bytes.subarray(HEAD_BYTES), this.tag(head, purpose))) return false
    return Number(head.readBigUInt64BE()) > this.monotonicMs()
  }

  /** Mark a challenge as answered; false if it was answered before, or has expired. */
  use(text: string, purpose: Purpose): boolean {
    if (!this.isOpen(text, purpose)) return false
    const nowMs = this.monotonicMs()
    for (const [known, endMs] of this.answered) {
      if (endMs > nowMs && this.answered.size < ANSWERED_MAX) break
      this.answered.delete(known)
    }
    this.answered.set(text, nowMs + CHALLENGE_MS)
    return true
  }

  private tag(head: Uint8Array, purpose: Purpose): Buffer {
    const about = purpose.kind === 'login' ? 'login' : `registration ${purpose.ticket}`
    return createHmac('sha256', this.key).update(head).update(about).digest().subarray(0, TAG_BYTES)
  }
}
