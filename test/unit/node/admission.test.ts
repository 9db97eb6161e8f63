/** The order of admission checks: proofs required from a sender before the content of a transaction is decoded. */

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { bytes, type CodecContext, type Json, lazyOf, list, option, struct } from '../../../src/codec/index.js'
import { generateKeyPair, InlineCrypto, signEd25519 } from '../../../src/crypto/index.js'
import { signSecp256k1 } from '../../../src/crypto/secp256k1-sign.js'
import { ABI_1 } from '../../../src/features/abi.js'
import { instructions as domains } from '../../../src/features/domains/schema.js'
import {
  accountKeyOf,
  accountOfKey,
  type Instruction,
  instruction,
  keyBytes,
  type LedgerError,
  multisigAccount,
  multisigPolicy,
  NO_METADATA,
  type Receipt,
  signedTransaction,
  sortedPolicy,
  transactionId,
  transactionPayload,
  transactionSignature,
} from '../../../src/model/index.js'
import { Admission, UNSIGNED_DECODE_MAX_BYTES } from '../../../src/node/admission/admission.js'
import { VerifiedTransactions } from '../../../src/node/admission/verified.js'
import { INLINE_MAX_BYTES, WAITING_PER_ACCOUNT_MAX } from '../../../src/node/content/reader.js'
import type { AdmitProof, LedgerPort, LedgerRequest } from '../../../src/node/ledger/protocol.js'
import { type QueuedTransaction, TransactionQueue } from '../../../src/queue/index.js'
import { CHAIN, codec, type TestAccount, testAccount } from '../../support/chain.js'
import * as core from '../../support/core.js'
import { earlyProofs } from '../../support/early-proofs.js'
import { pause } from '../../support/ports.js'

const NOW_MS = 1_760_000_000_000
const LIMITS = {
  maxTtlMs: 60_000,
  maxInstructions: 4_096,
  maxTxBytes: 1024 * 1024,
  maxTeuPerTx: 1_000_000,
  maxClockDriftMs: 1_000,
  blockTeu: 1_000_000,
} as never

const alice = await testAccount('alice')
const unregistered = await testAccount('stranger')

/** Looks at the instructions of this context: nothing reads an instruction without one. */
let looks: number
/** Items of each request to the ledger. */
let requests: number[]
let asked: LedgerRequest<'admit'>['items'][number][]
let verified: number
/** Most signatures of one request. */
let together: number
/** Accounts that the ledger has. */
let known: Set<string>
let admission: Admission
let crypto: InlineCrypto
/** Monotonic ms; verifying a proof takes so many. */
let now: number
const PROOF_MS = 20
const CHECKED = { key: Buffer.alloc(32, 7), circuit: 'conference', relation: 'openJoin', seconds: 0 }
/** Proofs that the ledger finds in a record. */
let proofs: readonly AdmitProof[]
let queued: QueuedTransaction[]
let log: ((records: readonly Uint8Array[]) => Promise<void>) | undefined
let receipt: () => Promise<Receipt>
/** Header time of the last block. */
let chainMs: number
/** The rules of the next block, and what was judged by earlier ones. */
let rules: number
let reconsidered: QueuedTransaction[]
/** Called during a request to the ledger. */
let meanwhile: () => void
/** Transactions of one account that the queue takes. */
const ROOM = 40

