/** Owns the node that gateway tests talk to: real records and signatures, no consensus. */

import { Registry } from 'prom-client'
import type { ConsensusStatus, RbcSessionList, RbcStatus } from '../../../src/api/index.js'
import type {
  Halt,
  NodeServices,
  PendingChange,
  PendingState,
  StoredBlock,
  Submitted,
} from '../../../src/api/services.js'
import { buildTransaction, signTransaction } from '../../../src/client/transaction.js'
import { DEFAULT_PAYLOAD_LIMITS } from '../../../src/consensus/index.js'
import { generateKeyPair, type KeyPair, signEd25519 } from '../../../src/crypto/index.js'
import type { AccountView } from '../../../src/features/accounts/schema.js'
import { queries as accountQueries } from '../../../src/features/accounts/schema.js'
import { queries as assetQueries } from '../../../src/features/assets/schema/queries.js'
import { clientCodec } from '../../../src/features/composed.js'
import type { DomainView } from '../../../src/features/domains/schema.js'
import {
  events as domainEvents,
  instructions as domainInstructions,
  queries as domainQueries,
} from '../../../src/features/domains/schema.js'
import type { TransactionView } from '../../../src/features/explorer/schema/history.js'
import { queries as explorerQueries } from '../../../src/features/explorer/schema/queries.js'
import { Gateway, type GatewayConfig, type GatewayModules } from '../../../src/gateway/index.js'
import { DEFAULT_POLICY } from '../../../src/lanes/index.js'
import {
  type AccountId,
  accountKeyOf,
  accountOfKey,
  event,
  instruction,
  keyString,
  LedgerError,
  type QueryDef,
  type Receipt,
  receiptSignBytes,
  signedTransaction,
  transactionId,
  transactionPayload,
} from '../../../src/model/index.js'
import { CORE } from '../../support/served-routes.js'

export const CHAIN = 'test-chain'
export const NETWORK_KEY = 'ed0120'
export const CODEC = clientCodec('cw')

export const alice: KeyPair = await generateKeyPair('ed25519', Buffer.from('alice'))
export const bob: KeyPair = await generateKeyPair('secp256k1', Buffer.from('bob'))
export const nodeKey: KeyPair = await generateKeyPair('ed25519', Buffer.from('node'))
export const accountOf = (pair: KeyPair): AccountId =>
  accountOfKey(accountKeyOf(pair.publicKey.algorithm as 'ed25519', pair.publicKey.bytes))

/** A signed transaction of alice; the nonce tells one from another. */
export async function signedBytes(nonce: number, nowMs = Date.now()): Promise<Buffer> {
  const draft = buildTransaction({
    chain: CHAIN,
    authority: accountOf(alice),
    instructions: [
      instruction(domainInstructions.registerDomain, { id: `d${nonce}`, dataspace: undefined, metadata: new Map() }),
    ],
    nonce,
    nowMs,
    codec: CODEC,
  })
  return (await signTransaction(draft, alice)).bytes
}

export const consensusRecord = (changes: Partial<ConsensusStatus> = {}): ConsensusStatus => ({
  mode: 'permissioned',
  height: 7,
  commitCommittee: ['ea0130'.padEnd(102, 'A'), 'ea0130'.padEnd(102, 'B')],
  decidingHeight: 8,
  view: 1,
  proposer: 'ea0130'.padEnd(102, 'A'),
  role: 'member',
  committee: ['ea0130'.padEnd(102, 'A'), 'ea0130'.padEnd(102, 'B')],
  quorum: 2,
  faultBudget: 0,
  blockHash: Buffer.alloc(32, 1),
  stateRoot: Buffer.alloc(32, 2),
  commitQc: {
    height: 7,
    view: 0,
    blockHash: Buffer.alloc(32, 1),
    committeeHash: Buffer.alloc(32, 3),
    signers: [0, 2],
    aggregate: Buffer.alloc(96, 4),
  },
  highestPrepareView: undefined,
  viewChanges: 1,
  viewChangeReasons: new Map([['noProposal', 1]]),
  phases: new Map([['prepare', { lastUs: 1_235, emaUs: 2_500 }]]),
  queueSize: 3,
  stall: { reason: 'noQuorum', sinceMs: 1_235, missing: ['peer-4'], text: 'two of four validators answer' },
  halted: undefined,
  divergence: undefined,
  laneCommitments: undefined,
  dataspaceCommitments: undefined,
  laneSettlementCommitments: undefined,
  laneRelayEnvelopes: undefined,
  votes: undefined,
  epoch: undefined,
  abstaining: undefined,
  signer: undefined,
  ...changes,
})

