/**
 * Owns the crypto threads of a node: assigns requests to the least loaded one and settles the promises; the smallest
 * requests are computed directly.
 */
import { Worker } from 'node:worker_threads'
import type { BlsAggregate, BlsGroup } from './bls.js'
import { compiledUrl } from './compiled-url.js'
import { type Ed25519Signer, ed25519Signer, loadFastEd25519, verifyEd25519 } from './ed25519.js'
import type { CryptoService, VerifyItem } from './service.js'
import { listThread } from './threads.js'
import {
  type CryptoOperation,
  type CryptoRequest,
  type CryptoResponse,
  packAggregates,
  packBytes,
  packGroups,
  packItems,
  unpackBytes,
} from './worker-protocol.js'

/** Maximum waiting requests of all threads: callers batch, so a greater number means that a caller has no bound. */
const MAX_PENDING_REQUESTS = 16_384

/**
 * Maximum Ed25519 signatures of one request that the caller's thread creates or checks itself: each takes about 50 us,
 * a round trip to a thread 200 to 300 us of processor time.
 */
const INLINE_SIGNATURES_MAX = 4
/**
 * Maximum size of a message for such direct computation, in bytes: hashing a longer one takes longer than a round trip.
 */
const INLINE_MESSAGE_MAX_BYTES = 4_096

/** True if signatures of these messages cost less than a round trip to a thread. */
const areFewAndSmall = (messages: readonly Uint8Array[]): boolean =>
  messages.length <= INLINE_SIGNATURES_MAX && messages.every(({ length }) => length <= INLINE_MESSAGE_MAX_BYTES)

interface Pending {
  resolve(parts: Buffer[]): void
  reject(error: Error): void
}

interface Thread {
  readonly worker: Worker
  readonly pending: Map<number, Pending>
}

/**
 * Crypto service over worker threads. If a thread dies, its requests are rejected; without threads every call rejects,
 * and the node stops instead of running without verification.
 */
export class CryptoPool implements CryptoService {
  private threads: Thread[] = []
  private readonly signers = new Map<string, Ed25519Signer>()
  private nextId = 1
  private failure: Error | undefined

  /** @param options.threads number of worker threads, default 1 */
  constructor(options: { threads?: number } = {}) {
    const count = options.threads ?? 1
    if (!Number.isInteger(count) || count < 1) throw new Error('the crypto pool needs at least one thread')
    for (let at = 0; at < count; at += 1) this.threads.push(this.start(`crypto-${at + 1}`))
    // Until it is loaded, the slower library gives the same results.
    void loadFastEd25519()
  }

  async verifyBatch(items: readonly VerifyItem[]): Promise<boolean[]> {
    if (items.length === 0) return []
    const isEd25519 = items.every(({ algorithm }) => algorithm === 'ed25519')
    if (this.threads.length > 0 && isEd25519 && areFewAndSmall(items.map(({ message }) => message)))
      return items.map(({ publicKey, message, signature }) => verifyEd25519(publicKey, message, signature))
    const results = await this.askOne('verifyBatch', packItems(items))
    // Only 1 counts, and a missing result leaves its item unproven.
    return items.map((_, at) => results[at] === 1)
  }

  addBlsKey(keyId: string, secret: Uint8Array): void {
    this.postAll('addBlsKey', keyId, secret)
  }

  addEd25519Key(keyId: string, seed: Uint8Array): void {
    this.signers.set(keyId, ed25519Signer(seed))
    this.postAll('addEd25519Key', keyId, seed)
  }

  async ed25519SignBatch(keyId: string, messages: readonly Uint8Array[]): Promise<Buffer[]> {
    const signer = this.signers.get(keyId)
    if (signer !== undefined && this.threads.length > 0 && areFewAndSmall(messages))
      return messages.map((message) => signer.sign(message))
    return messages.length === 0
      ? []
      : this.ask('ed25519SignBatch', packBytes([Buffer.from(keyId, 'utf8'), ...messages]))
  }

  blsSign(keyId: string, messages: readonly Uint8Array[]): Promise<Buffer[]> {
    return this.ask('blsSign', packBytes([Buffer.from(keyId, 'utf8'), ...messages]))
  }

  blsVerify(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): Promise<boolean> {
    return this.blsVerifyMulti([{ publicKeys: [publicKey], message }], signature)
  }

