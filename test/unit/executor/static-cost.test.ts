// Static cost of a transaction: its signatures, its instructions, and every byte of its record.
import { describe, expect, it } from 'vitest'
import type { Json } from '../../../src/codec/index.js'
import { staticCost } from '../../../src/executor/index.js'
import { ABI_1 } from '../../../src/features/abi.js'
import {
  type Metadata,
  metadata,
  signedTransaction,
  TRANSACTION_METADATA_MAX_BYTES,
  transactionMetadata,
} from '../../../src/model/index.js'
import { codec, signedBy, type TestAccount, testAccount } from '../../support/chain.js'
import * as core from '../../support/core.js'

const alice: TestAccount = await testAccount('alice')
const noted = (text: string): Metadata => new Map([['note', text]])
/** Length and units of a record with this metadata. */
function record(held: Metadata): { readonly bytes: number; readonly teu: number } {
  const { bytes } = signedBy(alice, [core.log('x')], 1, 100_000, codec, held)
  const decoded = signedTransaction.decode(bytes, codec)
  if (!decoded.ok) throw new Error(decoded.fault.message)
  return { bytes: bytes.length, teu: staticCost(ABI_1, decoded.value, bytes.length).teu }
}

describe('the metadata of a transaction', () => {
  it('costs a unit per 16 bytes, like all of its record', () => {
    const [small, large] = [record(noted('')), record(noted('x'.repeat(16_000)))]
    expect(large.bytes - small.bytes).toBeGreaterThanOrEqual(16_000)
    expect(large.teu - small.teu).toBe(Math.ceil(large.bytes / 16) - Math.ceil(small.bytes / 16))
  })

  it('costs more units for more JSON parts: one for two lists or one field, three for an object', () => {
    const of = (value: Json) => record(new Map([['note', value]]))
    const beyondBytes = (value: Json) =>
      of(value).teu - Math.ceil(of(value).bytes / 16) - (of('').teu - Math.ceil(of('').bytes / 16))
    expect(beyondBytes('[{"a":1}]')).toBe(0)
    expect(beyondBytes(Array.from({ length: 99 }, () => []))).toBe(50)
    expect(beyondBytes({ a: 1, b: { c: 2 } })).toBe(9)
  })

  it('has at most 16 KiB, and a larger value can be neither encoded nor decoded', () => {
    const full = noted('x'.repeat(TRANSACTION_METADATA_MAX_BYTES - 20))
    expect(transactionMetadata.decode(transactionMetadata.encode(full))).toMatchObject({ ok: true })
    const tooMuch = new Map([...full, ['more', 'x'.repeat(100)]])
    expect(() => transactionMetadata.encode(tooMuch)).toThrow(`${TRANSACTION_METADATA_MAX_BYTES} bytes`)
    expect(transactionMetadata.decode(metadata.encode(tooMuch))).toMatchObject({ ok: false })
    expect(() => signedBy(alice, [core.log('x')], 1, 100_000, codec, tooMuch)).toThrow()
  })
})
