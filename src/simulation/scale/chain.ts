/**
 * Owns the single chain of a performance run: its blocks, and the inputs of each height. All members are honest, so
 * they share one copy; nodes differ only in their commit certificates.
 */
import {
  blockLimits,
  type Committee,
  demotedAt,
  type FreshBlock,
  type HeaderTemplate,
  type HeightContext,
  hashKey,
  keyListHash,
  proposerOrder,
  selectCommittee,
  sortRoster,
} from '../../consensus/index.js'
import { hash } from '../../crypto/index.js'
import {
  type BlockHeader,
  certificateHash,
  compactBody,
  composeBody,
  hashOfHeader,
  payloadHash,
  type QuorumCertificate,
  signedHash,
  UNEXECUTED,
  type ValidatorKey,
  ZERO_HASH,
} from '../../model/index.js'
import { CHAIN_HASH, GENESIS_HASH, SEED } from '../chain-rules.js'
import { fakeKey } from '../signatures.js'
import type { ScaleScenario } from './scenario.js'

const CHAIN = 'scale'
const GENESIS_HEIGHT = 1
/** Bytes of an entry of a body besides its record: lane, dataspace, length. */
const ENTRY_BYTES = 7
/** Work limits that never apply: blocks are limited only by their number of transactions and their bytes. */
const WORK_UNLIMITED = { blockTeu: 0, blockWorkMs: 0, proofWorkPerBlock: 0 } as const

/** Content of a block. */
export interface Content {
  readonly header: BlockHeader
  readonly body: Buffer
  /** Numbers of the transactions, in their order. */
  readonly transactions: readonly number[]
  /** View of the embedded commit certificate of the parent. */
  readonly parentView: number
}

export class ScaleChain {
  readonly keys: readonly ValidatorKey[]
  private readonly roster: readonly ValidatorKey[]
  private readonly rosterHash: Buffer
  private submitted = 0
  /** All created blocks, by their hash and by the hash of their payload. */
  private readonly contents = new Map<string, Content>()
  private readonly committed = new Map<number, Content>()
  private readonly committees = new Map<number, Committee>()
  /** Last failed height of each validator, after the block of a height. */
  private readonly failures = new Map<number, ReadonlyMap<ValidatorKey, number>>()
  private readonly orders = new Map<number, readonly ValidatorKey[]>()

  constructor(private readonly scenario: ScaleScenario) {
    this.keys = Array.from({ length: scenario.validators }, (_, index) => fakeKey(index))
    this.roster = sortRoster(this.keys)
    this.rosterHash = keyListHash(this.roster)
  }

  /** Add a new transaction and return its number. */
  submit(): number {
    return this.submitted++
  }

  /** Bytes of a signed record in messages: its number, followed by zeros. */
  recordBytes(transaction: number): Buffer {
    const bytes = Buffer.alloc(this.scenario.transactionBytes)
    bytes.writeUInt32BE(transaction)
    return bytes
  }

  /** Content of a block, by its hash or the hash of its payload. */
  contentOf(blockOrPayload: Uint8Array): Content | undefined {
    return this.contents.get(hashKey(blockOrPayload))
  }

  /** The committed block of a height. */
  blockAt(height: number): Content | undefined {
    return this.committed.get(height)
  }

  /**
   * Transactions of `waiting` for a block of this view, by the rule of the product; the first one is always included.
   */
  draw(waiting: Iterable<number>, originView: number): number[] {
    const { blockTransactions, blockBytes, transactionBytes } = this.scenario
    const allowed = { blockMaxTransactions: blockTransactions, maxBlockBytes: blockBytes, ...WORK_UNLIMITED }
    const { transactions: most, bytes } = blockLimits(allowed, originView)
    const fitting = Math.max(1, Math.floor(bytes / (transactionBytes + ENTRY_BYTES)))
    const drawn: number[] = []
    for (const transaction of waiting) {
      if (drawn.length >= Math.min(most, fitting)) break
      drawn.push(transaction)
    }
    return drawn
  }

