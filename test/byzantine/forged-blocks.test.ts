/**
 * Every field of a header and of a body, forged by the proposer whose turn it is: no voter takes it for the block of the
 * height. docs/concepts/block.md lists who checks what; a field without a forgery here fails the walk.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bitmapOf, checkParentCertificate, type ParentRecord } from '../../src/consensus/index.js'
import {
  type BlockHeader,
  BODY_MAX_BYTES,
  blockBody,
  composeBody,
  type QuorumCertificate,
  signedTransaction,
} from '../../src/model/index.js'
import { codec, GENESIS_TIME_MS, signedBy, type TestAccount, testAccount, transferOf } from '../support/chain.js'
import { doubleVoteOf } from '../support/double-vote.js'
import { type Content, Voter } from './voter.js'

const alice: TestAccount = await testAccount('alice')
const bob: TestAccount = await testAccount('bob')
const undo: (() => Promise<void>)[] = []
let voter: Voter

beforeAll(async () => {
  voter = await Voter.start([alice, bob], (step) => void undo.push(step))
})
afterAll(async () => {
  for (const step of undo.reverse()) await step()
})

const pay = (amount: bigint) => signedBy(alice, [transferOf(alice.id, bob.id, amount)], Date.now())
const other = (hash: Uint8Array): Buffer => Buffer.from(hash.map((byte) => byte ^ 1))

/** Forged replacements of true fields. */
const FORGERIES: Readonly<Record<keyof BlockHeader, (header: BlockHeader) => Partial<BlockHeader>>> = {
  chain: () => ({ chain: 'other-chain' }),
  height: ({ height }) => ({ height: height + 1 }),
  parentHash: ({ parentHash }) => ({ parentHash: other(parentHash) }),
  originView: () => ({ originView: 1 }),
  originProposer: () => ({ originProposer: voter.context.order[1] ?? '' }),
  timeMs: () => ({ timeMs: voter.context.parentTimeMs }),
  transactionCount: ({ transactionCount }) => ({ transactionCount: transactionCount + 1 }),
  transactionsRoot: ({ transactionsRoot }) => ({ transactionsRoot: other(transactionsRoot) }),
  payloadHash: ({ payloadHash }) => ({ payloadHash: other(payloadHash) }),
  payloadBytes: ({ payloadBytes }) => ({ payloadBytes: payloadBytes + 1 }),
  resultsRoot: ({ resultsRoot }) => ({ resultsRoot: other(resultsRoot) }),
  stateRoot: ({ stateRoot }) => ({ stateRoot: other(stateRoot) }),
  evidenceRoot: ({ evidenceRoot }) => ({ evidenceRoot: other(evidenceRoot) }),
  laneCommitmentRoot: ({ laneCommitmentRoot }) => ({ laneCommitmentRoot: other(laneCommitmentRoot) }),
  rosterHash: ({ rosterHash }) => ({ rosterHash: other(rosterHash) }),
  committeeHash: ({ committeeHash }) => ({ committeeHash: other(committeeHash) }),
  nextCommitteeHash: ({ nextCommitteeHash }) => ({ nextCommitteeHash: other(nextCommitteeHash) }),
  parentCertificateHash: ({ parentCertificateHash }) => ({ parentCertificateHash: other(parentCertificateHash) }),
}

describe('a header', () => {
  it('with valid fields gets a vote', async () => {
    expect(await voter.refusal(await voter.build({ records: [pay(1n)] }))).toBeUndefined()
  })

  it.each(Object.entries(FORGERIES))('with a forged %s gets no vote', async (_field, forge) => {
    const block = await voter.build({ records: [pay(2n)] })
    expect(await voter.refusal({ ...block, header: { ...block.header, ...forge(block.header) } })).toBeDefined()
  })

  it('for an oversized payload gets no vote', async () => {
    const block = await voter.build({})
    const header = { ...block.header, payloadBytes: BODY_MAX_BYTES + 1 }
    expect(await voter.refusal({ ...block, header })).toBe(`a payload of ${BODY_MAX_BYTES + 1} bytes`)
  })
})