  blsVerifyAggregate(publicKeys: readonly Uint8Array[], message: Uint8Array, signature: Uint8Array): Promise<boolean> {
    return this.blsVerifyMulti([{ publicKeys, message }], signature)
  }

  async blsVerifyMulti(groups: readonly BlsGroup[], signature: Uint8Array): Promise<boolean> {
    return (await this.askOne('blsVerifyMulti', packGroups(groups, signature)))[0] === 1
  }

  async blsVerifyAggregates(aggregates: readonly BlsAggregate[]): Promise<boolean> {
    return (await this.askOne('blsVerifyAggregates', packAggregates(aggregates)))[0] === 1
  }

  async blsAggregate(signatures: readonly Uint8Array[]): Promise<Buffer | undefined> {
    return (await this.ask('blsAggregate', packBytes(signatures)))[0]
  }

  async blsAggregateVerified(
    signatures: readonly Uint8Array[],
    publicKeys: readonly Uint8Array[],
    message: Uint8Array,
  ): Promise<Buffer | undefined> {
    const list = new Uint8Array(packBytes(signatures))
    return (await this.ask('blsAggregateVerified', packGroups([{ publicKeys, message }], list)))[0]
  }

  async close(): Promise<void> {
    this.failure ??= new Error('the crypto pool is closed')
    const threads = this.threads
    this.threads = []
    this.signers.clear()
    await Promise.all(
      threads.map(async (thread) => {
        this.rejectAll(thread, new Error('the crypto pool is closed'))
        await thread.worker.terminate()
      }),
    )
  }

  private start(name: string): Thread {
    const thread: Thread = { worker: new Worker(compiledUrl('crypto/worker.js')), pending: new Map() }
    listThread(name, thread.worker)
    thread.worker.on('message', (response: CryptoResponse) => this.settle(thread, response))
    thread.worker.on('error', (error) => this.lose(thread, error))
    thread.worker.on('exit', (code) => this.lose(thread, new Error(`crypto worker ended with code ${code}`)))
    return thread
  }

  private settle(thread: Thread, response: CryptoResponse): void {
    const waiting = thread.pending.get(response.id)
    if (waiting === undefined) return
    thread.pending.delete(response.id)
    if (response.packed !== undefined) waiting.resolve(unpackBytes(response.packed))
    else waiting.reject(new Error(response.error ?? 'crypto worker did not respond'))
  }

  private lose(thread: Thread, cause: Error): void {
    this.threads = this.threads.filter((other) => other !== thread)
    if (this.threads.length === 0) this.failure ??= new Error('no crypto worker is running', { cause })
    this.rejectAll(thread, new Error(`crypto worker stopped: ${cause.message}`, { cause }))
  }

  private rejectAll(thread: Thread, error: Error): void {
    const waiting = [...thread.pending.values()]
    thread.pending.clear()
    for (const entry of waiting) entry.reject(error)
  }

  private send(thread: Thread, operation: CryptoOperation, packed: ArrayBuffer): Promise<Buffer[]> {
    return new Promise((resolve, reject) => {
      const request: CryptoRequest = { id: this.nextId, operation, packed }
      this.nextId += 1
      thread.pending.set(request.id, { resolve, reject })
      thread.worker.postMessage(request, [packed])
    })
  }

  private postAll(operation: 'addBlsKey' | 'addEd25519Key', keyId: string, secret: Uint8Array): void {
    for (const thread of this.threads) {
      const packed = packBytes([Buffer.from(keyId, 'utf8'), secret])
      // A thread processes keys before any later request; the first request detects a dead thread.
      this.send(thread, operation, packed).catch(() => {})
    }
  }

  private async ask(operation: CryptoOperation, packed: ArrayBuffer): Promise<Buffer[]> {
    let least: Thread | undefined
    let waiting = 0
    for (const thread of this.threads) {
      waiting += thread.pending.size
      if (least === undefined || thread.pending.size < least.pending.size) least = thread
    }
    if (least === undefined) throw this.failure ?? new Error('no crypto worker is running')
    if (waiting >= MAX_PENDING_REQUESTS) throw new Error(`more than ${MAX_PENDING_REQUESTS} crypto requests are queued`)
    return this.send(least, operation, packed)
  }

  private async askOne(operation: CryptoOperation, packed: ArrayBuffer): Promise<Buffer> {
    const [part] = await this.ask(operation, packed)
    if (part === undefined) throw new Error('crypto worker returned an empty response')
    return part
  }
}