  /** Build a block of these transactions, with its compact form if payloads are sent by hashes. */
  build(
    template: HeaderTemplate,
    parentCertificate: QuorumCertificate | undefined,
    transactions: readonly number[],
    nowMs: number,
  ): FreshBlock {
    const route = { lane: 0, dataspace: 0n }
    const records = transactions.map((transaction) => this.recordBytes(transaction))
    const body = composeBody(
      parentCertificate,
      [],
      records.map((bytes) => ({ ...route, bytes })),
    )
    const { parentTimeMs, ...fields } = template
    const header: BlockHeader = {
      ...fields,
      ...UNEXECUTED,
      timeMs: Math.max(parentTimeMs + 1, Math.ceil(nowMs)),
      transactionCount: transactions.length,
      payloadHash: payloadHash(body),
      payloadBytes: body.length,
      stateRoot: hash('sim-state', template.parentHash, body),
      parentCertificateHash: parentCertificate === undefined ? ZERO_HASH : certificateHash(parentCertificate),
    }
    const content = { header, body, transactions, parentView: parentCertificate?.view ?? 0 }
    this.contents.set(hashKey(hashOfHeader(header)), content)
    this.contents.set(hashKey(header.payloadHash), content)
    const entries = records.map((bytes) => ({ ...route, signedHash: signedHash(bytes) }))
    return { header, body, compact: compactBody.encode({ parentCertificate, evidence: [], entries }), shares: [] }
  }

  /** Add a block committed by a node. */
  commit(blockHash: Uint8Array): Content {
    const content = this.contentOf(blockHash)
    if (content === undefined) throw new Error('a committed block was not built by a node of the run')
    const { height } = content.header
    const known = this.committed.get(height)
    if (known !== undefined && known !== content) throw new Error(`two blocks were committed at height ${height}`)
    if (known === undefined) {
      this.committed.set(height, content)
      this.failures.set(height, this.failuresAfter(content))
    }
    return content
  }

  /** Consensus context of `height`, for a node with this certificate of the parent. */
  contextOf(height: number, parentCertificate: QuorumCertificate | undefined): HeightContext {
    const parent = this.blockAt(height - 1)?.header
    const before = this.committeeAt(height - 1)
    return {
      height,
      chain: CHAIN,
      chainHash: CHAIN_HASH,
      epoch: 0,
      parentHash: parent === undefined ? GENESIS_HASH : hashOfHeader(parent),
      parentTimeMs: parent?.timeMs ?? 1,
      parentCertificate,
      parent: parent && {
        originView: parent.originView,
        committee: before,
        domain: { chainHash: CHAIN_HASH, committeeHash: before.hash, epoch: 0, height: height - 1 },
      },
      rosterHash: this.rosterHash,
      rosterPeers: this.roster,
      peerOf: (key) => key,
      committee: this.committeeAt(height),
      order: this.orderAt(height),
      nextCommittee: this.committeeAt(height + 1),
      parameters: this.scenario.parameters,
    }
  }

  private committeeAt(height: number): Committee {
    const known = this.committees.get(height)
    if (known !== undefined) return known
    const drawn = selectCommittee(this.roster, CHAIN_HASH, SEED, height)
    this.committees.set(height, drawn)
    return drawn
  }

  private orderAt(height: number): readonly ValidatorKey[] {
    const known = this.orders.get(height)
    if (known !== undefined) return known
    const failures = this.failures.get(height - 2) ?? new Map()
    const order = proposerOrder(this.committeeAt(height), demotedAt(this.roster, failures, height))
    this.orders.set(height, order)
    return order
  }

  /**
   * Members that caused failed views: of the parent, by its embedded certificate, and of this height, by its origin
   * view.
   */
  private failuresAfter({ header, parentView }: Content): ReadonlyMap<ValidatorKey, number> {
    const { height, originView } = header
    const noted = new Map(this.failures.get(height - 1))
    const note = (of: number, failedViews: number): void => {
      for (const key of this.orderAt(of).slice(0, failedViews)) noted.set(key, of)
    }
    if (height - 1 > GENESIS_HEIGHT) note(height - 1, parentView)
    note(height, originView)
    return noted
  }
}
