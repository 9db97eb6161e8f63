/** Owns the message protocol of main thread and ledger thread: one request and one response record per method. */

import { cancelledMode, epochStatus } from '../../api/index.js'
import {
  bool,
  bytes,
  bytesN,
  enumOf,
  hash32,
  type Infer,
  list,
  map,
  option,
  type Schema,
  string,
  struct,
  u32,
  unitEnum,
  varint,
} from '../../codec/index.js'
import type { ViewPlace } from '../../consensus/index.js'
import type { ScheduleView } from '../../executor/index.js'
import { lanesView, route, routeFacts } from '../../lanes/index.js'
import {
  BLOCK_MAX_BYTES,
  BLS_SIGNATURE_BYTES,
  BODY_MAX_BYTES,
  blockHeader,
  certifiedHeader,
  evidence,
  multisigPolicy,
  peer,
  quorumCertificate,
  ROSTER_MAX,
  TRANSACTION_MAX_BYTES,
  validatorKey,
} from '../../model/index.js'
import { snapshotManifest } from '../snapshot/manifest.js'
import type { LedgerTurn } from './channel.js'

/** Maximum length of lists in these records: both ends belong to this program, so it only guards against a bug. */
const MANY = 1_000_000
/** Maximum length of an account id in these records, in bytes. */
const ACCOUNT_ID_MAX_BYTES = 64
/** Maximum length of a text in these records, in bytes. */
const TEXT_MAX_BYTES = 64 * 1024

const scheduleView_: Schema<ScheduleView> = struct('ScheduleView', {
  epoch: varint,
  seed: hash32,
  roster: list(validatorKey, ROSTER_MAX),
  rotated: map(validatorKey, validatorKey, ROSTER_MAX),
  demoted: list(validatorKey, ROSTER_MAX),
})

/** Chain parameters for the main thread. */
const phaseTimes_ = struct('PhaseTimesView', {
  propose: varint,
  payload: varint,
  execute: varint,
  prepare: varint,
  commit: varint,
})
const limitsView_ = struct('LimitsView', {
  maxTtlMs: varint,
  maxInstructions: varint,
  maxTxBytes: varint,
  maxTeuPerTx: varint,
  blockTeu: varint,
  blockMaxTransactions: varint,
  maxBlockBytes: varint,
  blockWorkMs: varint,
  proofWorkPerBlock: varint,
  maxClockDriftMs: varint,
  blockTimeMs: varint,
  baseHeightMs: varint,
  phases: option(phaseTimes_),
  collectorsK: varint,
  redundantSendR: varint,
  dataAvailability: bool,
})

/** Parameters of the next height, after a commit or at start. */
export interface Tip extends Infer<typeof tip> {}
export const tip = struct('Tip', {
  /** Last committed height. */
  height: varint,
  header: blockHeader,
  certificate: option(quorumCertificate),
  stateRoot: hash32,
  /** Schedule of this height, to check certificates of its block. */
  parentSchedule: scheduleView_,
  schedule: scheduleView_,
  nextSchedule: scheduleView_,
  limits: limitsView_,
  peers: list(peer, 4 * ROSTER_MAX),
  approved: varint,
  rejected: varint,
  /** Runs of time and pre-commit triggers since the start of the process. */
  triggerRuns: struct('TriggerRuns', { approved: varint, rejected: varint }),
  /** Lanes of the next height; undefined while lanes are off. */
  lanes: option(lanesView),
  /** Header time from which a time trigger requires a block, in ms since the Unix epoch. */
  nextDueMs: option(varint),
  /** Current epoch of elected validators; undefined in permissioned mode. */
  epoch: option(epochStatus),
  /** Consensus mode, and a scheduled mode with its height. */
  mode: string(16),
  stagedMode: option(string(16)),
  cancelledMode: option(cancelledMode),
  /** Lowest height from which this node has every block; it always has genesis and all headers. */
  firstHeight: varint,
  /** ABI of the next height. */
  abi: struct('NeededAbi', { number: varint, hash: option(hash32) }),
})

/** Result of a proof, identified by the hash of statement and proof. */
const proofOutcome_ = unitEnum('ProofOutcome', { proven: 0, length: 1, refused: 2 })
const keyedOutcome_ = struct('KeyedOutcome', { key: hash32, outcome: proofOutcome_ })

/** Maximum claims in one request: a block with the greatest proof work has 568. */
const CLAIMS_MAX = 4096
/** Maximum size of a claim, in bytes: the longest list has 8 KiB of keys. */
const CLAIM_MAX_BYTES = 64 * 1024

/**
 * Proof option of a block. `ask`: it runs once the results of its claims are known; `known`: the results are known.
 * Proofs without a result are verified during execution, as are all proofs if the option is absent.
 */
const blockProofs_ = option(enumOf('BlockProofs', { ask: [0, undefined], known: [1, list(keyedOutcome_, CLAIMS_MAX)] }))
/** Requested packed claims; nothing was executed. */
const blockClaims_ = list(bytes(CLAIM_MAX_BYTES), CLAIMS_MAX)

