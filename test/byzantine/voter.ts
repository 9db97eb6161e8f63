/**
 * Owns a voter as a Byzantine proposer meets it: the real checks of consensus, the real block work and the real ledger, at
 * height 3, where the parent has a certificate; and the blocks that such a proposer makes, signed as it likes.
 */
import { embeddedCertificateHash, type HeightContext, headerFault } from '../../src/consensus/index.js'
import { isPayloadOf } from '../../src/consensus/rbc/rules.js'
import { InlineCrypto } from '../../src/crypto/index.js'
import { ABI_1 } from '../../src/features/abi.js'
import {
  type BlockHeader,
  chainHashOf,
  composeBody,
  type Evidence,
  genesisSeed,
  hashOfHeader,
  type Phase,
  payloadHash,
  type QuorumCertificate,
  UNEXECUTED,
} from '../../src/model/index.js'
import { VerifiedTransactions } from '../../src/node/admission/verified.js'
import { BlockWork } from '../../src/node/consensus/block-work.js'
import { contextAfter } from '../../src/node/consensus/context.js'
import type { Ledger } from '../../src/node/ledger/ledger.js'
import { openLedger } from '../../src/node/ledger/open.js'
import type { Tip } from '../../src/node/ledger/protocol.js'
import { flatHashes } from '../../src/node/ledger/slices.js'
import { TransactionQueue } from '../../src/queue/index.js'
import { certificateOf } from '../support/certificates.js'
import {
  CHAIN,
  codec,
  type signedBy,
  type TestAccount,
  type TestPeer,
  temporaryFolder,
  testGenesis,
  testPeer,
} from '../support/chain.js'
import { earlyProofs } from '../support/early-proofs.js'
import { commitKept } from '../support/ledger-bench.js'

type SignedRecord = ReturnType<typeof signedBy>

/** A block that a proposer offers. */
export interface Offered {
  readonly header: BlockHeader
  readonly body: Uint8Array
}

/** Parts of a body. */
export interface Content {
  readonly records?: readonly SignedRecord[]
  /** In the place of the true certificate of the parent. */
  readonly parent?: QuorumCertificate | undefined
  readonly evidence?: readonly Evidence[]
  readonly lane?: number
}

export class Voter {
  private constructor(
    readonly ledger: Ledger,
    readonly tip: Tip,
    readonly context: HeightContext,
    readonly peers: readonly TestPeer[],
    private readonly work: BlockWork,
    /** The same voter at the height below. */
    private readonly parent?: Voter,
  ) {}

  /** A voter whose chain has one block above genesis, certified by its whole committee. */
  static async start(accounts: readonly TestAccount[], undo: (step: () => Promise<void>) => void): Promise<Voter> {
    const peers = await Promise.all([0, 1, 2, 3].map((index) => testPeer(index)))
    const { genesis } = await testGenesis({ peers, accounts })
    const chainHash = chainHashOf(CHAIN, genesisSeed(genesis.payload.bytes))
    const folder = await temporaryFolder()
    undo(() => folder.remove())
    const ledger = await openLedger({ folder: folder.path, genesis, abi: ABI_1 })
    undo(() => ledger.close())
    const crypto = await InlineCrypto.create()
    undo(() => crypto.close())
    const work = new BlockWork({
      ledger,
      crypto,
      proofs: earlyProofs(),
      queue: new TransactionQueue(),
      verified: new VerifiedTransactions(),
      evidenceForBlock: async () => [],
      codec,
      routing: { ready: Promise.resolve(), reroute: async () => undefined },
      reconsider: async () => undefined,
      mustPass: () => false,
      wallMs: () => Date.now(),
      monotonicMs: () => 0,
      onDivergence: () => undefined,
      onDeferred: () => undefined,
      onDropped: () => undefined,
    })
    const genesisTip = await ledger.tip()
    const first = new Voter(ledger, genesisTip, contextAfter(genesisTip, chainHash), peers, work)
    const block = await first.build({})
    const certificate = first.certificate('commit', block.header)
    await commitKept(ledger, { header: block.header, certificate })
    const tip = await ledger.tip()
    return new Voter(ledger, tip, contextAfter(tip, chainHash), peers, work, first)
  }

  /** A certificate of the parent, as other nodes may hold it. */
  parentCertificate(phase: Phase, signers: number, view = 0): QuorumCertificate {
    const { parent } = this
    if (parent === undefined) throw new Error('genesis has no certificate')
    return parent.certificate(phase, this.tip.header, signers, view)
  }

  /** A certificate of this height for a block, signed by the first members of its committee, the quorum by default. */
  certificate(phase: Phase, header: BlockHeader, signers = this.context.committee.quorum, view = 0): QuorumCertificate {
    return certificateOf(this.context, this.peers, phase, header, signers, view)
  }

  /** A block whose header is true of its body, whatever that holds: execution itself filled in the roots. */
  async build({ records = [], evidence = [], lane = 0, ...content }: Content): Promise<Offered> {
    const { context, tip } = this
    const parent = 'parent' in content ? content.parent : tip.certificate
    const entries = records.map((record) => ({ lane, dataspace: 0n, bytes: record.bytes }))
    const body = composeBody(parent, evidence, entries)
    const header: BlockHeader = {
      ...UNEXECUTED,
      chain: context.chain,
      height: context.height,
      parentHash: context.parentHash,
      originView: 0,
      originProposer: context.order[0] ?? '',
      timeMs: Math.max(Date.now(), context.parentTimeMs + 1),
      rosterHash: context.rosterHash,
      committeeHash: context.committee.hash,
      nextCommitteeHash: context.nextCommittee.hash,
    }
    const built = await this.ledger.build({ header, body, hashes: flatHashes(records) })
    if (built.header === undefined) throw new Error(JSON.stringify(built))
    return { header: built.header, body }
  }

  /** A body of which only the payload is true in its header: what makes it invalid is found before it is executed. */
  async forge({ records = [], evidence = [], lane = 0, ...content }: Content): Promise<Offered> {
    const { header } = await this.build({})
    const parent = 'parent' in content ? content.parent : this.tip.certificate
    const entries = records.map((record) => ({ lane, dataspace: 0n, bytes: record.bytes }))
    const counted = { ...header, transactionCount: records.length }
    return this.carrying(counted, composeBody(parent, evidence, entries), parent)
  }

  /** Any bytes as the body of a header. */
  carrying(header: BlockHeader, body: Uint8Array, parent: QuorumCertificate | undefined): Offered {
    const parentCertificateHash = embeddedCertificateHash(parent)
    return {
      header: { ...header, parentCertificateHash, payloadHash: payloadHash(body), payloadBytes: body.length },
      body,
    }
  }

  /** Why this voter does not vote for a block, or undefined: it would. */
  async refusal({ header, body }: Offered): Promise<string | undefined> {
    const fault = headerFault(header, this.context)
    if (fault !== undefined) return fault
    if (!isPayloadOf(header, body)) return 'a body of another block'
    const result = await this.work.execute(
      { type: 'execute', blockHash: hashOfHeader(header), header, body, certified: false },
      { parent: this.context.parent, isVerified: () => false, limits: this.tip.limits },
    )
    if (result.ok) return undefined
    return result.reason === 'viewPassed' ? result.reason : result.detail
  }
}
