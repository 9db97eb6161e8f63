/** Messages by id on the ledger: payments and rejections of authorised claimants, nothing of others. */

import { describe, expect, it } from 'vitest'
import type { IndexedBlock } from '../../../src/executor/reads.js'
import { instructions as assets } from '../../../src/features/assets/schema/instructions.js'
import { isoIndexes } from '../../../src/features/iso20022/ledger/indexes.js'
import { execute } from '../../../src/features/iso20022/ledger/instructions.js'
import { isoMessages } from '../../../src/features/iso20022/ledger/queries.js'
import { claims } from '../../../src/features/iso20022/ledger/tables.js'
import { errors } from '../../../src/features/iso20022/schema/errors.js'
import { type ClaimMessage, claimKey, instructions as iso } from '../../../src/features/iso20022/schema/instructions.js'
import type { Claim } from '../../../src/features/iso20022/schema/messages.js'
import { type EntryOutcome, type Instruction, instruction } from '../../../src/model/index.js'
import { rowKey } from '../../../src/state/index.js'
import { accountNamed } from '../../support/executor.js'
import { DETAILS, paidMessage } from './support.js'

const bank = accountNamed('bank')
const other = accountNamed('other')
const BODY = Buffer.alloc(32, 1)
const NOT_ENOUGH = 14
const claimOf = (submitter: string): ClaimMessage => ({
  submitter,
  family: 'pacs008',
  messageId: 'PAY-1',
  idHash: claimKey(submitter, 'pacs008', 'PAY-1'),
  bodyHash: BODY,
  details: DETAILS,
})
const transfer: Instruction = instruction(assets.transfer, {
  asset: { definition: 'eur#bank', account: accountNamed('alice') },
  to: accountNamed('bob'),
  amount: { mantissa: 1001n, scale: 1 },
})
const paid = ({ submitter }: { readonly submitter: string }): Claim => {
  const { rejection: _, ...claim } = paidMessage(submitter, BODY)
  return claim
}

/** A ledger with only the read index: takes blocks, returns messages. */
class Index {
  private readonly entries = new Map<string, Buffer>()
  private readonly rows = new Map<string, Claim>()
  private height = 1

  /** Add a block with one transaction and its outcome; `rows` are the claims that it wrote. */
  block(instructions: readonly Instruction[], outcome: EntryOutcome, rows: readonly Claim[] = []): void {
    this.height += 1
    const payload = { executable: { value: instructions }, createdAtMs: 7 }
    const before = new Set(this.rows.keys())
    for (const row of rows) this.rows.set(claimKey(row.submitter, row.family, row.messageId).toString('hex'), row)
    const block = {
      height: this.height,
      timeMs: this.height * 1_000,
      entries: [{ id: Buffer.alloc(32, this.height), signed: { payload: { value: payload } } }],
      results: [{ transactionId: Buffer.alloc(32, this.height), outcome, teu: 1 }],
      events: [],
      rows: rows.map((row) => ({
        row: rowKey(claims, claimKey(row.submitter, row.family, row.messageId)),
        bytes: claims.value.encode(row),
      })),
      before: {
        hasRow: (row: string) => [...before].some((key) => rowKey(claims, Buffer.from(key, 'hex')) === row),
        indexGet: () => undefined,
      },
    }
    const { put } = isoIndexes(block as unknown as IndexedBlock)
    for (const [key, value] of put) this.entries.set(Buffer.from(key).toString('hex'), Buffer.from(value))
  }

  async of(submitter?: string) {
    const { entries, rows } = this
    async function* indexRange({ gte, lt }: { gte: Uint8Array; lt?: Uint8Array }) {
      for (const [key, value] of [...entries].sort(([a], [b]) => (a < b ? -1 : 1))) {
        const bytes = Buffer.from(key, 'hex')
        if (Buffer.compare(bytes, gte) >= 0 && Buffer.compare(bytes, lt ?? bytes) < 0) yield [bytes, value] as const
      }
    }
    const reader = { get: (_table: unknown, key: Uint8Array) => rows.get(Buffer.from(key).toString('hex')) }
    const errorName = (code: number): string => (code === NOT_ENOUGH ? 'not_enough' : 'iso_limit')
    const found = await isoMessages({ indexRange, reader, errorName } as never, { messageId: 'PAY-1', submitter })
    return found?.items.map((one) => [one.submitter, one.rejection, one.transactionHash[0]])
  }
}

const APPROVED: EntryOutcome = { kind: 'approved', value: undefined }
const rejected = (instruction: number | undefined, code = NOT_ENOUGH): EntryOutcome => ({
  kind: 'rejected',
  value: { code, instruction },
})
const payment = (submitter: string): Instruction[] => [instruction(iso.claimMessage, claimOf(submitter)), transfer]

describe('a message on the ledger', () => {
  it('is reported as rejected if its claim was valid, until a later payment, which is final', async () => {
    const index = new Index()
    index.block(payment(bank), rejected(1))
    expect(await index.of()).toEqual([[bank, 'not_enough', 2]])
    index.block(payment(bank), rejected(0, errors.iso_limit.number))
    expect(await index.of(bank)).toEqual([[bank, 'iso_limit', 3]])
    index.block(payment(bank), APPROVED, [paid({ submitter: bank })])
    expect(await index.of(bank)).toEqual([[bank, undefined, 3]])
    index.block(payment(bank), rejected(1))
    expect(await index.of(bank)).toEqual([[bank, undefined, 3]])
  })

  it('is reported for one submitter, or for all submitters if there is no filter', async () => {
    const index = new Index()
    for (const submitter of [bank, other]) index.block(payment(submitter), rejected(1))
    expect((await index.of())?.map(([submitter]) => submitter).sort()).toEqual([bank, other].sort())
    expect(await index.of(other)).toEqual([[other, 'not_enough', 3]])
  })

  it('is not affected by a refused claim of another account, nor by a transaction without a payment', async () => {
    const index = new Index()
    index.block(payment(bank), rejected(0))
    index.block(payment(bank), rejected(0, errors.iso_duplicate_message.number))
    index.block(payment(bank), rejected(undefined))
    index.block([transfer, ...payment(bank).slice(0, 1)], rejected(0))
    index.block(payment(bank).slice(0, 1), rejected(0))
    expect(await index.of()).toEqual([])
  })
})

describe('a claim of a message that was paid', () => {
  it('is superseded only by the transaction that paid exactly this body', () => {
    const state = { get: () => paid({ submitter: bank }) } as never
    expect(execute.claimMessage.supersededBy?.(state, claimOf(bank))).toEqual(Buffer.alloc(32, 3))
    const another = { ...claimOf(bank), bodyHash: Buffer.alloc(32, 9) }
    expect(execute.claimMessage.supersededBy?.(state, another)).toBeUndefined()
    expect(execute.claimMessage.supersededBy?.({ get: () => undefined } as never, claimOf(bank))).toBeUndefined()
  })
})
