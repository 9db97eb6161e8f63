/** Owns passkeys on disk: public keys, their owners, and the counter of each. They contain no secrets. */
import { bytes, type CodecContext, type Infer, option, string, struct, u32, varint } from '../../../codec/index.js'
import { accountId } from '../../../model/index.js'
import type { IntegrationStore } from '../../../storage/integration-store.js'
import { LABEL_MAX_BYTES, passkeyId } from '../schema.js'

/**
 * Maximum length of a credential id (WebAuthn level 3, section 4), and of its COSE key, in bytes: ES256 and EdDSA stay
 * below 100.
 */
const CREDENTIAL_MAX_BYTES = 1_023
const KEY_MAX_BYTES = 256

export interface PasskeyRecord extends Infer<typeof passkeyRecord> {}
const passkeyRecord = struct('PasskeyRecord', {
  id: passkeyId,
  label: string(LABEL_MAX_BYTES),
  /** Account of the operator key that signed for its ticket. */
  account: accountId,
  credential: bytes(CREDENTIAL_MAX_BYTES),
  /** COSE key. */
  publicKey: bytes(KEY_MAX_BYTES),
  /** Signature counter of its authenticator; 0: not supported. */
  counter: u32,
  createdAtMs: varint,
  lastUsedAtMs: option(varint),
})

const PREFIX = 'passkey:'

export class PasskeyRecords {
  constructor(
    private readonly store: IntegrationStore,
    private readonly codec: CodecContext,
  ) {}

  /** All readable records; an unreadable record is reported without affecting others. */
  async all(onDamage: (error: unknown) => void): Promise<PasskeyRecord[]> {
    const found: PasskeyRecord[] = []
    for (const [key, value] of await this.store.list(PREFIX)) {
      const decoded = passkeyRecord.decode(value, this.codec)
      if (decoded.ok) found.push(decoded.value)
      else onDamage(new Error(`the record ${key} does not decode: ${decoded.fault.message}`))
    }
    return found
  }

  /** Write a record and sync it, so that a power failure loses neither a new passkey nor a counter. */
  put(record: PasskeyRecord): Promise<void> {
    return this.store.write([[`${PREFIX}${record.id}`, passkeyRecord.encode(record, this.codec)]], true)
  }

  remove(id: string): Promise<void> {
    return this.store.write([[`${PREFIX}${id}`, undefined]], true)
  }
}
