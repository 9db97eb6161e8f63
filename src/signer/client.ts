/** Owns the node side of a signer: one connection, redialled when it ends, the lease, and pending requests. */
import { connect, type Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import { connect as connectTls } from 'node:tls'
import { sameBytes } from '../base/bytes.js'
import type { SignedRecord, SignRequest } from '../consensus/index.js'
import { ed25519Signer, formatPublicKey } from '../crypto/index.js'
import { keyBytes, keyString, LedgerError, type NetworkKey, type ValidatorKey } from '../model/index.js'
import { authenticate, clientOptions, type LinkLogger, linkIdentity } from '../network/index.js'
import { HELLO_TIMEOUT_MS, REDIAL_MAX_MS, REDIAL_MIN_MS, RENEWALS_PER_LEASE, WAITING_MAX } from './limits.js'
import { placeText, type SignerPlace } from './place.js'
import {
  FrameReader,
  frameOf,
  type NodeMessage,
  nodeMessage,
  SIGNER_WIRE_VERSION,
  type SignerMessage,
  signerMessage,
} from './wire.js'

export interface SignerClientOptions {
  readonly place: SignerPlace
  /** 32-byte secret of this node's own network key, by which the signer identifies it. */
  readonly seed: Uint8Array
  readonly chainHash: Uint8Array
  readonly logger: LinkLogger
  /** Called if another node acts for the validator, or may do so: this node must stop acting. */
  readonly onLost: (error: LedgerError) => void
  /**
   * True if a standby waits for the lease: a node that cannot renew it stops when it expires. False if this node is the
   * only one.
   */
  readonly isShared: boolean
}

/** Response of the signer to a signing request. */
export type RemoteSignature =
  | { readonly type: 'signed'; readonly signatures: readonly Uint8Array[] }
  | { readonly type: 'unsigned'; readonly recorded: readonly SignedRecord[] }

/** State of the connection of a node to its signer. */
export interface SignerLink {
  readonly connected: boolean
  /** Expiry of the lease of this node, in ms since the Unix epoch; undefined for a standby. */
  readonly leaseUntilMs: number | undefined
  /** Time of the last signature, in ms since the Unix epoch; undefined before the first. */
  readonly lastSignatureMs: number | undefined
}

type Welcome = Extract<SignerMessage, { kind: 'welcome' }>['value']
/** Lease state from the signer; undefined after the connection has ended. */
type LeaseAnswer = Extract<SignerMessage, { kind: 'leased' | 'held' }>
/** Request without the fields that the connection adds. */
type Question =
  | { readonly kind: 'sign'; readonly key: ValidatorKey; readonly request: SignRequest }
  | { readonly kind: 'reveal'; readonly key: ValidatorKey; readonly epoch: number }

interface Waiting {
  readonly question: Question
  readonly answer: (answer: RemoteSignature) => void
}

const UNSIGNED: RemoteSignature = { type: 'unsigned', recorded: [] }

/** Client of a node for its signer. */
export class SignerClient {
  private readonly node: NetworkKey
  private readonly waiting = new Map<number, Waiting>()
  private socket: Socket | undefined
  /** Newest connection, possibly before the greeting of the signer. */
  private dialed: Socket | undefined
  private welcome: Welcome | undefined
  private fence: number | undefined
  /** Fence of the last lost lease; a response with this fence was sent before the loss. */
  private lostFence = 0
  private leasedUntilMs = 0
  /** Expiry of the lease and time of the last signature by the wall clock; for display only. */
  private shownUntilMs = 0
  private shownSignatureMs: number | undefined
  private nextId = 1
  private redialMs = REDIAL_MIN_MS
  private isClosed = false
  private isAway = false
  private renewals: NodeJS.Timeout | undefined
  private redial: NodeJS.Timeout | undefined
  /** Timer from a request to the next input; detects broken links, which may be silent for minutes. */
  private silence: NodeJS.Timeout | undefined
  private endLink: (fault: LedgerError) => void = () => {}
  private onLease: ((answer: LeaseAnswer | undefined) => void) | undefined

  private constructor(private readonly options: SignerClientOptions) {
    this.node = keyString(ed25519Signer(options.seed).publicKey)
  }

  /** Connect to a signer. Throws `signer_unreachable` or `signer_refused`. */
  static async open(options: SignerClientOptions): Promise<SignerClient> {
    const client = new SignerClient(options)
    await client.dial()
    return client
  }

  /** Consensus keys of the signer, by preference. */
  get keys(): readonly ValidatorKey[] {
    return this.welcome?.keys ?? []
  }

  /** Current state of the connection to the signer. */
  get link(): SignerLink {
    return {
      connected: this.socket !== undefined,
      leaseUntilMs: this.fence === undefined ? undefined : this.shownUntilMs,
      lastSignatureMs: this.shownSignatureMs,
    }
  }

  /** Request the lease for the validator; if refused, returns the remaining ms of the lease of another node. */
  async takeLease(): Promise<{ readonly heldForMs: number } | undefined> {
    if (this.socket === undefined) return { heldForMs: this.leaseMs }
    const answer = await new Promise<LeaseAnswer | undefined>((resolve) => {
      this.onLease = resolve
      this.send({ kind: 'lease', value: { fence: undefined } })
    })
    if (answer?.kind !== 'leased') return { heldForMs: answer?.value.forMs ?? this.leaseMs }
    this.fence = answer.value.fence
    this.leased()
    this.renewals = setInterval(() => this.renew(), this.leaseMs / RENEWALS_PER_LEASE)
    return undefined
  }

  /**
   * Sign under the lease; waits while the signer is unreachable. A refusal is a result, with the existing signatures of
   * the key.
   */
  sign(key: ValidatorKey, request: SignRequest): Promise<RemoteSignature> {
    return this.ask({ kind: 'sign', key, request })
  }

  /** Signature for the randomness of an epoch; undefined if the signer does not provide it. */
  async reveal(key: ValidatorKey, epoch: number): Promise<Uint8Array | undefined> {
    const answer = await this.ask({ kind: 'reveal', key, epoch })
    return answer.type === 'signed' ? answer.signatures[0] : undefined
  }

  /** End the connection; waiting requests are not signed. */
  close(): void {
    this.isClosed = true
    clearInterval(this.renewals)
    clearTimeout(this.redial)
    this.onAnswer()
    this.dialed?.destroy()
    this.dropWaiting()
  }

  /** Drop the waiting requests, which are no longer signed. */
  private dropWaiting(): void {
    for (const { answer } of this.waiting.values()) answer(UNSIGNED)
    this.waiting.clear()
  }

  /** Handle a granted or renewed lease. */
  private leased(): void {
    this.leasedUntilMs = performance.now() + this.leaseMs
    this.shownUntilMs = Date.now() + this.leaseMs
  }

  private get leaseMs(): number {
    return this.welcome?.leaseMs ?? REDIAL_MAX_MS
  }

  private ask(question: Question): Promise<RemoteSignature> {
    if (this.isClosed) return Promise.resolve(UNSIGNED)
    return new Promise((answer) => {
      const id = this.nextId++
      this.waiting.set(id, { question, answer })
      // The oldest request belongs to a past view.
      const [oldest] = this.waiting
      if (this.waiting.size > WAITING_MAX / 2 && oldest !== undefined) {
        this.waiting.delete(oldest[0])
        oldest[1].answer(UNSIGNED)
      }
      this.put(id, question)
    })
  }

  private put(id: number, question: Question): void {
    const { fence } = this
    if (fence === undefined || this.isAway) return
    if (question.kind === 'sign') {
      const { key, request } = question
      this.send({ kind: 'sign', value: { id, fence, key, request } })
    } else this.send({ kind: 'reveal', value: { id, fence, key: question.key, epoch: question.epoch } })
  }

  private send(message: NodeMessage): void {
    if (this.socket?.destroyed !== false) return
    this.socket.write(frameOf(nodeMessage, message))
    // After the duration of a lease without a response no node acts.
    const patienceMs = Math.min(HELLO_TIMEOUT_MS, this.leaseMs)
    this.silence ??= setTimeout(() => this.endLink(silent(this.options.place)), patienceMs)
  }

  private onAnswer(): void {
    clearTimeout(this.silence)
    this.silence = undefined
  }

  private renew(): void {
    const { fence } = this
    if (fence === undefined) return
    if (this.options.isShared && performance.now() > this.leasedUntilMs)
      return this.lose('the lease could not be renewed')
    this.send({ kind: 'lease', value: { fence } })
  }

  private lose(why: string): void {
    clearInterval(this.renewals)
    this.lostFence = this.fence ?? this.lostFence
    this.fence = undefined
    this.dropWaiting()
    this.options.onLost(new LedgerError('signer_lease_held', `this node no longer acts for its validator: ${why}`))
  }

  /** Dial once; resolves when the signer has greeted. */
  private dial(): Promise<void> {
    const { place, seed } = this.options
    const where = placeText(place)
    return new Promise((resolve, reject) => {
      const socket =
        place.kind === 'socket'
          ? connect(place.path)
          : connectTls({ ...clientOptions(linkIdentity(seed)), host: place.address.host, port: place.address.port })
      this.dialed = socket
      let fault: LedgerError | undefined
      const fail = (error: LedgerError): void => {
        fault ??= error
        socket.destroy()
      }
      const patience = setTimeout(() => fail(silent(place)), HELLO_TIMEOUT_MS)
      const reader = new FrameReader(signerMessage)
      socket.setNoDelay(true)
      socket.on('error', (error: NodeJS.ErrnoException) =>
        fail(
          new LedgerError('signer_unreachable', `cannot reach the signer at ${where} (${error.code ?? error.message})`),
        ),
      )
      socket.once('close', () => {
        clearTimeout(patience)
        reject(
          fault ??
            new LedgerError(
              'signer_refused',
              `the signer at ${where} closed the connection: does it list the key of this node?`,
            ),
        )
        if (this.socket === socket) this.left(fault)
      })
      socket.once(place.kind === 'socket' ? 'connect' : 'secureConnect', () => {
        const why =
          place.kind === 'socket' ? undefined : wrongKey(socket as Parameters<typeof authenticate>[0], place.key)
        if (why !== undefined) return fail(new LedgerError('signer_refused', `${where}: ${why}`))
        socket.write(frameOf(nodeMessage, { kind: 'hello', value: { version: SIGNER_WIRE_VERSION, node: this.node } }))
      })
      socket.on('data', (chunk: Buffer) => {
        const messages = reader.read(chunk)
        if (messages === undefined) return fail(new LedgerError('signer_refused', `${where} is not a signer`))
        if (this.socket === socket) this.onAnswer()
        for (const message of messages) {
          if (message.kind !== 'welcome') this.receive(message)
          else {
            const why = this.objection(message.value)
            if (why !== undefined) return fail(new LedgerError('signer_refused', `${where}: ${why}`))
            clearTimeout(patience)
            this.endLink = fail
            this.onWelcome(socket, message.value)
            resolve()
          }
        }
      })
    })
  }

  private objection({ version, chainHash, keys }: Welcome): string | undefined {
    if (version !== SIGNER_WIRE_VERSION) return 'the signer runs another release'
    if (!sameBytes(chainHash, this.options.chainHash)) return 'the signer signs for another chain'
    const before = this.welcome?.keys
    return before !== undefined && String(before) !== String(keys) ? 'the keys of the signer have changed' : undefined
  }

  private onWelcome(socket: Socket, welcome: Welcome): void {
    this.socket = socket
    this.welcome = welcome
    // Nothing was on its way on this connection; a signer that was set up anew may count from one.
    this.lostFence = 0
    this.redialMs = REDIAL_MIN_MS
    if (this.isAway)
      this.options.logger.info(
        { signer: placeText(this.options.place) },
        'the signer is connected again: this node votes again',
      )
    this.isAway = false
    if (this.fence === undefined) return
    this.send({ kind: 'lease', value: { fence: this.fence } })
    for (const [id, { question }] of this.waiting) this.put(id, question)
  }

  /** Handle the end of the connection; waiting requests are sent again on the next one. */
  private left(fault: LedgerError | undefined): void {
    this.socket = undefined
    this.onAnswer()
    this.answerLease(undefined)
    if (this.isClosed) return
    if (!this.isAway) {
      const fields = { signer: placeText(this.options.place), reason: fault?.message }
      this.options.logger.warn(fields, 'the signer is not connected: this node follows and does not vote')
    }
    this.isAway = true
    this.dialAgain()
  }

  private dialAgain(): void {
    if (this.isClosed) return
    this.redial = setTimeout(() => {
      this.redialMs = Math.min(REDIAL_MAX_MS, 2 * this.redialMs)
      this.dial().catch(() => this.dialAgain())
    }, this.redialMs)
  }

  private receive(message: Exclude<SignerMessage, { kind: 'welcome' }>): void {
    switch (message.kind) {
      case 'leased':
        if (message.value.fence <= this.lostFence) return
        this.leased()
        return this.answerLease(message)
      case 'held':
        if (this.fence !== undefined) return this.lose('another node has the lease')
        return this.answerLease(message)
      case 'signed':
        this.shownSignatureMs = Date.now()
        return this.answered(message.value.id, { type: 'signed', signatures: message.value.signatures })
      case 'refused': {
        const { id, code, recorded } = message.value
        this.options.logger.warn({ code }, 'the signer did not sign')
        if (code === 'lease_lost' && this.fence !== undefined) return this.lose('another node has the lease')
        return this.answered(id, { type: 'unsigned', recorded })
      }
    }
  }

  private answerLease(answer: LeaseAnswer | undefined): void {
    this.onLease?.(answer)
    this.onLease = undefined
  }

  private answered(id: number, answer: RemoteSignature): void {
    const one = this.waiting.get(id)
    this.waiting.delete(id)
    one?.answer(answer)
  }
}

const silent = (place: SignerPlace): LedgerError =>
  new LedgerError('signer_unreachable', `the signer at ${placeText(place)} does not respond`)

/** Reason why the key of the server is not the key of the signer; undefined if it is. */
function wrongKey(socket: Parameters<typeof authenticate>[0], expected: NetworkKey): string | undefined {
  const seen = authenticate(socket)
  if (!seen.ok) return seen.why
  if (seen.key === expected) return undefined
  return `the signer has another key: ${formatPublicKey({ algorithm: 'ed25519', bytes: keyBytes(seen.key) })}`
}