describe('the parent certificate of a block', () => {
  const true_ = (): QuorumCertificate => {
    const { certificate } = voter.tip
    if (certificate === undefined) throw new Error('the parent is certified')
    return certificate
  }
  const refusalOf = async (content: Content): Promise<string | undefined> => voter.refusal(await voter.build(content))

  it('may be any valid commit certificate of the parent', async () => {
    const [own, all] = [true_(), voter.parentCertificate('commit', 4)]
    expect(all.aggregate).not.toEqual(own.aggregate)
    expect(await refusalOf({ parent: all })).toBeUndefined()
    expect(await refusalOf({ parent: voter.parentCertificate('commit', 3, 5) })).toBeUndefined()
  })

  it.each([
    ['is missing', (): undefined => undefined, /no parent certificate/],
    ['is a prepare certificate', () => voter.parentCertificate('prepare', 3), /not a commit certificate/],
    ['is of another height', () => ({ ...true_(), height: true_().height - 1 }), /height/],
    ['is of another block', () => ({ ...true_(), blockHash: other(true_().blockHash) }), /of another block/],
    ['is of another committee', () => ({ ...true_(), committeeHash: other(true_().committeeHash) }), /committee/],
    ['has too few signers', () => voter.parentCertificate('commit', 2), /2 signers, quorum is 3/],
    ['names signers that do not exist', () => ({ ...true_(), bitmap: Buffer.of(0xff) }), /bitmap/],
    ['names more signers than signed', () => ({ ...true_(), bitmap: bitmapOf(4, [0, 1, 2, 3]) }), /not signed/],
    ['has another aggregate', () => ({ ...true_(), aggregate: Buffer.alloc(96, 1) }), /not signed/],
    // Failures of all members would stand in the state without any view change.
    ['is of a view without signatures', () => ({ ...true_(), view: 3 }), /not signed/],
  ] as const)('prevents a vote for the block if it %s', async (_name, forge, why) => {
    // Its header names it; the signature alone is found out beside the execution, which must go through.
    const content = { parent: forge() }
    expect(await voter.refusal(await (isSignatureOnly(why) ? voter.build(content) : voter.forge(content)))).toMatch(why)
  })

  it('must not be from a view earlier than the origin view of the parent', async () => {
    const { header } = await voter.build({})
    const parent = voter.context.parent as ParentRecord
    expect(checkParentCertificate(header, true_(), parent)).toHaveProperty('checks')
    expect(checkParentCertificate(header, true_(), { ...parent, originView: true_().view + 1 })).toEqual({
      fault: 'the embedded certificate is of a view before the parent was created',
    })
  })

  it('is structurally checked by the ledger even if the block is certified', async () => {
    const block = await voter.build({ parent: voter.parentCertificate('prepare', 3) })
    const answer = await voter.ledger.execute({
      ...block,
      blockHash: Buffer.alloc(32, 1),
      hashes: Buffer.alloc(0),
      certified: true,
    })
    expect(answer.detail).toMatch(/^the embedded certificate is not a commit certificate/)
  })
})

const isSignatureOnly = (why: RegExp): boolean => why.source === 'not signed'

describe('a block body', () => {
  it('has only the fields that these tests cover', () => {
    const empty = blockBody.decode(composeBody(undefined, [], []), codec)
    expect(empty.ok && Object.keys(empty.value)).toEqual(['parentCertificate', 'evidence', 'entries'])
  })

  it('that does not decode gets no vote', async () => {
    const { header } = await voter.build({})
    expect(await voter.refusal(voter.carrying(header, Buffer.alloc(100, 0xff), voter.tip.certificate))).toMatch(
      /does not decode/,
    )
  })

  it('with a transaction whose signature is corrupt gets no vote', async () => {
    const record = pay(3n)
    const bytes = Buffer.from(record.bytes)
    // The last bytes of a record are its signature.
    bytes[bytes.length - 5] = (bytes[bytes.length - 5] ?? 0) ^ 1
    const block = await voter.build({ records: [{ ...record, bytes }] })
    expect(await voter.refusal(block)).toMatch(/has an invalid signature/)
  })

  it('with a transaction without a signature gets no vote', async () => {
    const record = pay(3n)
    const signed = signedTransaction.decode(record.bytes, codec)
    if (!signed.ok) throw new Error('unreachable')
    const bytes = signedTransaction.encode({ ...signed.value, signatures: [] }, codec)
    expect(await voter.refusal(await voter.forge({ records: [{ ...record, bytes }] }))).toMatch(
      /has an invalid signature/,
    )
  })

  it('with an entry in the wrong lane gets no vote', async () => {
    expect(await voter.refusal(await voter.forge({ records: [pay(4n)], lane: 1 }))).toMatch(/misrouted/)
  })

  it('with a duplicate transaction gets no vote', async () => {
    const record = pay(5n)
    expect(await voter.refusal(await voter.forge({ records: [record, record] }))).toMatch(/already_committed/)
  })

  it('with an expired transaction gets no vote', async () => {
    const record = signedBy(alice, [transferOf(alice.id, bob.id, 1n)], GENESIS_TIME_MS, 1_000)
    expect(await voter.refusal(await voter.forge({ records: [record] }))).toMatch(/expired/)
  })

  it('with valid evidence gets a vote, and with forged evidence gets no vote', async () => {
    const evidence = doubleVoteOf(voter, voter.context.height - 1)
    expect(await voter.refusal(await voter.build({ evidence: [evidence] }))).toBeUndefined()
    if (evidence.proof.kind !== 'doubleVote') throw new Error('unreachable')
    const { first, second } = evidence.proof.value
    const forged = { ...first, signature: second.signature }
    const proof = { kind: 'doubleVote' as const, value: { first: forged, second } }
    const block = await voter.build({ evidence: [{ ...evidence, proof }] })
    expect(await voter.refusal(block)).toMatch(/signature of the evidence/)
  })

  it('with duplicate evidence gets no vote', async () => {
    const evidence = doubleVoteOf(voter, voter.context.height - 1)
    expect(await voter.refusal(await voter.forge({ evidence: [evidence, evidence] }))).toMatch(/evidence 1/)
  })
})
