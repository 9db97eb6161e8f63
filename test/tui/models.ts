/** Owns the states of a made-up node that the tests of the dashboard draw, at fixed times. */

import type { ConsensusStatus, NodeStatus, PeerRecord, RbcSessionRecord, RbcStatus } from '../../src/api/index.js'
import { shortId } from '../../src/base/ids.js'
import { newModel, type WatchInput, type WatchModel } from '../../src/cli/watch/model.js'
import { reduce } from '../../src/cli/watch/reduce.js'

/** 14:00:00 UTC of some day. */
export const T0 = Date.UTC(2026, 0, 2, 14, 0, 0)

/** Key text of a validator, and its short form in stall texts. */
export const keyOf = (place: number): string => `ea0130${place.toString(16).padStart(2, '0').toUpperCase().repeat(48)}`
export const shortOf = (place: number): string => shortId(keyOf(place))
const hash = (byte: number): Buffer => Buffer.alloc(32, byte)

export const consensusOf = (height: number, more: Partial<ConsensusStatus> = {}, validators = 4): ConsensusStatus => ({
  mode: 'permissioned',
  height,
  blockHash: hash(height % 256),
  stateRoot: hash(0x71),
  commitQc: {
    height,
    view: 0,
    blockHash: hash(height % 256),
    committeeHash: hash(3),
    signers: Array.from({ length: validators - 1 }, (_, at) => at),
    aggregate: Buffer.alloc(96),
  },
  commitCommittee: Array.from({ length: validators }, (_, at) => keyOf(at)),
  decidingHeight: height + 1,
  view: 0,
  proposer: keyOf(2),
  role: 'member',
  committee: Array.from({ length: validators }, (_, at) => keyOf(at)),
  quorum: Math.floor((2 * validators) / 3) + 1,
  faultBudget: Math.floor((validators - 1) / 3),
  highestPrepareView: undefined,
  viewChanges: 0,
  viewChangeReasons: new Map(),
  phases: new Map([
    ['propose', { lastUs: 38_000, emaUs: 40_000 }],
    ['prepare', { lastUs: 84_000, emaUs: 80_100 }],
    ['commit', { lastUs: 61_000, emaUs: 60_000 }],
    ['apply', { lastUs: 2_300, emaUs: 2_000 }],
  ]),
  queueSize: 155,
  stall: undefined,
  halted: undefined,
  divergence: undefined,
  laneCommitments: undefined,
  dataspaceCommitments: undefined,
  laneSettlementCommitments: undefined,
  laneRelayEnvelopes: undefined,
  votes: { prepare: [0, 1, 2], commit: [0, 1] },
  epoch: undefined,
  abstaining: undefined,
  signer: undefined,
  ...more,
})

export const statusOf = (more: Partial<NodeStatus> = {}): NodeStatus => ({
  blocks: 18_401,
  txsApproved: 9_871_204,
  txsRejected: 311,
  queueSize: 155,
  peers: 3,
  uptimeMs: 8_049_000,
  synced: true,
  inQuorum: true,
  chain: 'demo-4',
  version: '0.1.0',
  teuLaneCommit: undefined,
  teuDataspaceBacklog: undefined,
  missingAbi: undefined,
  halted: undefined,
  firstHeight: undefined,
  waitsUntilMs: undefined,
  cancelledMode: undefined,
  ...more,
})

export const peersOf = (validators = 4): PeerRecord[] => [
  ...Array.from({ length: validators - 1 }, (_, at) => ({
    id: keyOf(at + 1),
    address: `10.0.0.${at + 1}:7400`,
    role: 'validator' as const,
    connected: true,
    height: undefined,
    lastError: undefined,
  })),
  {
    id: keyOf(200),
    address: '10.0.0.99:7400',
    role: 'observer',
    connected: true,
    height: undefined,
    lastError: undefined,
  },
]

