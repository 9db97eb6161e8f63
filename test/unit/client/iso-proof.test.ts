/** A payment message that a gateway calls settled: believed where its transaction is final and claims this very message. */

import { describe, expect, test } from 'vitest'
import type { TransactionState } from '../../../src/client/index.js'
import { provenRecord } from '../../../src/client/iso-proof.js'
import type { AskedRow } from '../../../src/client/state-rows.js'
import type { Transactions } from '../../../src/client/transactions.js'
import { signEd25519 } from '../../../src/crypto/index.js'
import { instructions as assets } from '../../../src/features/assets/schema/instructions.js'
import { ISO_TABLES } from '../../../src/features/iso20022/schema/ids.js'
import { claimKey, instructions as iso, isoBodyHash } from '../../../src/features/iso20022/schema/instructions.js'
import { type Claim, claim, type MessageHead, messageHead } from '../../../src/features/iso20022/schema/messages.js'
import {
  type AccountId,
  accountKeyOf,
  formatAddress,
  formatAsset,
  type Instruction,
  instruction,
  NO_METADATA,
  sealTransaction,
} from '../../../src/model/index.js'
import { accountOf, alice, bob, CHAIN, CODEC } from '../gateway/support.js'
import { DETAILS } from '../iso20022/support.js'

const BODY = Buffer.from('<Document>a payment</Document>')
/** Knowledge of the client. */
const ASKED = { messageId: 'M-1', submitter: accountOf(alice), body: BODY }
const settled = {
  message_id: 'M-1',
  family: 'Pacs008',
  pacs002_code: 'ACSC',
  transaction_hash: 'ab'.repeat(32),
  source_account_id: formatAddress(accountOf(alice), 'cw'),
  target_account_id: formatAddress(accountOf(bob), 'cw'),
  asset_definition_id: 'usd#bank',
  asset_id: formatAsset({ definition: 'usd#bank', account: accountOf(alice) }, 'cw'),
  amount: '100.00',
  currency: DETAILS.currency,
  settlement_date: DETAILS.settlementDate,
  end_to_end_id: DETAILS.endToEndId,
}
/** False responses of a gateway about a payment that is on the ledger. */
const OTHER_FIELDS = {
  source_account_id: formatAddress(accountOf(bob), 'cw'),
  target_account_id: formatAddress(accountOf(alice), 'cw'),
  asset_definition_id: 'eur#bank',
  asset_id: formatAsset({ definition: 'usd#bank', account: accountOf(bob) }, 'cw'),
  amount: '1000000',
  currency: 'USD',
  settlement_date: '2026-03-03',
  instruction_id: 'I-2',
  end_to_end_id: null,
  sender_transaction_id: 'T-2',
  uetr: '00000000-0000-4000-8000-000000000000',
}

const MOVED = {
  source: accountOf(alice),
  target: accountOf(bob),
  definition: 'usd#bank',
  amount: { mantissa: 100n, scale: 0 },
  aliases: [],
}

/** A signed transaction with the payment, and whatever else may share it. */
function sharedPayment(): Buffer {
  const message = {
    submitter: accountOf(alice),
    family: 'pacs008' as const,
    messageId: 'M-1',
    bodyHash: isoBodyHash(BODY),
    payments: 1,
    batchBooking: false,
    refused: [],
    parts: [{ place: 1, details: DETAILS, ...MOVED }],
  }
  return sealed([instruction(iso.settlePayments, { messages: [message] })], accountOf(alice))
}

/** The signed record of a bridge for a message. */
function payment(messageId: string, body: Uint8Array, submitter = accountOf(alice)): Buffer {
  const claim = {
    submitter,
    family: 'pacs008' as const,
    messageId,
    idHash: claimKey(submitter, 'pacs008', messageId),
    bodyHash: isoBodyHash(body),
    details: DETAILS,
  }
  const { source, target, definition, amount } = MOVED
  return sealed(
    [
      instruction(iso.claimMessage, claim),
      instruction(assets.transfer, { asset: { definition, account: source }, to: target, amount }),
    ],
    submitter,
  )
}