/** Missed blocks of one session, by lane and by dataspace. */
const BACKLOG = { txCount: 5, totalChunks: 2, pendingChunks: 1, rbcBytesTotal: 900, teu: 50 }
const BACKLOGS = { laneBacklog: [{ laneId: 0, ...BACKLOG }], dataspaceBacklog: [{ dataspaceId: 7n, ...BACKLOG }] }

/** One session that misses a chunk. */
const RBC: RbcStatus = {
  dataAvailability: true,
  sessionsActive: 1,
  sessionsOpenedTotal: 3,
  sessionsDeliveredTotal: 0,
  sessionsExpiredTotal: 0,
  sessionsEvictedTotal: 0,
  sessionsRefusedTotal: 0,
  sessionsInvalidTotal: 0,
  payloadBytesDeliveredTotal: 0,
  readyBroadcastsTotal: 0,
  deliverBroadcastsTotal: 0,
  chunkMismatchesTotal: 0,
  payloadsRebuiltTotal: 0,
  recordRequestsTotal: 0,
  chunkRequestsTotal: 0,
  payloadRequestsTotal: 0,
  storePressure: 1,
  storeBytes: 130_000,
  storeSoftBytes: DEFAULT_PAYLOAD_LIMITS.storeSoftBytes,
  storeHardBytes: DEFAULT_PAYLOAD_LIMITS.storeHardBytes,
  stashMessages: 4,
  stashDroppedTotal: 0,
  backpressureDeferralsTotal: 2,
  pendingSessions: 1,
  missingChunks: 1,
  ...BACKLOGS,
}
const RBC_SESSIONS: RbcSessionList = {
  sessionsActive: 1,
  items: [
    {
      blockHash: Buffer.alloc(32, 8),
      payloadHash: Buffer.alloc(32, 9),
      height: 8,
      view: 1,
      payloadBytes: 1_000,
      totalChunks: 2,
      receivedChunks: 1,
      readyCount: 2,
      deliverCount: 1,
      delivered: false,
      recovered: false,
      invalid: false,
      ended: false,
      ageMs: 13,
      ...BACKLOGS,
    },
  ],
}

const TIME_HEALTH = { healthy: false, minSamplesOk: false, offsetOk: true, confidenceOk: true }

/** Consensus keys of two validators, as they are held. */
const VALIDATORS = ['A', 'B'].map((letter) => letter.repeat(48))

/** Domains d000 to d249. */
export const DOMAINS: readonly DomainView[] = Array.from({ length: 250 }, (_, at) => ({
  id: `d${String(at).padStart(3, '0')}`,
  ownedBy: accountOf(alice),
  metadata: new Map(),
}))

/** Answers of the consensus queries on a chain on which nothing happened. */
const HISTORY_ANSWERS: Readonly<Record<string, unknown>> = {
  commitCertificates: { items: [], height: 7 },
  checkpoints: { items: [], height: 7 },
  validatorSets: { items: [], height: 7 },
  commitQc: { subjectBlockHash: Buffer.alloc(32), commitQc: undefined },
  consensusKeys: { items: [], height: 7 },
  blsKeys: { keys: new Map(), height: 7 },
  consensusParams: {
    mode: 'permissioned',
    chainHeight: 7,
    blockTimeMs: 20,
    baseHeightMs: 50,
    maxClockDriftMs: 1_000,
    collectorsK: 0,
    redundantSendR: 0,
    blockMaxTransactions: 512,
    blockTeu: 120_000,
    membershipSeenWindow: 100,
    keyOverlapBlocks: 8,
    evidenceHorizonBlocks: 7_200,
  },
  evidence: { total: 0, items: [], height: 7 },
  evidenceCount: { count: 0 },
  totals: { domains: 250, accounts: 2, assetDefinitions: 1, nfts: 0, height: 7 },
  laneLifecycle: { height: 8, lanes: [], dataspaces: [], policy: DEFAULT_POLICY, enabled: false, domains: [] },
  laneRoute: { laneId: 0, dataspaceId: 0n, stage: 'single' },
  upgrades: { items: [], height: 7 },
  parameters: {
    items: [{ name: 'block_time_ms', value: 20, actsAfterBlocks: 1, staged: [{ fromHeight: 9, value: 30 }] }],
    total: 1,
    height: 7,
  },
}