beforeEach(async () => {
  looks = 0
  asked = []
  requests = []
  verified = 0
  together = 0
  now = 1_000
  proofs = []
  queued = []
  log = undefined
  receipt = async () => ({}) as Receipt
  chainMs = NOW_MS
  rules = 1
  reconsidered = []
  meanwhile = () => undefined
  crypto = await InlineCrypto.create()
  const counting: CodecContext = {
    addressPrefix: 'cw',
    get registries() {
      looks += 1
      return codec.registries ?? {}
    },
  }
  known = new Set<string>([keyBytes(alice.id).toString('hex')])
  const ledger = {
    admit: async ({ items }: LedgerRequest<'admit'>) => {
      asked.push(...items)
      requests.push(items.length)
      meanwhile()
      const results = items.map(({ authority }) =>
        known.has(Buffer.from(authority).toString('hex'))
          ? { code: '', message: '', route: undefined, proofs, later: 0 }
          : { code: 'unknown_account', message: 'the authority is not registered', route: undefined },
      )
      return { results }
    },
  }
  admission = new Admission({
    abi: ABI_1,
    codec: counting,
    chain: CHAIN,
    addressPrefix: 'cw',
    queue: new TransactionQueue({ capacity: 100, capacityPerAccount: ROOM }),
    ledger: ledger as unknown as LedgerPort,
    proofs: earlyProofs({
      proofs: {
        check: async (claims) => {
          now += PROOF_MS * claims.length
          return claims.map(() => ({ ...CHECKED, outcome: 'proven' as const }))
        },
        close: async () => {},
      },
    }),
    crypto: Object.assign(Object.create(crypto) as InlineCrypto, {
      verifyBatch: (items: Parameters<InlineCrypto['verifyBatch']>[0]) => {
        verified += items.length
        together = Math.max(together, items.length)
        return crypto.verifyBatch(items)
      },
    }),
    verified: new VerifiedTransactions(),
    limits: () => LIMITS,
    lanesEnabled: () => false,
    height: () => 1,
    wallMs: () => NOW_MS,
    chainTimeMs: () => chainMs,
    monotonicMs: () => now,
    log: (records) => log?.(records) ?? Promise.resolve(),
    rulesVersion: () => rules,
    reconsider: (transaction) => reconsidered.push(transaction),
    receipt: () => receipt(),
    onQueued: (transaction) => queued.push(transaction),
  })
})
afterEach(async () => {
  await admission.close()
  await crypto.close()
})

interface RecordOptions {
  readonly chain?: string
  readonly nonce?: number
  readonly forged?: boolean
  readonly broken?: boolean
  /** Age of the transaction. */
  readonly ageMs?: number
}

/** A signed record whose payload need not be canonical. */
const raw = struct('Raw', {
  payload: bytes(1024 * 1024),
  signatures: list(transactionSignature, 1),
  policy: option(multisigPolicy),
})

/** A record of about so many bytes whose content is slow to read: empty arrays in metadata of domains. */
function record({ id, pair }: TestAccount, size: number, options: RecordOptions = {}): Buffer {
  const { chain = CHAIN, nonce = 1, forged = false, broken = false, ageMs = 0 } = options
  const value: Instruction[] = []
  for (let left = size; left > 0; left -= 15_000) {
    const fat: Json = Array.from({ length: Math.floor(Math.min(left, 15_000) / 3) }, () => [])
    value.push(
      instruction(domains.registerDomain, { id: `d${left}`, dataspace: undefined, metadata: new Map([['k', fat]]) }),
    )
  }
  const head = { chain, authority: id, createdAtMs: NOW_MS - ageMs, ttlMs: 1_000, nonce }
  const executable = { kind: 'instructions' as const, value }
  const payload = transactionPayload.encode({ ...head, executable, metadata: NO_METADATA, dataspace: undefined }, codec)
  // The last byte says that there is no dataspace.
  if (broken) payload.writeUInt8(7, payload.length - 1)
  const signature = forged ? Buffer.alloc(64, 7) : signEd25519(pair.secret, transactionId(payload))
  const signatures = [{ publicKey: accountKeyOf('ed25519', pair.publicKey.bytes), signature }]
  return raw.encode({ payload, signatures, policy: undefined })
}

const SMALL = 200
const LARGE = 8 * 1024
const HUGE = 200 * 1024

/** The code that a record is refused with; `ok`: it is in the queue. */
async function outcome(bytes_: Uint8Array): Promise<LedgerError | 'ok'> {
  const submitted = await admission.submit(bytes_)
  return submitted.ok ? 'ok' : submitted.error
}
const codeOf = async (bytes_: Uint8Array): Promise<string> => {
  const found = await outcome(bytes_)
  return found === 'ok' ? 'ok' : found.code
}