function sealed(list: readonly Instruction[], authority: AccountId): Buffer {
  const payload = {
    chain: CHAIN,
    authority,
    createdAtMs: 1,
    ttlMs: 1_000,
    nonce: 1,
    executable: { kind: 'instructions' as const, value: list },
    metadata: NO_METADATA,
    dataspace: undefined,
  }
  const key = accountKeyOf('ed25519', alice.publicKey.bytes)
  return sealTransaction(payload, CODEC, key, (id) => signEd25519(alice.secret, id)).bytes
}
const clientOf = (isPinned: boolean, proven: TransactionState): Transactions =>
  ({
    isPinned,
    status: async () => ({ state: 'approved', height: 7 }),
    prove: async () => proven,
    codec: async () => CODEC,
  }) as unknown as Transactions
const inBlock = (transaction: Uint8Array): TransactionState => ({ state: 'approved', transaction, proof: 'verified' })

test('a payment status is unverified if nothing is pinned or it is not settled', async () => {
  const honest = inBlock(payment('M-1', BODY))
  expect(await provenRecord(clientOf(false, honest), settled, ASKED)).toEqual({ ...settled, proof: 'unverified' })
  const held = { ...settled, pacs002_code: 'PDNG' }
  expect(await provenRecord(clientOf(true, honest), held, ASKED)).toEqual({ ...held, proof: 'unverified' })
})

test('a payment status is proven by its own transaction, with or without the body', async () => {
  const client = clientOf(true, inBlock(payment('M-1', BODY)))
  for (const body of [BODY, undefined])
    expect(await provenRecord(client, settled, { ...ASKED, body })).toEqual({ ...settled, proof: 'verified' })
})

describe('a payment status is not trusted', () => {
  test.each<[string, TransactionState, Partial<typeof settled> | { transaction_hash: null } | { submitter: string }]>([
    ['with the record of another message, which settled', inBlock(payment('M-2', BODY)), { message_id: 'M-2' }],
    ['with a claim of another submitter', inBlock(payment('M-1', BODY, accountOf(bob))), {}],
    [
      'as a message of another submitter',
      inBlock(payment('M-1', BODY)),
      { submitter: formatAddress(accountOf(bob), 'cw') },
    ],
    ['with the transaction of another message', inBlock(payment('M-2', BODY)), {}],
    ['with the transaction of another body under the same id', inBlock(payment('M-1', Buffer.from('x'))), {}],
    ['as a message of another family', inBlock(payment('M-1', BODY)), { family: 'Pacs009' }],
    ['without a transaction', inBlock(payment('M-1', BODY)), { transaction_hash: null }],
    ['with a transaction that was rejected', { state: 'rejected', proof: 'verified' }, {}],
    ['with a transaction that is still queued', { state: 'queued', proof: 'unverified' }, {}],
  ])('%s', async (_what, proven, change) => {
    await expect(provenRecord(clientOf(true, proven), { ...settled, ...change }, ASKED)).rejects.toMatchObject({
      code: 'proof_invalid',
    })
  })
})

test.each(Object.entries(OTHER_FIELDS))(
  'a payment status is not trusted if its %s differs from the payment',
  async (name, value) => {
    const record = { ...settled, [name]: value }
    await expect(provenRecord(clientOf(true, inBlock(payment('M-1', BODY))), record, ASKED)).rejects.toMatchObject({
      code: 'proof_invalid',
      message: expect.stringContaining(name) as string,
    })
  },
)

const DECIDED = { transactionHash: Buffer.alloc(32, 0xab), receivedAtMs: 1, height: 3, timeMs: 2 }
const MESSAGE = {
  submitter: accountOf(alice),
  family: 'pacs008' as const,
  messageId: 'M-1',
  bodyHash: isoBodyHash(BODY),
}
const PAID: Claim = { ...MESSAGE, details: DETAILS, ...MOVED, ...DECIDED }
/** A gateway that proves a transaction, and the rows of a ledger with this payment, or with none. */
const withRows = (paid: Claim | undefined, proven: TransactionState): Transactions =>
  ({
    ...clientOf(true, proven),
    provenRow: async ({ tableId, keyBytes }: AskedRow) => {
      expect(tableId).toBe(ISO_TABLES.claims)
      const isThere = paid && Buffer.compare(keyBytes, claimKey(paid.submitter, paid.family, paid.messageId)) === 0
      return { value: isThere ? claim.encode(paid, CODEC) : undefined, height: 9 }
    },
  }) as unknown as Transactions