/** Lists that are empty on it, and records that it does not have. */
const EMPTY_LISTS = new Set([
  'payments',
  'laneList',
  'accounts',
  'assets',
  'transactions',
  'instructions',
  'blocks',
  'headers',
  'nfts',
  'controls',
  'roles',
  'triggers',
])
const NOT_FOUND = new Set([
  'domain',
  'nft',
  'role',
  'trigger',
  'accountGrants',
  'multisig',
  'proposal',
  'control',
  'controlCheck',
  'accountStatement',
  'assetDefinition',
  'transactionDetail',
  'instruction',
  'block',
  'finality',
  'laneById',
  'laneEnvelope',
  'stateProof',
  'transactionProof',
  'portfolio',
  'recovery',
])

/** Parts that a test may inspect and change. */
export class FakeNode {
  readonly submitted: Buffer[] = []
  readonly pendingStates = new Map<string, PendingState>()
  readonly committed = new Map<string, TransactionView>()
  consensus: () => ConsensusStatus = () => consensusRecord()
  /** Decides over the next submissions; the default admits each transaction once. */
  admission: (id: Buffer) => LedgerError | undefined = (id) =>
    this.pendingStates.has(id.toString('hex')) ? new LedgerError('already_enqueued', 'it is in the queue') : undefined
  /** Domains that the list of them has. */
  domains: readonly DomainView[] = DOMAINS
  /** Domains that a page holds at most: fewer where they are large. */
  domainsPerPage = Number.POSITIVE_INFINITY
  onQuery: (kind: string) => Promise<void> = async () => {}
  /** Blocks that `history` gives, ascending; the tip of the node is the last of them, or 7 where there is none. */
  readonly blocks: StoredBlock[] = []
  onRead: (from: number) => Promise<void> = async () => {}
  readonly commitListeners = new Set<(height: number) => void>()
  private halt: Halt | undefined
  private readonly haltListeners = new Set<() => void>()
  readonly pendingListeners = new Set<(change: PendingChange) => void>()

  /** Appends blocks and tells that they are committed. */
  commit(...blocks: readonly StoredBlock[]): void {
    for (const block of blocks) {
      this.blocks.push(block)
      for (const listener of this.commitListeners) listener(block.block.header.height)
    }
  }

  /** Halts the node. */
  haltWith(halt: Halt): void {
    this.halt = halt
    for (const listener of this.haltListeners) listener()
  }

  /** Header time of the tip, and the requested chain time. */
  chainTimeMs = 0
  awaitedMs = 0

  /** Transactions of one account that the queue takes. */
  accountCapacity = 16_384

  /** Height of the tip. */
  private readonly height = (): number => this.blocks.at(-1)?.block.header.height ?? 7