describe('a record with many signatures', () => {
  /** Make records of a shared account, registered or made up. */
  async function shared(isKnown: boolean, curve: 'ed25519' | 'secp256k1') {
    const pairs = await Promise.all(
      [1, 2, 3].map((index) => generateKeyPair(curve, Buffer.from(`${isKnown} ${index}`))),
    )
    const keys = pairs.map((pair) => accountKeyOf(curve, pair.publicKey.bytes))
    const members = keys.map((key) => ({ account: accountOfKey(key), weight: 1 }))
    const policy = sortedPolicy({ members, quorum: 3, ttlMs: 1_000 })
    const authority = multisigAccount(policy)
    if (isKnown) known.add(keyBytes(authority).toString('hex'))
    const sign = curve === 'ed25519' ? signEd25519 : signSecp256k1
    return (nonce: number): Buffer => {
      const payload = lazyOf(
        transactionPayload,
        {
          chain: CHAIN,
          authority,
          createdAtMs: NOW_MS,
          ttlMs: 1_000,
          nonce,
          dataspace: undefined,
          executable: { kind: 'instructions', value: [core.log('')] },
          metadata: NO_METADATA,
        },
        codec,
      )
      const id = transactionId(payload.bytes)
      const signatures = pairs.map(({ secret }, index) => ({
        publicKey: keys[index] ?? '',
        signature: sign(secret, id),
      }))
      return signedTransaction.encode({ payload, signatures, policy }, codec)
    }
  }

  it('is verified only if the ledger has its account', async () => {
    const [unregistered, own] = [await shared(false, 'ed25519'), await shared(true, 'ed25519')]
    expect(await codeOf(unregistered(1))).toBe('unknown_account')
    expect(verified).toBe(0)
    expect(await codeOf(own(1))).toBe('ok')
    expect(verified).toBe(3)
  })

  it('counts in its batch by the cost of the signatures', async () => {
    const own = await shared(true, 'secp256k1')
    const records = Array.from({ length: 30 }, (_, index) => own(index))
    expect(await Promise.all(records.map(codeOf))).toEqual(records.map(() => 'ok'))
    expect(verified).toBe(90)
    expect(together).toBe(21)
  })
})

describe('a record of an unknown account', () => {
  it.each([LARGE, HUGE, 900 * 1024])(
    'of %i bytes with an invalid signature is refused before its content is decoded',
    async (size) => {
      expect(await codeOf(record(alice, size, { forged: true }))).toBe('signature_invalid')
      expect(looks).toBe(0)
    },
  )

  it.each([LARGE, HUGE])(
    'of %i bytes with a valid signature is refused for its account before its content is decoded',
    async (size) => {
      expect(await codeOf(record(unregistered, size))).toBe('unknown_account')
      expect(looks).toBe(0)
    },
  )

  it('is refused without a signature check if its size or chain is wrong, or if it is truncated', async () => {
    expect(await codeOf(Buffer.alloc(2 * 1024 * 1024))).toBe('transaction_limit')
    expect(await codeOf(record(alice, HUGE, { chain: 'other-chain' }))).toBe('chain_mismatch')
    expect(await codeOf(record(alice, HUGE).subarray(0, 100_000))).toBe('truncated')
    expect([verified, asked, looks]).toEqual([0, [], 0])
  })

  it('is checked on the ledger by its signers alone while its content is not decoded', async () => {
    await outcome(record(unregistered, LARGE))
    expect(asked).toHaveLength(1)
    expect(asked[0]?.teu).toBeUndefined()
  })

  it('is sent to the ledger in small groups if large, since the message size is bounded', async () => {
    const many = Array.from({ length: 40 }, (_, nonce) => record(unregistered, HUGE, { nonce }))
    expect(new Set(await Promise.all(many.map((one) => codeOf(one))))).toEqual(new Set(['unknown_account']))
    expect(requests.reduce((sum, one) => sum + one, 0)).toBe(40)
    expect(Math.max(...requests)).toBeLessThanOrEqual((4 * 1024 * 1024) / HUGE)
  })

  it('is decoded first if small, to avoid a second round trip to the threads', async () => {
    expect(record(alice, SMALL).length).toBeLessThan(UNSIGNED_DECODE_MAX_BYTES)
    expect(await codeOf(record(alice, SMALL, { forged: true }))).toBe('signature_invalid')
    expect(looks).toBeGreaterThan(0)
    expect(verified).toBe(1)
  })
})