describe('the status of a payment in a transaction with other payments', () => {
  test('is proven if the ledger records it as paid, and not trusted if it failed', async () => {
    const shared = inBlock(sharedPayment())
    expect(await provenRecord(withRows(PAID, shared), settled, ASKED)).toEqual({ ...settled, proof: 'verified' })
    await expect(provenRecord(withRows(undefined, shared), settled, ASKED)).rejects.toMatchObject({
      code: 'proof_invalid',
    })
  })
})

describe('the status of a message with two payments', () => {
  const { bodyHash } = MESSAGE
  const record = {
    message_id: 'M-1',
    family: 'Pacs008',
    pacs002_code: 'ACSC',
    number_of_transactions: 2,
    body_hash: Buffer.from(bodyHash).toString('hex'),
    status_counts: [{ pacs002_code: 'ACSC', number_of_transactions: 2 }],
  }
  const withHead = (change: Partial<MessageHead>): Transactions => {
    const head: MessageHead = { ...MESSAGE, payments: 2, settled: 2, rejected: 0, refused: 0, ...DECIDED, ...change }
    const provenRow = async () => ({ value: messageHead.encode(head, CODEC), height: 9 })
    return { ...clientOf(true, { state: 'unknown' }), provenRow } as unknown as Transactions
  }

  test('is proven by the message head on the ledger', async () => {
    expect(await provenRecord(withHead({}), record, ASKED)).toEqual({ ...record, proof: 'verified' })
  })

  test.each<[string, Partial<MessageHead>]>([
    ['if one of them failed', { settled: 1, rejected: 1 }],
    ['if it has three', { payments: 3 }],
    ['if the ledger has another body', { bodyHash: Buffer.alloc(32, 1) }],
  ])('is not trusted %s', async (_what, change) => {
    await expect(provenRecord(withHead(change), record, ASKED)).rejects.toMatchObject({ code: 'proof_invalid' })
  })
})

describe('a payment status from a node that pruned its block', () => {
  const pruned = (paid: Claim | undefined): Transactions => withRows(paid, { state: 'unknown' })

  test('is proven by the claims of paid messages on the ledger, with or without the body', async () => {
    for (const body of [BODY, undefined])
      expect(await provenRecord(pruned(PAID), settled, { ...ASKED, body })).toEqual({ ...settled, proof: 'verified' })
  })

  test('is proven by the message id alone, for the submitter named in the record', async () => {
    const record = { ...settled, submitter: formatAddress(accountOf(alice), 'cw') }
    expect(await provenRecord(pruned(PAID), record, { messageId: 'M-1' })).toMatchObject({ proof: 'verified' })
  })

  test.each(Object.entries(OTHER_FIELDS))('is not trusted if its %s differs from the payment', async (name, value) => {
    await expect(provenRecord(pruned(PAID), { ...settled, [name]: value }, ASKED)).rejects.toMatchObject({
      code: 'proof_invalid',
    })
  })

  test.each<[string, Claim | undefined, Partial<typeof settled> & { readonly submitter?: string }]>([
    ['if nothing was paid', undefined, {}],
    ['as a message of a submitter other than the client', PAID, { submitter: formatAddress(accountOf(bob), 'cw') }],
    ['if another body was paid', { ...PAID, bodyHash: isoBodyHash(Buffer.from('x')) }, {}],
    ['if another submitter paid', { ...PAID, submitter: accountOf(bob) }, {}],
    ['if another transaction paid', PAID, { transaction_hash: 'cd'.repeat(32) }],
    ['as a message of another family', PAID, { family: 'Pacs009' }],
    ['as a message without a family', PAID, { family: 'Pacs002' }],
  ])('is not trusted %s', async (_what, paid, change) => {
    await expect(provenRecord(pruned(paid), { ...settled, ...change }, ASKED)).rejects.toMatchObject({
      code: 'proof_invalid',
    })
  })
})
