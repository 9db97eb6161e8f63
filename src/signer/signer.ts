/**
 * Owns the signing of a signer: one request per key at a time, each decided by the record of the key, which is durable
 * before the response.
 */
import {
  addConsensusKey,
  decideSigning,
  freshMessages,
  type SignedRecord,
  type SignRequest,
  verifyAll,
  withFresh,
} from '../consensus/index.js'
import { revealSignBytes } from '../consensus/npos/index.js'
import type { CryptoService, KeyPair } from '../crypto/index.js'
import { keyString, type ValidatorKey } from '../model/index.js'
import type { KeyRecordLog } from './record-log.js'
import type { RefusalCode } from './wire.js'

/** Result of a signing request. */
export type SignOutcome =
  | { readonly ok: true; readonly signatures: readonly Uint8Array[] }
  | { readonly ok: false; readonly code: RefusalCode; readonly recorded: readonly SignedRecord[] }

/** Key with its record. */
export interface HeldKey {
  readonly pair: KeyPair
  readonly log: KeyRecordLog
}

const refused = (code: RefusalCode, recorded: readonly SignedRecord[] = []): SignOutcome => ({
  ok: false,
  code,
  recorded,
})

/** Signs with the keys of one validator. */
export class Signer {
  /** Last request of each key; the next request waits for it. */
  private readonly turns = new Map<ValidatorKey, Promise<unknown>>()

  private constructor(
    private readonly crypto: CryptoService,
    private readonly chainHash: Uint8Array,
    private readonly held: ReadonlyMap<ValidatorKey, HeldKey>,
  ) {}

  /**
   * Load the keys, in order of preference, and detect an unusable one before a node needs it. Throws
   * `key_file_invalid`.
   */
  static async open(crypto: CryptoService, chainHash: Uint8Array, held: readonly HeldKey[]): Promise<Signer> {
    for (const { pair } of held) await addConsensusKey(crypto, pair)
    return new Signer(crypto, chainHash, new Map(held.map((one) => [keyString(one.pair.publicKey.bytes), one])))
  }

  /** Keys by preference. */
  get keys(): readonly ValidatorKey[] {
    return [...this.held.keys()]
  }

  /** Sign what the rules allow. A rejection means that the record cannot be trusted any more: the process must end. */
  sign(key: ValidatorKey, request: SignRequest): Promise<SignOutcome> {
    const held = this.held.get(key)
    if (held === undefined) return Promise.resolve(refused('no_such_key'))
    const turn = (this.turns.get(key) ?? Promise.resolve()).then(() => this.decide(key, held, request))
    this.turns.set(key, turn)
    return turn
  }

  /**
   * Sign for the randomness of an epoch. The content is fixed, independent of the caller and the number of requests.
   */
  async reveal(key: ValidatorKey, epoch: number): Promise<SignOutcome> {
    if (!this.held.has(key)) return refused('no_such_key')
    return { ok: true, signatures: await this.crypto.blsSign(key, [revealSignBytes(this.chainHash, epoch)]) }
  }

  private async decide(key: ValidatorKey, { log }: HeldKey, request: SignRequest): Promise<SignOutcome> {
    const decision = decideSigning({ key, chainHash: this.chainHash }, log.record, request)
    if (!decision.ok) return decision
    if (!(await verifyAll(this.crypto, decision.checks))) return refused('certificate_invalid')
    const made = await this.crypto.blsSign(key, freshMessages(decision.statements))
    const { signatures, signed } = withFresh(decision.statements, made)
    if (signed.length > 0) await log.append(signed)
    return { ok: true, signatures }
  }
}
