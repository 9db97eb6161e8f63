/** One transaction stands for another where that is proven: the error, the instruction that failed, and what the other did. */

import { describe, expect, it } from 'vitest'
import { supersedes } from '../../../src/client/superseded.js'
import type { TransactionState } from '../../../src/client/wait.js'
import { signEd25519 } from '../../../src/crypto/index.js'
import { instructions as explorer } from '../../../src/features/explorer/schema/log.js'
import { claimKey, instructions as iso } from '../../../src/features/iso20022/schema/instructions.js'
import { accountKeyOf, type Instruction, instruction, NO_METADATA, sealTransaction } from '../../../src/model/index.js'
import { accountOf, alice, CHAIN, CODEC } from '../gateway/support.js'
import { DETAILS } from '../iso20022/support.js'

const submitter = accountOf(alice)
const claim = (messageId: string, body = 1): Instruction =>
  instruction(iso.claimMessage, {
    submitter,
    family: 'pacs008',
    messageId,
    idHash: claimKey(submitter, 'pacs008', messageId),
    bodyHash: Buffer.alloc(32, body),
    details: DETAILS,
  })
const log: Instruction = instruction(explorer.log, { level: 'info', text: 'hello' })

/** The proven record of a transaction; each has another time, as two gateways make them. */
let createdAtMs = 0
function signed(...value: readonly Instruction[]): Uint8Array {
  createdAtMs += 1
  const payload = {
    chain: CHAIN,
    authority: submitter,
    createdAtMs,
    ttlMs: 1_000,
    nonce: 1,
    metadata: NO_METADATA,
    executable: { kind: 'instructions' as const, value },
    dataspace: undefined,
  }
  const key = accountKeyOf('ed25519', alice.publicKey.bytes)
  return sealTransaction(payload, CODEC, key, (id) => signEd25519(alice.secret, id)).bytes
}
const approved = (...value: readonly Instruction[]): TransactionState => ({
  state: 'approved',
  transaction: signed(...value),
})
const rejected = (code: string, instruction: number | undefined, ...value: Instruction[]): TransactionState => ({
  state: 'rejected',
  transaction: signed(...value),
  rejection: { code, message: '', instruction },
})

describe('a paid claim', () => {
  it('supersedes the same claim of another gateway', () => {
    expect(supersedes(approved(claim('M1'), log), rejected('iso_duplicate_message', 0, claim('M1'), log), CODEC)).toBe(
      true,
    )
  })

  it.each<[string, TransactionState, TransactionState]>([
    ['of another message', approved(claim('M2')), rejected('iso_duplicate_message', 0, claim('M1'))],
    ['of another body', approved(claim('M1', 2)), rejected('iso_duplicate_message', 0, claim('M1'))],
    [
      'if something else failed',
      approved(claim('M1'), log),
      rejected('iso_duplicate_message', 1, claim('M2'), claim('M3')),
    ],
    ['if the error does not report a repetition', approved(claim('M1')), rejected('not_enough', 0, claim('M1'))],
    ['if no instruction failed', approved(claim('M1')), rejected('iso_duplicate_message', undefined, claim('M1'))],
    ['whose record is not proven', { state: 'approved' }, rejected('iso_duplicate_message', 0, claim('M1'))],
  ])('does not supersede a claim %s', (_what, paid, failed) => {
    expect(supersedes(paid, failed, CODEC)).toBe(false)
  })
})
