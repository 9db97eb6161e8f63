/** Owns a simulated signer: the rules of the product, a record that survives its crashes, and its nodes. */
import {
  decideSigning,
  emptyRecord,
  freshMessages,
  type KeyRecord,
  type SignedRecord,
  type SignRequest,
  type Statement,
  signedRecord,
  withFresh,
  withSigned,
} from '../consensus/index.js'
import type { ValidatorKey } from '../model/index.js'
import type { ChainRules } from './chain-rules.js'
import type { InvariantChecker } from './checker.js'
import type { VirtualClock } from './clock.js'
import type { Random } from './prng.js'

/** Environment of a signer. */
export interface SignerSurroundings {
  readonly clock: VirtualClock
  readonly checker: InvariantChecker
  readonly rules: ChainRules
  isHealed(): boolean
}

/** Response to a node, which matches it to its job. */
export type SignerAnswer =
  | { readonly type: 'signed'; readonly signatures: readonly Uint8Array[] }
  | { readonly type: 'unsigned'; readonly recorded: readonly SignedRecord[] }

interface Question {
  readonly key: ValidatorKey
  readonly request: SignRequest
  readonly answer: (answer: SignerAnswer) => void
}

/** Maximum time between crashes of a signer, and maximum downtime, in virtual ms. */
const CRASH_EVERY_MS = 3_000
const DOWN_MS = 400
/** Number of the signer for the checker, which no node has. */
const SIGNER = -1

/**
 * Signer that processes one request at a time and responds when its record is on disk; nodes retry after its downtime.
 */
export class SimulatedSigner {
  /** Content of its disk, as bytes. */
  private readonly disk = new Map<ValidatorKey, Buffer[]>()
  private readonly records = new Map<ValidatorKey, KeyRecord>()
  private readonly questions: Question[] = []
  private isUp = true
  private isBusy = false
  private life = 0

  constructor(
    private readonly world: SignerSurroundings,
    private readonly random: Random,
  ) {
    this.planCrash()
  }

  ask(key: ValidatorKey, request: SignRequest, answer: (answer: SignerAnswer) => void): void {
    this.questions.push({ key, request, answer })
    this.next()
  }

  private planCrash(): void {
    const { clock } = this.world
    clock.after(this.random.next() * CRASH_EVERY_MS, () => {
      if (this.world.isHealed()) return
      this.life += 1
      this.isUp = false
      this.isBusy = false
      clock.after(this.random.next() * DOWN_MS, () => this.restart())
      this.planCrash()
    })
  }

  private restart(): void {
    this.records.clear()
    for (const [key, lines] of this.disk) {
      const read = lines.map((line) => signedRecord.decode(line))
      const record = read.reduce((sum, one) => (one.ok ? withSigned(sum, one.value) : sum), emptyRecord(0))
      this.records.set(key, record)
    }
    this.isUp = true
    this.next()
  }

  private next(): void {
    const [question] = this.questions
    if (question === undefined || !this.isUp || this.isBusy) return
    this.isBusy = true
    const { key, request } = question
    const { chainHash } = request
    const decision = decideSigning({ key, chainHash }, this.records.get(key) ?? emptyRecord(0), request)
    if (!decision.ok) return this.end({ type: 'unsigned', recorded: decision.recorded })
    if (!decision.checks.every(this.world.rules.signatures.verify)) return this.end({ type: 'unsigned', recorded: [] })
    this.sign(key, decision.statements)
  }

  private sign(key: ValidatorKey, statements: readonly Statement[]): void {
    const { signatures: by } = this.world.rules
    const made = freshMessages(statements).map((message) => by.sign(key, message))
    const { signatures, signed } = withFresh(statements, made)
    const { life } = this
    this.world.clock.after(0.2 + this.random.next() * 3, () => {
      if (this.life !== life) return
      this.disk.set(key, [...(this.disk.get(key) ?? []), ...signed.map((one) => signedRecord.encode(one))])
      this.records.set(key, signed.reduce(withSigned, this.records.get(key) ?? emptyRecord(0)))
      this.world.checker.signedBy(SIGNER, signed)
      this.end({ type: 'signed', signatures })
    })
  }

  private end(answer: SignerAnswer): void {
    this.isBusy = false
    this.questions.shift()?.answer(answer)
    this.next()
  }
}
