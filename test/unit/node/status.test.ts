/** The status of a node: bounded texts in its records, whole numbers, and metrics that are computed when they are read. */
import { Registry } from 'prom-client'
import { beforeEach, describe, expect, it } from 'vitest'
import { metricsOf } from '../../../src/api/metrics.js'
import type { NodeInfo } from '../../../src/api/services.js'
import { newAbstention } from '../../../src/consensus/abstention.js'
import { type ConsensusState, committeeOf, newState, sortRoster } from '../../../src/consensus/index.js'
import { DEFAULT_CONSENSUS_PARAMETERS } from '../../../src/model/index.js'
import type { ConsensusDriver } from '../../../src/node/consensus/driver.js'
import { Failures } from '../../../src/node/consensus/failures.js'
import type { Logger } from '../../../src/node/process/logger.js'
import { ConsensusStatus } from '../../../src/node/status/consensus.js'
import { LaneTelemetry } from '../../../src/node/status/lane-telemetry.js'
import { LaneStatus } from '../../../src/node/status/lanes.js'
import { NodeStatus } from '../../../src/node/status/node.js'
import { RbcStatus } from '../../../src/node/status/rbc.js'
import { ConsensusTelemetry } from '../../../src/node/status/telemetry.js'
import { fakeKey } from '../../../src/simulation/signatures.js'
import { BLANK_HEADER } from '../../support/headers.js'

const keys = sortRoster([0, 1, 2, 3].map((index) => fakeKey(index)))
const committee = committeeOf(7, keys)
const SILENT = { error: () => undefined, fatal: () => undefined } as unknown as Logger

let state: ConsensusState
let failures: Failures
let telemetry: ConsensusTelemetry
let registry: Registry
let node: NodeStatus
let consensus: ConsensusStatus
let driver: ConsensusDriver
/** Time since the start of the node, by a monotonic clock. */
let uptimeMs: number
let wallMs: number

beforeEach(() => {
  state = newState(
    keys[0]!,
    {
      height: 7,
      chain: 'test',
      chainHash: Buffer.alloc(32),
      epoch: 0,
      parentHash: Buffer.alloc(32),
      parentTimeMs: 0,
      parentCertificate: undefined,
      parent: undefined,
      rosterHash: Buffer.alloc(32),
      rosterPeers: keys,
      peerOf: (key) => key,
      committee,
      order: keys,
      nextCommittee: committeeOf(8, keys),
      parameters: DEFAULT_CONSENSUS_PARAMETERS,
    },
    0,
  )
  const schedule = { roster: keys, rotated: new Map(), seed: Buffer.alloc(32), epoch: 0, demoted: [] }
  const tip = {
    height: 6,
    header: {
      ...BLANK_HEADER,
      chain: 'test',
      height: 6,
      parentHash: Buffer.alloc(32),
      originView: 0,
      originProposer: keys[0],
      timeMs: 1,
    },
    certificate: undefined,
    limits: { maxClockDriftMs: 1_000 },
    stateRoot: Buffer.alloc(32, 2),
    schedule,
    nextSchedule: schedule,
    peers: keys.map((key, index) => ({
      key,
      role: index === 3 ? 'observer' : 'validator',
      addresses: ['127.0.0.1:1'],
    })),
    approved: 5,
    rejected: 1,
    triggerRuns: { approved: 4, rejected: 2 },
    firstHeight: 3,
    lanes: undefined,
  }
  driver = { tip, state, peerHeights: new Map() } as unknown as ConsensusDriver
  const info = { version: '0.1.0', chain: 'test', consensusMode: 'permissioned', startedAtMs: 2_000 } as NodeInfo
  const links = {
    connected: () => [keys[1]!],
    isConnected: (key: string) => key === keys[1],
    lastError: (key: string) => (key === keys[2] ? 'x'.repeat(5_000) : undefined),
  }
  registry = new Registry()
  const metrics = metricsOf(registry)
  failures = new Failures(SILENT, () => undefined)
  telemetry = new ConsensusTelemetry(0)
  const queue = { size: 3, depthOf: () => 0, teuOf: () => 0 }
  const lanes = new LaneStatus(
    { tip: () => driver.tip, queue, telemetry: new LaneTelemetry(), chainHash: Buffer.alloc(32) },
    metrics.consensus,
  )
  const rbc = new RbcStatus(
    () => state,
    () => 0,
    metrics.consensus,
  )
  const shared = { info, driver, links, queue, failures, lanes }
  consensus = new ConsensusStatus(
    { ...shared, telemetry, rbc, signer: { record: () => undefined }, monotonicMs: () => 0, wallMs: () => 3_500.4 },
    metrics.consensus,
  )
  uptimeMs = 0
  wallMs = 5_000
  node = new NodeStatus(
    { ...shared, missingAbi: () => undefined, monotonicMs: () => 20_000 + uptimeMs, wallMs: () => wallMs },
    metrics,
  )
})