export const rbcOf = (): RbcStatus => ({
  dataAvailability: true,
  sessionsActive: 2,
  sessionsOpenedTotal: 9,
  sessionsDeliveredTotal: 7,
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
  storeBytes: 1_258_291,
  storeSoftBytes: 1_000_000,
  storeHardBytes: 64 * 1024 * 1024,
  stashMessages: 0,
  stashDroppedTotal: 0,
  backpressureDeferralsTotal: 2,
  pendingSessions: 0,
  missingChunks: 0,
  laneBacklog: [],
  dataspaceBacklog: [],
})

export const sessionOf = (height: number, delivered: boolean): RbcSessionRecord => ({
  blockHash: hash(height % 256),
  payloadHash: hash(9),
  height,
  view: 0,
  payloadBytes: 831_488,
  totalChunks: 12,
  receivedChunks: delivered ? 12 : 7,
  readyCount: 3,
  deliverCount: delivered ? 3 : 0,
  delivered,
  recovered: false,
  invalid: false,
  ended: false,
  ageMs: 300,
  laneBacklog: [],
  dataspaceBacklog: [],
})

/** A model after inputs, from an empty one at T0. */
export const modelAfter = (inputs: readonly WatchInput[], from = empty()): WatchModel => inputs.reduce(reduce, from)

export const empty = (): WatchModel =>
  newModel(
    {
      gateway: 'http://127.0.0.1:8180',
      chain: 'demo-4',
      version: '0.1.0',
      mode: 'permissioned',
      validatorKey: keyOf(0),
      names: new Map([
        [keyOf(0), 'val-0'],
        ['10.0.0.1:7400', 'val-1'],
        ['10.0.0.2:7400', 'val-2'],
        ['10.0.0.3:7400', 'val-3'],
        ['10.0.0.99:7400', 'obs-0'],
      ]),
    },
    T0,
  )

export const block = (height: number, atMs: number, transactions = 541, rejected = 0): WatchInput => ({
  kind: 'block',
  atMs,
  value: {
    height,
    hash: hash(height % 256).toString('hex'),
    transactions,
    rejected,
    payments: 2 * transactions,
    timeMs: atMs,
  },
})

/** A busy network of four with an observer, after a few blocks. */
export const busy = (): WatchModel =>
  modelAfter([
    { kind: 'peers', atMs: T0, value: peersOf() },
    { kind: 'status', atMs: T0, value: statusOf() },
    {
      kind: 'time',
      atMs: T0,
      value: new Map([
        [keyOf(1), 3],
        [keyOf(2), 4],
        [keyOf(3), 814],
      ]),
    },
    { kind: 'evidence', atMs: T0, value: 0 },
    { kind: 'rbc', atMs: T0, value: rbcOf() },
    { kind: 'sessions', atMs: T0, value: [sessionOf(18_404, false), sessionOf(18_403, true)] },
    { kind: 'consensus', atMs: T0, value: consensusOf(18_400) },
    ...[1, 2, 3].flatMap((step): WatchInput[] => [
      { kind: 'consensus', atMs: T0 + step * 1_000, value: consensusOf(18_400 + step) },
      block(18_400 + step, T0 + step * 1_000, 500 + step, step === 2 ? 3 : 0),
    ]),
    { kind: 'status', atMs: T0 + 3_400, value: statusOf() },
    { kind: 'tick', atMs: T0 + 3_600 },
  ])

/** The same network while it waits for two validators. */
export const stalled = (): WatchModel =>
  modelAfter(
    [
      {
        kind: 'consensus',
        atMs: T0 + 20_000,
        value: consensusOf(18_403, {
          view: 3,
          viewChanges: 3,
          viewChangeReasons: new Map([['noProposal', 3]]),
          stall: {
            reason: 'votes_missing',
            sinceMs: T0 + 6_000,
            missing: [shortOf(2), shortOf(3)],
            text: `h18404 v3: no proposal of ${shortOf(2)} yet; 2 of 3 votes, 1 short; waiting for ${shortOf(2)} (ECONNREFUSED, away for 14 s), ${shortOf(3)} (connected, no vote)`,
          },
        }),
      },
      {
        kind: 'peers',
        atMs: T0 + 20_000,
        value: peersOf().map((one) =>
          one.id === keyOf(2) ? { ...one, connected: false, lastError: 'ECONNREFUSED' } : one,
        ),
      },
    ],
    busy(),
  )