/** Body with the hashes of its entries, computed once by the main thread: id and signed hash, 64 bytes each. */
const bodyFields = { body: bytes(BODY_MAX_BYTES), hashes: bytes(64 * MANY), proofs: blockProofs_ }

/** Time of an execution in ms, and the indexes of the entries that took too long. */
const executionTime_ = struct('ExecutionTime', { ms: varint, slow: list(u32, MANY) })

const buildRequest_ = struct('BuildRequest', {
  /** Header whose roots are still zero. */
  header: blockHeader,
  ...bodyFields,
})
const buildResponse_ = struct('BuildResponse', {
  header: option(blockHeader),
  /** Entries that a block cannot contain now; nothing was built. */
  invalid: list(struct('InvalidEntry', { index: u32, code: string(64), message: string(TEXT_MAX_BYTES) }), MANY),
  /** True if the active ABI cannot decode a record; nothing was built. */
  isUnreadable: bool,
  claims: blockClaims_,
  took: executionTime_,
})

const executeRequest_ = struct('ExecuteRequest', {
  blockHash: hash32,
  header: blockHeader,
  ...bodyFields,
  /** True if the block has a commit certificate, so that a difference is fully analysed. */
  certified: bool,
})
/** Reason why the report of a divergence could not be written. */
export interface ReportFault extends Infer<typeof reportFault_> {}
const reportFault_ = struct('ReportFault', { code: string(64), message: string(TEXT_MAX_BYTES) })
const executeResponse_ = struct('ExecuteResponse', {
  ok: bool,
  /** True if the block ran with other roots; false if it is invalid. */
  mismatch: bool,
  detail: string(TEXT_MAX_BYTES),
  /** Path of the report of the divergence. */
  report: option(string(TEXT_MAX_BYTES)),
  /** Present if the report could not be written. */
  reportFault: option(reportFault_),
  /** True if the view of the block passed before it was executed, so that its validity is unknown. */
  isEnded: bool,
  claims: blockClaims_,
  took: executionTime_,
})

/**
 * Commit by the block hash in the certificate. The candidate was kept when it was built or executed, so its body is not
 * sent again.
 */
const commitRequest_ = struct('CommitRequest', { certified: certifiedHeader })
/** Input of the next height; undefined: the candidate was evicted, nothing is committed, and `commitBody` is needed. */
const commitResponse_ = struct('CommitResponse', { tip: option(tip) })
const commitBodyRequest_ = struct('CommitBodyRequest', { certified: certifiedHeader, body: bytes(BODY_MAX_BYTES) })

/** Transactions for admission, already decoded, checked and routed; the ledger checks only the state. */
const admitRequest_ = struct('AdmitRequest', {
  /** Clock of the node, which the time of a block built now would follow, in ms since the Unix epoch. */
  timeMs: varint,
  items: list(
    struct('AdmitItem', {
      id: hash32,
      authority: bytes(ACCOUNT_ID_MAX_BYTES),
      /** Routing facts for the ledger; present while lanes are on. */
      facts: option(routeFacts),
      /** Static cost, and the fee fields of the transaction; without a cost only its signers are checked. */
      teu: option(varint),
      teuLimit: option(varint),
      sponsor: option(string(TEXT_MAX_BYTES)),
      /** Duty that exempts it from a fee. */
      duty: option(string(64)),
      /** Multisig policy with which the members signed. */
      policy: option(multisigPolicy),
      /** Canonical bytes of the payload of a transaction with proofs. */
      proving: option(bytes(TRANSACTION_MAX_BYTES)),
    }),
    4096,
  ),
})
/** Proof of a transaction that can be verified now; see `EarlyProof`. */
export interface AdmitProof extends Infer<typeof admitProof_> {}
const admitProof_ = struct('AdmitProof', {
  key: hash32,
  claim: bytes(CLAIM_MAX_BYTES),
  dependsOn: unitEnum('ProofDependsOn', { nothing: 0, state: 1, before: 2 }),
  /** Present if the ledger has the result. */
  outcome: option(proofOutcome_),
})
const admitResult_ = struct('AdmitResult', {
  /** Error code name; empty if the transaction is admitted. */
  code: string(64),
  message: string(TEXT_MAX_BYTES),
  /** Present if facts were given. */
  route: option(route),
  /** Proofs that can be verified before execution. */
  proofs: list(admitProof_, CLAIMS_MAX),
  /** Number of its other proofs. */
  later: u32,
})
const admitResponse_ = struct('AdmitResponse', { results: list(admitResult_, 4096) })

const cacheProofsRequest_ = struct('CacheProofsRequest', { outcomes: list(keyedOutcome_, CLAIMS_MAX) })

const routeRequest_ = struct('RouteRequest', { facts: list(routeFacts, MANY) })
const routeResponse_ = struct('RouteResponse', { routes: list(route, MANY) })

const queryRequest_ = struct('QueryRequest', { kind: string(128), input: bytes(BODY_MAX_BYTES) })
const queryResponse_ = struct('QueryResponse', { output: option(bytes(BODY_MAX_BYTES)) })