describe('the status of a node', () => {
  it('reports times in whole milliseconds and microseconds', () => {
    telemetry.take({ kind: 'phase', phase: 'prepare', height: 7, elapsedMs: 1.2345 })
    uptimeMs = 1_500.4
    expect(node.status(true)).toMatchObject({ blocks: 6, uptimeMs: 1_500, peers: 1, inQuorum: false, firstHeight: 3 })
    expect(consensus.phases().phases.get('prepare')).toEqual({ lastUs: 1_235, emaUs: 1_235 })
  })

  it('reports when a genesis time in the future will be reached, until then', () => {
    Object.assign(driver.tip, { height: 1, header: { ...driver.tip.header, timeMs: 6_500 } })
    expect(node.status(true).waitsUntilMs).toBe(5_501)
    wallMs = 5_501
    expect(node.status(true).waitsUntilMs).toBeUndefined()
    Object.assign(driver.tip, { height: 2, header: { ...driver.tip.header, timeMs: 9_500 } })
    expect(node.status(true).waitsUntilMs).toBeUndefined()
  })

  it('truncates long texts to the limits of its records', () => {
    failures.halt(7, 'x'.repeat(5_000))
    failures.diverged({
      height: 7,
      blockHash: Buffer.alloc(32),
      certified: true,
      detail: 'd'.repeat(5_000),
      report: 'r'.repeat(5_000),
    })
    const { halted, divergence } = consensus.status(true)
    expect([halted?.length, divergence?.detail.length, divergence?.report?.length]).toEqual([1_024, 1_024, 1_024])
    expect(node.peers().items.map(({ lastError }) => lastError?.length)).toEqual([undefined, 1_024, undefined])
  })

  it('reports whether a validator abstains and until when, but not for an observer', () => {
    expect(consensus.status(true).abstaining).toBeUndefined()
    state.abstention = newAbstention('amnesia')
    state.index = undefined
    expect(consensus.status(true)).toMatchObject({
      role: 'standby',
      abstaining:
        'this node abstains because its vote log was lost or restored: it votes again once it has the blocks that the other validators report',
    })
    state.abstention.resumeAt = 12
    expect(consensus.status(true).abstaining).toMatch(/it votes again from height 12 on$/)
    state.self = fakeKey(9)
    expect(consensus.status(true)).toMatchObject({ role: 'observer', abstaining: undefined })
  })

  it('contains no lanes while lanes are disabled', () => {
    expect(node.status(true)).toMatchObject({ teuLaneCommit: undefined, teuDataspaceBacklog: undefined })
    expect(consensus.status(true)).toMatchObject({ laneCommitments: undefined, laneRelayEnvelopes: undefined })
  })

  it.each([
    ['does not report a block without a body as empty', 2, undefined],
    ['reports an empty block as empty', 0, []],
  ])('%s', (_, transactionCount, sections) => {
    const parts = { slots: [], dataspaces: [], restricted: [], commitments: [], settlements: [] }
    const tip = {
      height: 6,
      header: { ...driver.tip.header, transactionCount },
      lanes: { fingerprint: Buffer.alloc(32), ...parts },
    }
    const queue = { depthOf: () => 0, teuOf: () => 0 }
    const lanes = new LaneStatus(
      { tip: () => tip, queue, telemetry: new LaneTelemetry(), chainHash: Buffer.alloc(32) },
      metricsOf(new Registry()).consensus,
    )
    const { laneCommitments, laneSettlementCommitments } = lanes.commitments(true)
    expect([laneCommitments, laneSettlementCommitments]).toEqual([sections, sections])
  })
})

describe('the metrics of a node', () => {
  it('match the status of the node, and do not add up over scrapes', async () => {
    telemetry.take({ kind: 'viewEntered', height: 7, view: 1, cause: 'noProposal' })
    state.rbc.counters.deferrals = 2
    for (let scrape = 0; scrape < 2; scrape++) {
      const lines = new Set((await registry.metrics()).split('\n'))
      for (const line of [
        'consensus_view_changes_total{reason="noProposal"} 1',
        'node_transactions_total{outcome="approved"} 5',
        'executor_trigger_runs_total{result="rejected"} 2',
        'node_block_height 6',
        'node_first_height 3',
        'node_halted 0',
        'node_queue_transactions 3',
        'node_start_time_seconds 2',
        'node_info{version="0.1.0",chain="test",consensus_mode="permissioned"} 1',
        'consensus_peers{role="validator",state="connected"} 1',
        'consensus_peers{role="observer",state="disconnected"} 1',
        'consensus_peers{role="observer",state="connected"} 0',
        'consensus_committee_members 4',
        'sumeragi_rbc_store_pressure 0',
        'sumeragi_rbc_backpressure_deferrals_total 2',
      ]) {
        expect(lines).toContain(line)
      }
    }
    failures.halt(7, 'other roots')
    telemetry.take({ kind: 'viewEntered', height: 7, view: 2, cause: 'noProposal' })
    const lines = (await registry.metrics()).split('\n')
    expect(lines).toEqual(
      expect.arrayContaining(['node_halted 1', 'consensus_view_changes_total{reason="noProposal"} 2']),
    )
  })
})
