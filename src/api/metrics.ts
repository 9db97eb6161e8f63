/**
 * Owns the metrics of the node itself (name, labels, help), and the declaration of feature metrics. Nothing else names
 * a metric.
 */
import { Counter, Gauge, Histogram, type LabelValues, type Registry } from 'prom-client'

/** Bucket bounds in seconds: a block takes tens of milliseconds on a good network, a stalled phase takes seconds. */
const PHASE_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
/** Bucket bounds in seconds: a read takes a millisecond, a submission waits for the disk. */
const REQUEST_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** Factory of metrics of one registry. */
interface Meters {
  gauge<L extends string = never>(name: string, help: string, labelNames?: readonly L[]): Gauge<L>
  counter<L extends string = never>(name: string, help: string, labelNames?: readonly L[]): Counter<L>
  histogram<L extends string>(name: string, help: string, labelNames: readonly L[], buckets: number[]): Histogram<L>
}

/** Collect functions of metrics whose values are computed at each scrape. */
const collectors = new WeakMap<object, () => void | Promise<void>>()

function collect(this: object): void | Promise<void> {
  return collectors.get(this)?.()
}

function metersOf(registry: Registry): Meters {
  const registers = [registry]
  return {
    gauge: (name, help, labelNames = []) => new Gauge({ name, help, labelNames: [...labelNames], registers, collect }),
    counter: (name, help, labelNames = []) =>
      new Counter({ name, help, labelNames: [...labelNames], registers, collect }),
    histogram: (name, help, labelNames, buckets) =>
      new Histogram({ name, help, labelNames: [...labelNames], buckets, registers }),
  }
}

/** Series of a metric with their values. */
type Series<L extends string> = Iterable<
  readonly [labels: Readonly<Partial<Record<L, string | number>>>, value: number]
>

/** Register a function that computes the values of a metric at each scrape. For a counter, the values are totals. */
export function collectFrom<L extends string>(metric: Gauge<L> | Counter<L>, read: () => number | Series<L>): void {
  collectors.set(metric, () => fill(metric, read()))
}

/** Register an asynchronous source of values that never delays a scrape for long (see `ScrapedFigures`). */
export function collectAwaited<T, L extends string>(
  metric: Gauge<L> | Counter<L>,
  figures: () => Promise<T>,
  read: (figures: T) => number | Series<L>,
): void {
  collectors.set(metric, async () => fill(metric, read(await figures())))
}

function fill<L extends string>(metric: Gauge<L> | Counter<L>, values: number | Series<L>): void {
  metric.reset()
  if (typeof values === 'number') metric.inc(values)
  else for (const [labels, value] of values) metric.inc(labels as LabelValues<L>, value)
}

/** Compute a value once for all metrics of a scrape, which are collected together. */
export function oncePerScrape<T>(compute: () => T): () => T {
  let held: { readonly value: T } | undefined
  return () => {
    if (held === undefined) {
      held = { value: compute() }
      queueMicrotask(() => {
        held = undefined
      })
    }
    return held.value
  }
}

/** Declare metrics; they are created once per registry, at the first call. */
export function defineMetrics<M>(build: (meters: Meters) => M): (registry: Registry) => M {
  const built = new WeakMap<Registry, { readonly metrics: M }>()
  return (registry) => {
    let held = built.get(registry)
    if (held === undefined) {
      held = { metrics: build(metersOf(registry)) }
      built.set(registry, held)
    }
    return held.metrics
  }
}