describe('a record of a registered account', () => {
  it.each([SMALL, LARGE, HUGE])(
    'of %i bytes enters the queue after one verification of its signature',
    async (size) => {
      expect(await codeOf(record(alice, size))).toBe('ok')
      expect(verified).toBe(1)
      expect(asked.at(-1)?.teu).toBeGreaterThan(0)
    },
  )

  it(`of more than ${INLINE_MAX_BYTES} bytes is decoded on another thread`, async () => {
    expect(await codeOf(record(alice, HUGE))).toBe('ok')
    expect(looks).toBe(0)
  })

  it.each([SMALL, LARGE, HUGE])('of %i bytes is rejected with the position of the decoding error', async (size) => {
    const found = await outcome(record(alice, size, { broken: true }))
    if (found === 'ok') throw new Error('it was taken')
    expect(found.code).toBe('bad_tag')
    expect(found.details).toEqual({ at: expect.any(Number) as number, path: 'payload.dataspace' })
  })

  it('is rejected with per_user_queue_limit if too many large records of its account are waiting', async () => {
    const many = Array.from({ length: WAITING_PER_ACCOUNT_MAX + 2 }, (_, nonce) => record(alice, HUGE, { nonce }))
    const codes = await Promise.all(many.map((one) => codeOf(one)))
    expect(codes.filter((code) => code === 'ok')).toHaveLength(WAITING_PER_ACCOUNT_MAX)
    expect(codes.filter((code) => code === 'per_user_queue_limit')).toHaveLength(2)
  })

  it('is queued once if it is submitted twice concurrently', async () => {
    const one = record(alice, HUGE)
    expect((await Promise.all([codeOf(one), codeOf(one)])).toSorted()).toEqual(['already_enqueued', 'ok'])
    expect(verified).toBe(1)
  })
})

/** Records as a peer passes them on. */
let blamed: number
beforeEach(() => {
  blamed = 0
})
const take = (records: readonly Uint8Array[]): Promise<number> =>
  admission.take(records, {
    peer: 'a peer',
    onBadSignature: () => {
      blamed += 1
    },
  })

describe('records received from a peer', () => {
  const gossip = (account: TestAccount, count: number, size = SMALL) =>
    Array.from({ length: count }, (_, nonce) => record(account, size, { nonce: nonce + 1 }))

  it.each([SMALL, LARGE])('of %i bytes do not delay clients, in any number', async (size) => {
    let taken = false
    const taking = take(gossip(unregistered, 2_000, size)).then(() => {
      taken = true
    })
    await new Promise((resolve) => setImmediate(resolve))
    expect(await codeOf(record(alice, size))).toBe('ok')
    expect(taken).toBe(false)
    await taking
  })

  it('are decoded in slices, so that other work can run in between', async () => {
    let turns = 0
    const turn = (): void => {
      turns += 1
      waiting = setImmediate(turn)
    }
    let waiting = setImmediate(turn)
    const taking = take(gossip(unregistered, 1_000))
    expect(turns).toBe(0)
    const read = looks
    await taking
    clearImmediate(waiting)
    expect(read).toBeLessThan(1_000)
    expect(turns).toBeGreaterThan(1)
  })

  it('are counted if refused for their content, but not if refused for the state of this node', async () => {
    const own = gossip(alice, 3)
    expect(await take([...own, ...gossip(unregistered, 5)])).toBe(5)
    expect(await take(own)).toBe(0)
  })

  it.each([SMALL, LARGE, HUGE])(
    'of %i bytes are checked by their own signatures, not by those of a client with the same payload',
    async (size) => {
      const forged = codeOf(record(alice, size, { forged: true }))
      const taking = take([record(alice, size)])
      expect(await forged).toBe('signature_invalid')
      expect([await taking, blamed, queued.length]).toEqual([0, 0, 1])
    },
  )

  it('count as a fault of the peer if their signatures are invalid', async () => {
    expect(await take([record(alice, SMALL, { forged: true })])).toBe(1)
    expect(blamed).toBe(1)
  })
})