  readonly services: NodeServices = {
    snapshots: () => ({ making: undefined, failure: undefined, items: [] }),
    beginSnapshot: () => ({ making: 7, failure: undefined, items: [] }),
    info: {
      version: '0.1.0',
      chain: CHAIN,
      chainHash: Buffer.alloc(32, 5),
      genesisHash: Buffer.alloc(32, 6),
      addressPrefix: 'cw',
      consensusMode: 'permissioned',
      abi: 1,
      abiHash: Buffer.alloc(32, 7),
      abiFeatures: [{ name: 'core', version: 1, hash: Buffer.alloc(32, 8) }],
      supportedAbis: [{ number: 1, hash: Buffer.alloc(32, 7) }],
      validatorKey: 'ea0130',
      networkKey: NETWORK_KEY,
      startedAtMs: 0,
      features: ['core'],
      codec: CODEC,
    },
    metrics: new Registry(),
    height: this.height,
    status: () => ({
      blocks: this.height(),
      txsApproved: 5,
      txsRejected: 1,
      queueSize: 3,
      peers: 1,
      uptimeMs: 13,
      synced: true,
      inQuorum: true,
      chain: CHAIN,
      version: '0.1.0',
      teuLaneCommit: undefined,
      teuDataspaceBacklog: undefined,
      missingAbi: undefined,
      halted: this.halt?.reason,
      firstHeight: undefined,
      waitsUntilMs: undefined,
      cancelledMode: undefined,
    }),
    consensus: () => this.consensus(),
    leader: () => ({
      height: 8,
      view: 1,
      leaderIndex: 1,
      leader: VALIDATORS[1] ?? '',
      prf: { height: 8, epoch: 0, epochSeed: Buffer.alloc(32, 8) },
    }),
    qc: () => ({
      highestQc: { height: 8, view: 0, subjectBlockHash: Buffer.alloc(32, 9) },
      lockedQc: undefined,
      commitQc: { height: 7, view: 0, subjectBlockHash: Buffer.alloc(32, 1) },
    }),
    phases: () => ({ height: 7, phases: this.consensus().phases }),
    pacemaker: () => ({
      height: 8,
      view: 1,
      armed: true,
      heightTimeEmaMs: 50,
      backoffExponent: 1,
      backoffMultiplierPermille: 1_500,
      viewTimeoutTargetMs: 600,
      viewTimeoutRemainingMs: 588,
      roundElapsedMs: 13,
      maxBackoffMs: 60_000,
      jitterFracPermille: 100,
    }),
    collectors: () => ({
      mode: 'permissioned',
      height: 8,
      view: 1,
      collectorsK: 0,
      redundantSendR: 0,
      minVotesForCommit: 2,
      collectors: VALIDATORS.map((peer, index) => ({ index, peer })),
    }),
    consensusTelemetry: () => ({
      viewChanges: 1,
      viewChangeReasons: new Map([['noProposal', 1]]),
      badSignatures: new Map([[VALIDATORS[0] ?? '', 2]]),
      badRanges: new Map([[VALIDATORS[1] ?? '', 1]]),
      phases: this.consensus().phases,
      rbcBacklog: {
        pendingSessions: RBC.pendingSessions,
        missingChunks: RBC.missingChunks,
        storeBytes: RBC.storeBytes,
        storePressure: RBC.storePressure,
        evictedTotal: RBC.sessionsEvictedTotal,
        deferralsTotal: RBC.backpressureDeferralsTotal,
      },
      randomness: undefined,
    }),
    rbc: () => RBC,
    rbcSessions: () => RBC_SESSIONS,
    peers: () => ({
      items: [
        { id: 'p1', address: '127.0.0.1:1', role: 'validator', connected: true, height: 7, lastError: undefined },
        {
          id: 'p2',
          address: '127.0.0.1:2',
          role: 'observer',
          connected: false,
          height: undefined,
          lastError: 'refused',
        },
      ],
      total: 2,
    }),
    submit: (bytes) => this.submit(bytes),
    submitEvidence: async () => ({ kind: 'known' }),
    dryRun: async (payload) => ({
      hash: transactionId(transactionPayload.encode(payload, CODEC)),
      height: 8,
      timeMs: 1_700_000_000_000,
      lane: 0,
      dataspace: 0n,
      outcome: 'approved',
      rejection: undefined,
      called: undefined,
      teu: 160,
      events: [event(domainEvents.domainCreated, { domain: 'd1', owner: accountOf(alice) })],
    }),
    costOf: (instructions) => 100 * instructions.length,
    chainTimeMs: () => this.chainTimeMs,
    awaitChainTime: (timeMs) => {
      this.awaitedMs = timeMs
    },
    maxTtlMs: () => 600_000,
    maxTeuPerTx: () => 60_000,
    accountCapacity: () => this.accountCapacity,
    pending: (id) => this.pendingStates.get(Buffer.from(id).toString('hex')) ?? { kind: 'unknown' },
    queuePlace: (id) =>
      this.pendingStates.get(Buffer.from(id).toString('hex'))?.kind === 'queued'
        ? { lane: 1, ahead: 40, teuAhead: 6_400 }
        : undefined,
    queries: () =>
      new Map<string, QueryDef<unknown, unknown>>(
        [domainQueries.domains, assetQueries.assetDefinitions, accountQueries.account, explorerQueries.transaction].map(
          (def) => [def.kind, def as unknown as QueryDef<unknown, unknown>],
        ),
      ),
    query: async (def, input) => {
      await this.onQuery(def.kind)
      // As on its way to the ledger thread: an input outside its schema is a bug of the gateway.
      def.input.encode(input, CODEC)
      return this.answer(def as QueryDef<unknown, unknown>, input) as never
    },
    halted: () => this.halt,
    onProofChecked: () => () => undefined,
    onHalt: (listener) => {
      this.haltListeners.add(listener)
      return () => this.haltListeners.delete(listener)
    },
    onCommit: (listener) => {
      this.commitListeners.add(listener)
      return () => this.commitListeners.delete(listener)
    },
    timeNow: () => ({
      now: 1_699_999_999_997,
      offsetMs: -3,
      confidenceMs: 1,
      sampleCount: 1,
      peerCount: 3,
      fallback: false,
      health: TIME_HEALTH,
    }),
    timeStatus: () => ({
      peers: 3,
      samplesUsed: 1,
      offsetMs: -3,
      confidenceMs: 1,
      fallback: false,
      health: TIME_HEALTH,
      samples: [{ peer: 'ea01', lastOffsetMs: -3, lastRttMs: 2, count: 4 }],
      rtt: {
        buckets: [
          { le: 1, count: 0 },
          { le: undefined, count: 4 },
        ],
        sumMs: 8,
        count: 4,
      },
    }),
    history: {
      read: async (from, count) => {
        await this.onRead(from)
        return this.blocks.filter(({ block }) => block.header.height >= from).slice(0, count)
      },
      keepFrom: () => undefined,
      errorName: (code) => (code === 9 ? 'not_enough' : undefined),
      onPending: (listener) => {
        this.pendingListeners.add(listener)
        return () => this.pendingListeners.delete(listener)
      },
    },
    validatorSigner: {
      account: '',
      key: '',
      sign: () => Buffer.alloc(64),
      keys: [],
      reveal: async () => undefined,
    },
  }

