/** Which decoded transactions are acceptable at a time: every bound from both sides. */
import { describe, expect, it } from 'vitest'
import { lazyOf } from '../../../src/codec/index.js'
import {
  AbiSchedule,
  type TransactionLimits,
  transactionFault,
  transactionLimitsOf,
} from '../../../src/executor/index.js'
import { ABI_1 } from '../../../src/features/abi.js'
import {
  type Instruction,
  keyOfAccount,
  LedgerError,
  NO_METADATA,
  type SignedTransaction,
  type TransactionPayload,
  transactionPayload,
} from '../../../src/model/index.js'
import { CHAIN, codec, type TestAccount, testAccount } from '../../support/chain.js'
import * as core from '../../support/core.js'
import { Bench } from '../../support/executor.js'

const alice: TestAccount = await testAccount('alice')
const NOW = 1_000_000
const LIMITS: TransactionLimits = {
  ...transactionLimitsOf(new Bench().state),
  maxTtlMs: 600_000,
  maxInstructions: 3,
  maxTxBytes: 10_000,
  maxClockDriftMs: 500,
}

interface Asked {
  readonly payload?: Partial<TransactionPayload>
  readonly count?: number
  readonly signatureBytes?: number
  readonly bytes?: number
}

function faultOf({ payload = {}, count = 1, signatureBytes = 64, bytes = 500 }: Asked): string | undefined {
  const list: Instruction[] = Array.from({ length: count }, () => core.log('x'))
  const value: TransactionPayload = {
    chain: CHAIN,
    authority: alice.id,
    createdAtMs: NOW,
    ttlMs: 1_000,
    nonce: 1,
    executable: { kind: 'instructions', value: list },
    metadata: NO_METADATA,
    dataspace: undefined,
    ...payload,
  }
  const publicKey = keyOfAccount(alice.id) ?? ''
  const signed: SignedTransaction = {
    payload: lazyOf(transactionPayload, value, codec),
    signatures: [{ publicKey, signature: Buffer.alloc(signatureBytes) }],
    policy: undefined,
  }
  return transactionFault({ abi: ABI_1, chain: CHAIN, limits: LIMITS, timeMs: NOW }, bytes, signed)?.code
}

describe('a transaction', () => {
  it.each<[string, Asked, string]>([
    ['for another chain', { payload: { chain: 'other' } }, 'chain_mismatch'],
    ['without a time to live', { payload: { ttlMs: 0 } }, 'transaction_limit'],
    ['with a time to live above the limit', { payload: { ttlMs: 600_001 } }, 'ttl_too_long'],
    ['dated in the future', { payload: { createdAtMs: NOW + 501 } }, 'transaction_in_future'],
    ['that has expired', { payload: { createdAtMs: NOW - 1_000 } }, 'transaction_expired'],
    ['without instructions', { count: 0 }, 'transaction_limit'],
    ['with too many instructions', { count: 4 }, 'transaction_limit'],
    ['with too many bytes', { bytes: 10_001 }, 'transaction_limit'],
    ['with a signature that is too short', { signatureBytes: 63 }, 'signature_invalid'],
    ['with a signature that is too long', { signatureBytes: 65 }, 'signature_invalid'],
  ])('%s is refused', (_what, asked, code) => expect(faultOf(asked)).toBe(code))

  it.each<[string, Asked]>([
    ['with the maximum time to live', { payload: { ttlMs: 600_000 } }],
    ['with the maximum clock difference', { payload: { createdAtMs: NOW + 500 } }],
    ['in its last millisecond', { payload: { createdAtMs: NOW - 999 } }],
    ['with the maximum number of instructions', { count: 3 }],
    ['with the maximum number of bytes', { bytes: 10_000 }],
  ])('%s is accepted', (_what, asked) => expect(faultOf(asked)).toBeUndefined())
})

describe('the ABI of a height', () => {
  const line = new AbiSchedule(new Map([[ABI_1.number, ABI_1]]), ABI_1)

  it('is used if this release supports its number, and its hash if it is known', () => {
    for (const hash of [undefined, ABI_1.hash]) {
      line.switchTo({ number: ABI_1.number, hash }, 7)
      expect(line.abi.number).toBe(ABI_1.number)
    }
  })

  it.each([
    ['number', { number: 99, hash: undefined }],
    ['hash', { number: ABI_1.number, hash: Buffer.alloc(32, 1) }],
  ])('stops the node before that height if its %s is unsupported', (_what, needed) => {
    expect(() => line.switchTo(needed, 7)).toThrow(LedgerError)
    expect(() => line.switchTo(needed, 7)).toThrow(/height 7 runs under ABI \d+, which this release does not support/)
  })
})
