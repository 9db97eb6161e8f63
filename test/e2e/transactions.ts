/** Owns the transactions of the end-to-end tests, good ones and spoilt ones, as bodies of `POST /transaction`. */

import { TRANSACTION_FRAME } from '../../src/api/index.js'
import {
  buildTransaction,
  type CausewayClient,
  signTransaction,
  type TransactionInput,
} from '../../src/client/index.js'
import { type CodecContext, lazyOf } from '../../src/codec/index.js'
import { generateKeyPair, type KeyPair } from '../../src/crypto/index.js'
import { instructions as metadata } from '../../src/features/metadata/schema.js'
import { readKeyFile } from '../../src/files/key-file.js'
import {
  accountKeyOf,
  accountOfKey,
  anyInstruction,
  formatAddress,
  type Instruction,
  instruction,
  type SignedTransaction,
  signedTransaction,
  transactionPayload,
} from '../../src/model/index.js'
import { METADATA_VALUE_MAX_BYTES, TRANSACTION_MAX_BYTES } from '../../src/model/limits.js'

export const CODEC_TYPE = 'application/x-codec'

/** A body with its media type. */
export interface Body {
  readonly bytes: Buffer
  readonly type: string | undefined
}
export const framed = (record: Uint8Array): Body => ({ bytes: TRANSACTION_FRAME.wrap(record), type: CODEC_TYPE })
export const raw = (bytes: Buffer | string, type: string | undefined = CODEC_TYPE): Body => ({
  bytes: Buffer.from(bytes),
  type,
})

/** A body as `record` reads but with one byte more than it needs for its first length. */
export function overlong(record: Buffer): Buffer {
  let end = 0
  while ((record[end]! & 0x80) !== 0) end += 1
  return Buffer.concat([record.subarray(0, end), Buffer.of(record[end]! | 0x80, 0), record.subarray(end + 1)])
}

/** Makes transactions of one account that pay cents to another. */
export class Payer {
  private constructor(
    readonly chain: string,
    readonly codec: CodecContext,
    readonly pair: KeyPair,
    private readonly to: string,
    private readonly prefix: string,
  ) {}

  static async open(client: CausewayClient, keyFile: string, to: string): Promise<Payer> {
    const { chain, addressPrefix } = await client.chain()
    const { id } = await client.account(to)
    const address = formatAddress(id, addressPrefix)
    return new Payer(chain, await client.codec(), await readKeyFile(keyFile), address, addressPrefix)
  }

  /** The same payer with a key that no ledger knows. */
  async unregistered(): Promise<Payer> {
    return new Payer(this.chain, this.codec, await generateKeyPair('ed25519'), this.to, this.prefix)
  }

  get authority() {
    return accountOfKey(accountKeyOf('ed25519', this.pair.publicKey.bytes))
  }

  /** JSON twin of the transfer of an amount. */
  jsonForm(amount = '0.01', to = this.to) {
    const account = formatAddress(this.authority, this.prefix)
    return { Transfer: { asset: { definition: 'eur#bank', account }, to, amount } }
  }

  private instruction(amount?: string): Instruction {
    const decoded = anyInstruction.fromJson(this.jsonForm(amount), this.codec)
    if (!decoded.ok) throw new Error(decoded.fault.message)
    return decoded.value
  }

  draft(change: Partial<TransactionInput> & { readonly amount?: string } = {}) {
    const { amount, ...rest } = change
    const instructions = [this.instruction(amount)]
    return buildTransaction({
      chain: this.chain,
      authority: this.authority,
      instructions,
      codec: this.codec,
      ...rest,
    })
  }

  /** Canonical bytes of a signed transfer of a cent. */
  async signed(change: Partial<TransactionInput> & { readonly amount?: string } = {}): Promise<Buffer> {
    return (await signTransaction(this.draft(change), this.pair)).bytes
  }

  /** Canonical bytes of a signed transaction of many transfers. */
  many(count: number): Promise<Buffer> {
    return this.signed({ instructions: Array.from({ length: count }, () => this.instruction()) })
  }

  /** Canonical bytes of a signed transaction of some hundred bytes more than a MiB, in notes. */
  async large(): Promise<Buffer> {
    const target = { kind: 'account' as const, value: this.authority }
    const note = (key: string, bytes: number): Instruction =>
      instruction(metadata.setKeyValue, { target, key, value: 'x'.repeat(bytes) })
    const full = Array.from({ length: 63 }, (_, index) => note(`note${index}`, METADATA_VALUE_MAX_BYTES - 2))
    const { length } = await this.signed({ instructions: full })
    return this.signed({ instructions: [...full, note('last', TRANSACTION_MAX_BYTES + 500 - length)] })
  }

  /** A signed transfer whose record is changed before it is encoded. */
  async changed(change: (signed: SignedTransaction) => SignedTransaction): Promise<Buffer> {
    const draft = this.draft()
    const decoded = signedTransaction.decode((await signTransaction(draft, this.pair)).bytes, this.codec)
    if (!decoded.ok) throw new Error(decoded.fault.message)
    const payload = lazyOf(transactionPayload, draft.payload, this.codec)
    return signedTransaction.encode(change({ ...decoded.value, payload }), this.codec)
  }

  /** JSON twin of a signed transfer. */
  async signedJson(): Promise<Record<string, never>> {
    const decoded = signedTransaction.decode(await this.signed(), this.codec)
    if (!decoded.ok) throw new Error(decoded.fault.message)
    return signedTransaction.toJson(decoded.value, this.codec) as Record<string, never>
  }
}