  private async submit(bytes: Uint8Array): Promise<Submitted> {
    this.submitted.push(Buffer.from(bytes))
    const decoded = signedTransaction.decode(bytes, CODEC)
    if (!decoded.ok) return { ok: false, error: new LedgerError(decoded.fault.code, decoded.fault.message) }
    const id = transactionId(decoded.value.payload.bytes)
    const error = this.admission(id)
    if (error !== undefined) return { ok: false, error }
    this.pendingStates.set(id.toString('hex'), { kind: 'queued' })
    const body: Omit<Receipt, 'signature'> = {
      transactionHash: id,
      submittedAtMs: 1_700_000_000_000,
      submittedAtHeight: 7,
      signer: keyString(nodeKey.publicKey.bytes),
    }
    const receipt = { ...body, signature: signEd25519(nodeKey.secret, receiptSignBytes(body)) }
    return { ok: true, receipt, lane: 0, dataspace: 0n }
  }

  private answer(def: QueryDef<unknown, unknown>, input: unknown): unknown {
    switch (def.kind) {
      case 'domains': {
        const { limit: asked, after } = input as { limit: number; after: string | undefined }
        const limit = Math.min(asked, this.domainsPerPage)
        const start = after === undefined ? 0 : this.domains.findIndex((domain) => domain.id > after)
        const rest = start < 0 ? [] : this.domains.slice(start)
        const items = rest.slice(0, limit)
        return { items, nextCursor: rest.length > limit ? items.at(-1)?.id : undefined, height: 7 }
      }
      case 'series':
        return { metric: 'blocks', stepMs: 60_000, sinceMs: undefined, points: [], height: 7 }
      case 'assetDefinitions':
        return { items: [], nextCursor: undefined, height: 7 }
      case 'account': {
        const { id, alias } = input as { id: AccountId | undefined; alias: string | undefined }
        if (id !== accountOf(alice) && alias !== 'alice@d000') return undefined
        const view: AccountView = {
          id: accountOf(alice),
          domain: 'd000',
          label: 'alice',
          metadata: new Map(),
          balances: [{ definition: 'eur#d000', amount: { mantissa: 125n, scale: 1 } }],
          moreBalances: undefined,
        }
        return view
      }
      case 'transaction':
        return this.committed.get(Buffer.from((input as { hash: Uint8Array }).hash).toString('hex'))
      default: {
        if (EMPTY_LISTS.has(def.kind)) return { items: [], nextCursor: undefined, height: 7 }
        if (NOT_FOUND.has(def.kind)) return undefined
        const history = HISTORY_ANSWERS[def.kind]
        if (history === undefined) throw new Error(`the fake node has no query ${def.kind}`)
        return history
      }
    }
  }
}

/** A gateway over a fake node; the rate limit is off unless the test sets one. */
export function gatewayOf(
  node: FakeNode,
  config: Partial<GatewayConfig> = {},
  modules: Partial<GatewayModules> = {},
): Gateway {
  return new Gateway(
    { address: '127.0.0.1:0', rateLimit: undefined, ...config },
    {
      services: node.services,
      ...modules,
      routes: [...CORE.routes, ...(modules.routes ?? [])],
      streams: new Map([...CORE.streams, ...(modules.streams ?? [])]),
      handlers: new Map([...CORE.handlers, ...(modules.handlers ?? [])]),
    },
  )
}