/** Metrics of a node, without metrics of features. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a table, one row for each metric
export const metricsOf = defineMetrics(({ gauge, counter, histogram }) => {
  const backlogGauges = <L extends string>(of: string, label: L) => ({
    transactions: gauge(`consensus_rbc_${of}_transactions`, `Transactions in active sessions, by ${of}`, [label]),
    totalChunks: gauge(`consensus_rbc_${of}_total_chunks`, `Chunks of active sessions, by ${of}`, [label]),
    pendingChunks: gauge(`consensus_rbc_${of}_pending_chunks`, `Missing chunks of active sessions, by ${of}`, [label]),
    payloadBytes: gauge(`consensus_rbc_${of}_payload_bytes`, `Bytes of records in active sessions, by ${of}`, [label]),
  })
  const metrics = {
    node: {
      info: gauge('node_info', 'Always 1; the labels name release, chain and consensus mode', [
        'version',
        'chain',
        'consensus_mode',
      ]),
      startTime: gauge('node_start_time_seconds', 'Start time of the process, in seconds since the Unix epoch'),
      blockHeight: gauge('node_block_height', 'Height of the last committed block'),
      transactions: counter('node_transactions_total', 'Committed transactions by outcome', ['outcome']),
      triggerRuns: counter('executor_trigger_runs_total', 'Runs of time and pre-commit triggers, by result', [
        'result',
      ]),
      queueSize: gauge('node_queue_transactions', 'Transactions waiting for a block'),
      peerFaults: counter(
        'node_peer_faults_total',
        'Faults of peers, by kind; repeated faults of one kind close the link and ban the key',
        ['kind'],
      ),
      connectedPeers: gauge('node_connected_peers', 'Peers with an open link'),
      synced: gauge('node_synced', '1 when the node is at the height of its peers'),
      inQuorum: gauge('node_in_quorum', '1 when the node is connected to a quorum of the committee'),
      integrationsUp: gauge(
        'node_integrations_store_up',
        '1 while the store of webhooks, devices and passkeys is available, else 0',
      ),
      firstHeight: gauge(
        'node_first_height',
        'Lowest height whose block is stored: 1, or above a snapshot or pruned blocks',
      ),
      snapshotHeight: gauge('node_snapshot_height', 'Height of the newest snapshot on disk; 0 if there is none'),
      snapshots: counter('node_snapshots_total', 'Snapshots made by the running node, by outcome: made, failed', [
        'outcome',
      ]),
      snapshotChunks: counter('node_snapshot_chunks_total', 'Snapshot chunks sent to peers, 1 MiB each'),
      lostLogLines: counter(
        'node_log_lines_lost_total',
        'Log lines that the sink dropped: disk full, pipe closed, or slow reader',
      ),
      halted: gauge('node_halted', '1 when the node is halted: it serves only its own state and its blocks'),
    },
    process: {
      threadActive: counter('node_thread_active_seconds_total', 'Time for which the event loop of a thread was busy', [
        'thread',
      ]),
      threadIdle: counter('node_thread_idle_seconds_total', 'Time for which the event loop of a thread was idle', [
        'thread',
      ]),
      cacheHits: counter('node_cache_hits_total', 'Cache hits of the main and ledger threads', ['cache']),
      cacheMisses: counter('node_cache_misses_total', 'Cache misses of the main and ledger threads', ['cache']),
      storeBytes: gauge('node_store_bytes', 'Bytes on disk by store, measured at most once a minute', ['store']),
    },
    signer: {
      connected: gauge(
        'signer_connected',
        '1 while the signer responds; only on a node with a signer, in the role active or standby',
        ['role'],
      ),
      lease: gauge(
        'signer_lease_seconds',
        'Time until the lease of this node for its validator ends; 0 after it expired',
        ['role'],
      ),
      lastSignatureAge: gauge('signer_last_signature_age_seconds', 'Time since the signer last signed', ['role']),
    },
    consensus: {
      committedHeight: gauge('consensus_committed_height', 'Height of the last commit certificate'),
      decidingHeight: gauge('consensus_deciding_height', 'Height being decided'),
      view: gauge('consensus_view', 'Current view of the height being decided'),
      viewChanges: counter('consensus_view_changes_total', 'View changes, by reason', ['reason']),
      dropped: counter(
        'consensus_dropped_messages_total',
        'Consensus messages without effect, by kind and reason: fault, known, past, early, replaced, unasked, mismatch, unknown, full',
        ['message', 'reason'],
      ),
      phaseLatency: histogram(
        'consensus_phase_latency_seconds',
        'Duration of one phase of a height',
        ['phase'],
        PHASE_SECONDS,
      ),
      proposerWait: gauge(
        'consensus_proposer_wait_seconds',
        'Time that this node as a proposer lets pass after a block: block_time_ms, or longer by the processor time of blocks',
      ),
      phaseAverage: gauge('consensus_phase_latency_average_seconds', 'Moving average of the time of a phase', [
        'phase',
      ]),
      queueSize: gauge('consensus_queue_transactions', 'Transactions that a proposer could include now'),
      peers: gauge('consensus_peers', 'Peers by role and link state', ['role', 'state']),
      committee: gauge('consensus_committee_members', 'Committee members of the height being decided'),
      quorum: gauge('consensus_quorum_members', 'Votes needed for a quorum'),
      commitSignatures: gauge('consensus_commit_signatures', 'Signatures in the last commit certificate'),
      badSignatures: counter('consensus_bad_signatures_total', 'Invalid signatures of peers'),
      badRanges: counter('consensus_sync_bad_ranges_total', 'Invalid block ranges of peers'),
      stalled: gauge('consensus_stalled', '1 while the chain is stalled, by reason', ['reason']),
      rbcStorePressure: gauge(
        'sumeragi_rbc_store_pressure',
        'Fill level of the broadcast payload store: 0 normal, 1 soft limit, 2 hard limit',
      ),
      rbcBackpressureDeferrals: counter(
        'sumeragi_rbc_backpressure_deferrals_total',
        'Proposals delayed because the broadcast payload store was full',
      ),
      rbcStoreBytes: gauge('consensus_rbc_store_bytes', 'Bytes of broadcast payloads and of messages waiting for them'),
      rbcSessions: gauge('consensus_rbc_sessions_active', 'Reliable broadcast sessions of the height being decided'),
      rbcBacklogSessions: gauge('consensus_rbc_backlog_sessions_pending', 'Active sessions with missing chunks'),
      rbcBacklogChunks: gauge('consensus_rbc_backlog_missing_chunks', 'Missing chunks of active sessions'),
      rbcEvictions: counter('consensus_rbc_store_evictions_total', 'Sessions evicted under memory pressure'),
      rbcMismatches: counter('consensus_rbc_mismatch_total', 'Chunks whose digest did not match'),
      rbcDeliveredBytes: counter('consensus_rbc_payload_bytes_delivered_total', 'Bytes of delivered payloads'),
      rbcLanes: backlogGauges('lane', 'lane_id'),
      rbcDataspaces: backlogGauges('dataspace', 'dataspace_id'),
      rbcLaneBacklog: gauge('consensus_rbc_lane_backlog_chunks', 'Missing chunks of active sessions, by lane', [
        'lane_id',
      ]),
      rbcDataspaceBacklog: gauge(
        'consensus_rbc_dataspace_backlog_chunks',
        'Missing chunks of active sessions, by dataspace',
        ['dataspace_id'],
      ),
      laneTransactions: counter('consensus_lane_tx_total', 'Committed transactions, by lane', ['lane_id']),
      laneTeu: counter('consensus_lane_teu_total', 'Metered execution units of committed transactions, by lane', [
        'lane_id',
      ]),
      laneBytes: counter('consensus_lane_bytes_total', 'Bytes of committed transactions, by lane', ['lane_id']),
      laneDeferrals: counter(
        'consensus_lane_deferrals_total',
        'Transactions that own proposals deferred to a later block, by lane and reason',
        ['lane_id', 'reason'],
      ),
      laneQueueDepth: gauge('consensus_lane_queue_depth', 'Transactions waiting for a block, by lane', ['lane_id']),
    },
    gateway: {
      requests: counter('gateway_http_requests_total', 'Requests by route, method and status', [
        'route',
        'method',
        'status',
      ]),
      duration: histogram(
        'gateway_http_request_duration_seconds',
        'Time from the request headers to the end of the response',
        ['route'],
        REQUEST_SECONDS,
      ),
      inFlight: gauge('gateway_http_requests_in_flight', 'Requests in progress'),
      connections: gauge('gateway_open_connections', 'Open connections'),
      streams: gauge('gateway_open_streams', 'Open streams of events, blocks and status, by route', ['route']),
      rejections: counter('gateway_rejections_total', 'Error responses, by code', ['code']),
      refusedConnections: counter('gateway_refused_connections_total', 'Refused connections, by reason', ['reason']),
    },
  }
  // A series that is absent until its first event breaks rate() over that event.
  for (const outcome of ['approved', 'rejected']) metrics.node.transactions.inc({ outcome }, 0)
  return metrics
})

/** Metrics of a node, without metrics of features. */
export type Metrics = ReturnType<typeof metricsOf>