const blocksRequest_ = struct('BlocksRequest', { from: varint, count: varint, maxBytes: varint })
const blocksResponse_ = struct('BlocksResponse', { blocks: list(bytes(BLOCK_MAX_BYTES), 64) })

/** Whole blocks with their results, for streams; the ledger limits the size of a response. */
const historyRequest_ = struct('HistoryRequest', { from: varint, count: varint })
const historyResponse_ = struct('HistoryResponse', {
  blocks: list(struct('HistoryBlock', { block: bytes(2 * BODY_MAX_BYTES), outcome: bytes(2 * BODY_MAX_BYTES) }), 256),
})

const heightRequest_ = struct('HeightRequest', { height: varint })
const certificateResponse_ = struct('CertificateResponse', { certified: option(certifiedHeader) })

/** Evidence to validate against the state after the tip, before its signatures are verified. */
const evidenceRequest_ = struct('EvidenceRequest', { records: list(evidence, MANY) })
const sameCheck_ = struct('SameCheck', {
  keys: list(validatorKey, ROSTER_MAX),
  message: bytes(TEXT_MAX_BYTES),
  signature: bytesN(BLS_SIGNATURE_BYTES),
})
const evidenceResponse_ = struct('EvidenceResponse', {
  results: list(
    enumOf('EvidenceResult', {
      /** Reason why no block may contain it. `known`: a block already contains it; `early`: a later block may. */
      refused: [0, struct('RefusedEvidence', { detail: string(TEXT_MAX_BYTES), known: bool, early: bool })],
      admissible: [
        1,
        struct('AdmissibleEvidence', {
          key: hash32,
          kind: string(32),
          offender: validatorKey,
          height: varint,
          view: u32,
          checks: list(sameCheck_, 2),
        }),
      ],
    }),
    MANY,
  ),
})

const snapshotRequest_ = struct('SnapshotRequest', { file: string(TEXT_MAX_BYTES) })
const snapshotResponse_ = struct('SnapshotResponse', { manifest: snapshotManifest })

const pruneRequest_ = struct('PruneRequest', { below: varint })
const pruneResponse_ = struct('PruneResponse', { firstHeight: varint })

const empty_ = struct('Nothing', {})

/** Methods of the ledger thread with their priority classes. */
export const LEDGER_METHODS = {
  tip: { request: empty_, response: tip, turn: 'consensus' },
  build: { request: buildRequest_, response: buildResponse_, turn: 'consensus' },
  execute: { request: executeRequest_, response: executeResponse_, turn: 'consensus' },
  commit: { request: commitRequest_, response: commitResponse_, turn: 'consensus' },
  commitBody: { request: commitBodyRequest_, response: tip, turn: 'consensus' },
  admit: { request: admitRequest_, response: admitResponse_, turn: 'admission' },
  cacheProofs: { request: cacheProofsRequest_, response: empty_, turn: 'consensus' },
  route: { request: routeRequest_, response: routeResponse_, turn: 'admission' },
  query: { request: queryRequest_, response: queryResponse_, turn: 'node' },
  written: { request: empty_, response: empty_, turn: 'node' },
  blocks: { request: blocksRequest_, response: blocksResponse_, turn: 'node' },
  history: { request: historyRequest_, response: historyResponse_, turn: 'node' },
  snapshot: { request: snapshotRequest_, response: snapshotResponse_, turn: 'node' },
  prune: { request: pruneRequest_, response: pruneResponse_, turn: 'node' },
  certificate: { request: heightRequest_, response: certificateResponse_, turn: 'consensus' },
  evidence: { request: evidenceRequest_, response: evidenceResponse_, turn: 'consensus' },
} as const satisfies Readonly<Record<string, LedgerMethodRow>>

interface LedgerMethodRow {
  readonly request: object
  readonly response: object
  readonly turn: LedgerTurn
}

export type LedgerMethod = keyof typeof LEDGER_METHODS
type Of<S> = S extends Schema<infer T> ? T : never
/** Request about a block without a proof option: its proofs are verified during execution. */
type OptionalProofs<T> = T extends { readonly proofs: infer P } ? Omit<T, 'proofs'> & { readonly proofs?: P } : T
export type LedgerRequest<M extends LedgerMethod> = OptionalProofs<Of<(typeof LEDGER_METHODS)[M]['request']>>
export type LedgerResponse<M extends LedgerMethod> = Of<(typeof LEDGER_METHODS)[M]['response']>

/** Ledger as the main thread uses it: on its own thread or, in tests, on the same one. */
export type LedgerPort = {
  /** `turn` selects another priority class than the method's own. */
  readonly [M in LedgerMethod]: (request: LedgerRequest<M>, turn?: LedgerTurn) => Promise<LedgerResponse<M>>
} & {
  /**
   * Report that consensus entered another view, or that another block is locked: executions that are no longer needed
   * end at their next transaction.
   */
  enterView(place: ViewPlace): void
  close(): Promise<void>
}
