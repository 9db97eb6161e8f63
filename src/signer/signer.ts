/** Owns the signing of a signer: one request of a key after another, each decided by its record, durable before it is answered. */
import { decideSigning, type SignedRecord, type SignRequest, verifyAll } from '../consensus/index.js'
import { revealSignBytes } from '../consensus/npos/index.js'
import { type CryptoService, hash } from '../crypto/index.js'
import { keyBytes, LedgerError, type ValidatorKey } from '../model/index.js'
import type { KeyRecordLog } from './record-log.js'
import type { RefusalCode } from './wire.js'

/** What came of a request. */
export type SignOutcome =
  | { readonly ok: true; readonly signatures: readonly Uint8Array[] }
  | { readonly ok: false; readonly code: RefusalCode; readonly recorded: readonly SignedRecord[] }

/** A key and its record. */
export interface HeldKey {
  readonly key: ValidatorKey
  readonly secret: Uint8Array
  readonly log: KeyRecordLog
}

const refused = (code: RefusalCode, recorded: readonly SignedRecord[] = []): SignOutcome => ({
  ok: false,
  code,
  recorded,
})

/** Everything that signs with the keys of one validator. */
export class Signer {
  /** What was asked of each key before: the next request waits for it. */
  private readonly turns = new Map<ValidatorKey, Promise<unknown>>()

  private constructor(
    private readonly crypto: CryptoService,
    private readonly chainHash: Uint8Array,
    private readonly held: ReadonlyMap<ValidatorKey, HeldKey>,
  ) {}

  /** Takes the keys, by preference, and finds one that does not work before a node needs it. Throws `key_file_invalid`. */
  static async open(crypto: CryptoService, chainHash: Uint8Array, held: readonly HeldKey[]): Promise<Signer> {
    for (const { key, secret } of held) {
      crypto.addBlsKey(key, secret)
      // No consensus message begins like a tagged hash, so this signature is worth nothing elsewhere.
      const message = hash('consensus-key-check', keyBytes(key))
      const [signature] = await crypto.blsSign(key, [message])
      if (signature === undefined || !(await crypto.blsVerify(keyBytes(key), message, signature))) {
        throw new LedgerError('key_file_invalid', 'the secret of the validator key does not belong to its public key')
      }
    }
    return new Signer(crypto, chainHash, new Map(held.map((one) => [one.key, one])))
  }

  /** Keys by preference. */
  get keys(): readonly ValidatorKey[] {
    return [...this.held.keys()]
  }

  /** Signs what the rules allow. A rejection means that the record cannot be trusted any more: the process must end. */
  sign(key: ValidatorKey, request: SignRequest): Promise<SignOutcome> {
    const held = this.held.get(key)
    if (held === undefined) return Promise.resolve(refused('no_such_key'))
    const turn = (this.turns.get(key) ?? Promise.resolve()).then(() => this.decide(held, request))
    this.turns.set(key, turn)
    return turn
  }

  /** The signature that an epoch's randomness is made of: it has one content, whoever asks and however often. */
  async reveal(key: ValidatorKey, epoch: number): Promise<SignOutcome> {
    if (!this.held.has(key)) return refused('no_such_key')
    return { ok: true, signatures: await this.crypto.blsSign(key, [revealSignBytes(this.chainHash, epoch)]) }
  }

  private async decide({ key, log }: HeldKey, request: SignRequest): Promise<SignOutcome> {
    const verdict = decideSigning({ key, chainHash: this.chainHash }, log.record, request)
    if (!verdict.ok) return verdict
    if (!(await verifyAll(this.crypto, verdict.checks))) return refused('certificate_invalid')
    const fresh = verdict.statements.filter(({ known }) => known === undefined)
    const made = await this.crypto.blsSign(
      key,
      fresh.map(({ message }) => message),
    )
    const signed = fresh.map(({ record }, at) => record(made[at] ?? missing()))
    if (signed.length > 0) await log.append(signed)
    const signatures = verdict.statements.map(({ known }) => known ?? made.shift() ?? missing())
    return { ok: true, signatures }
  }
}

function missing(): never {
  throw new Error('a signature is missing')
}