describe('an acknowledged transaction after a restart', () => {
  it('is queued again, even above the limit of large records per account', async () => {
    const huge = Array.from({ length: WAITING_PER_ACCOUNT_MAX + 6 }, (_, nonce) => record(alice, HUGE, { nonce }))
    const small = Array.from({ length: 20 }, (_, at) => record(alice, SMALL, { nonce: 100 + at }))
    expect(await admission.restore([...huge, ...small])).toBe(0)
    expect(queued).toHaveLength(huge.length + small.length)
  })

  it('is queued again, even above the limit of unverified proofs per account', async () => {
    const unknown: AdmitProof = { key: CHECKED.key, claim: Buffer.of(1), outcome: undefined, dependsOn: 'nothing' }
    proofs = [unknown, unknown, unknown]
    const records = Array.from({ length: 10 }, (_, nonce) => record(alice, SMALL, { nonce }))
    expect(await admission.restore(records)).toBe(0)
    expect(queued).toHaveLength(10)
  })

  it.each([SMALL, HUGE])('is queued again if it expired locally but not on the chain, with %i bytes', async (size) => {
    const lapsed = record(alice, size, { ageMs: 5_000 })
    expect(await codeOf(lapsed)).toBe('transaction_expired')
    chainMs = NOW_MS - 4_000
    await admission.restore([lapsed])
    expect(queued).toHaveLength(0)
    chainMs -= 1
    await admission.restore([lapsed, record(unregistered, size, { ageMs: 5_000 })])
    expect(queued.map(({ bytes: held }) => Buffer.from(held))).toEqual([lapsed])
  })

  it.each([SMALL, HUGE])(
    'is queued again if its time is in the future after the clock was set back, with %i bytes',
    async (size) => {
      const early = record(alice, size, { ageMs: -3_600_000 })
      expect(await codeOf(early)).toBe('transaction_in_future')
      await admission.restore([early, record(unregistered, size, { ageMs: -3_600_000 })])
      expect(queued.map(({ bytes: held }) => Buffer.from(held))).toEqual([early])
    },
  )

  it('is counted as dropped if the queue is full', async () => {
    const records = Array.from({ length: ROOM + 2 }, (_, nonce) => record(alice, SMALL, { nonce }))
    expect(await admission.restore(records)).toBe(2)
  })
})

describe('a record whose admission overlaps a change of the rules of the next block', () => {
  it('is checked again under the new rules once it is queued', async () => {
    meanwhile = () => {
      rules = 2
    }
    expect(await codeOf(record(alice, SMALL))).toBe('ok')
    expect(reconsidered).toEqual(queued)
    expect(await codeOf(record(alice, SMALL, { nonce: 2 }))).toBe('ok')
    expect(reconsidered).toHaveLength(1)
  })

  it('is checked again even if it has proofs, whose verification takes longer', async () => {
    proofs = [{ key: CHECKED.key, claim: Buffer.of(1), outcome: undefined, dependsOn: 'nothing' }]
    meanwhile = () => {
      rules = 2
    }
    expect(await codeOf(record(alice, SMALL))).toBe('ok')
    expect(reconsidered).toEqual(queued)
  })
})

describe('a record with proofs', () => {
  const unknown: AdmitProof = { key: CHECKED.key, claim: Buffer.of(1), outcome: undefined, dependsOn: 'nothing' }

  it('is proposed by this node only after peers have had twice its verification time', async () => {
    proofs = [unknown, unknown]
    expect(await codeOf(record(alice, SMALL))).toBe('ok')
    expect(queued.map(({ drawnFromMs }) => drawnFromMs)).toEqual([1_000 + 3 * 2 * PROOF_MS])
  })

  it('leaves peers at most one extra second for this verification', async () => {
    proofs = Array.from({ length: 30 }, () => unknown)
    expect(await codeOf(record(alice, SMALL))).toBe('ok')
    expect(queued.map(({ drawnFromMs }) => drawnFromMs)).toEqual([1_000 + 30 * PROOF_MS + 1_000])
  })

  it('can be proposed at once if all results are known, or if it has no proofs', async () => {
    proofs = [{ ...unknown, outcome: 'proven' }]
    expect(await codeOf(record(alice, SMALL))).toBe('ok')
    proofs = []
    expect(await codeOf(record(alice, SMALL, { nonce: 2 }))).toBe('ok')
    expect(queued.map(({ drawnFromMs }) => drawnFromMs ?? now)).toEqual([1_000, 1_000])
  })
})

describe('an admission receipt that cannot be signed', () => {
  it('fails the submission, even while the log write is slow', async () => {
    const failures: unknown[] = []
    const onFailure = (error: unknown): void => void failures.push(error)
    process.on('unhandledRejection', onFailure)
    try {
      log = () => pause(50)
      receipt = () => Promise.reject(new Error('no crypto worker is running'))
      await expect(admission.submit(record(alice, 100))).rejects.toThrow('no crypto worker')
      await pause(100)
    } finally {
      process.off('unhandledRejection', onFailure)
    }
    expect(failures).toEqual([])
  })
})
