/** Owns the composition of the services for route handlers: plain records of functions, one per purpose. */
import { type DryRun, dryRun } from '../../api/index.js'
import type {
  ChainReads,
  ConsensusReads,
  LedgerAsker,
  NodeServices,
  PendingChange,
  Signers,
  Submission,
  Upkeep,
} from '../../api/services.js'
import { BoundedSet } from '../../base/bounded.js'
import { SYSTEM_CLOCKS } from '../../base/clocks.js'
import { queries as upgradeQueries } from '../../features/upgrades/schema.js'
import {
  accountSigner,
  type Instruction,
  keyString,
  LedgerError,
  type QueryDef,
  type TransactionPayload,
  transactionPayload,
} from '../../model/index.js'
import type { QueuedTransaction } from '../../queue/index.js'
import { consensusKeysOf } from '../identity/identity.js'
import { askHistory } from '../ledger/history.js'
import { UpgradeWatch } from '../peers/upgrade-watch.js'
import { StatusParts } from '../status/parts.js'
import type { Common } from './common.js'
import type { Consensus } from './consensus.js'
import type { LedgerSide } from './ledger-side.js'
import type { Peers } from './peers.js'

const { wallMs, monotonicMs } = SYSTEM_CLOCKS

/** Maximum number of ids of expired transactions kept for `pending`, so that clients learn their outcome. */
const EXPIRED_KEPT = 16_384

export interface RunningServices {
  readonly services: NodeServices
  readonly upgrades: UpgradeWatch
  readonly status: StatusParts
}

export function openServices(
  common: Common,
  peers: Peers,
  ledgerSide: LedgerSide,
  consensus: Consensus,
): RunningServices {
  const { info, registry, options, line, telemetry, queue, metrics } = common
  const chain = chainReads(common, ledgerSide)
  const upgrades = new UpgradeWatch({
    carried: [...line.supportedAbis.values()],
    upgrades: () => chain.query(upgradeQueries.upgrades, {}),
    monotonicMs,
    logger: options.logger,
  })
  const { driver, failures, laneTelemetry } = consensus
  const status = new StatusParts(
    {
      info,
      driver,
      telemetry,
      laneTelemetry,
      queue,
      failures,
      links: peers.links,
      signerLink: options.signerLink,
      missingAbi: () => upgrades.missing,
      monotonicMs,
      wallMs,
    },
    metrics,
  )
  const services: NodeServices = {
    ...chain,
    ...submission(common, ledgerSide, consensus),
    ...consensusReads(common, peers, consensus, status),
    ...signers(common),
    ...upkeep(registry, ledgerSide),
  }
  return { services, upgrades, status }
}

function chainReads(
  { options, codec, line, info, head, events, limits }: Common,
  { snapshots, expiring }: LedgerSide,
): ChainReads {
  const { ledger, trials } = options
  const { abi } = line
  async function query<Q, R>(def: QueryDef<Q, R>, input: Q, asker: LedgerAsker = 'node'): Promise<R | undefined> {
    const asked = { kind: def.kind, input: def.input.encode(input, codec) }
    const output =
      def.isTrial === true
        ? await trials.run({ kind: 'query', query: asked.kind, input: asked.input })
        : (await ledger.query(asked, asker)).output
    if (output === undefined) return undefined
    const decoded = def.output.decode(output, codec)
    if (!decoded.ok) throw new Error(`the response to query ${def.kind} does not decode: ${decoded.fault.message}`)
    return decoded.value
  }
  return {
    info,
    query,
    queries: () => abi.queries,
    height: () => head.tip.height,
    chainTimeMs: () => head.tip.header.timeMs,
    awaitChainTime: (timeMs) => expiring.want(timeMs),
    maxTtlMs: () => limits().maxTtlMs,
    maxTeuPerTx: () => limits().maxTeuPerTx,
    costOf: (instructions: readonly Instruction[]) => abi.costOf(instructions, 'record'),
    onCommit: (listener) => events.on('committed', ({ tip }) => listener(tip.height)),
    onProofChecked: (listener) => events.on('proofChecked', listener),
    history: {
      read: (from, count) => askHistory(ledger, codec, from, count),
      keepFrom: (height) => snapshots.pruner.addReader(height),
      errorName: (code) => abi.errorNames.get(code),
      onPending: (listener) => {
        const stops = [
          events.on('queued', ({ transaction }) => listener(pendingChange(transaction, 'queued'))),
          events.on('expired', (transaction) => listener(pendingChange(transaction, 'expired'))),
        ]
        return () => {
          for (const stop of stops) stop()
        }
      },
    },
  }
}

const pendingChange = (
  { id, authority, route }: QueuedTransaction,
  status: PendingChange['status'],
): PendingChange => ({ hash: id, status, authority, lane: route.lane, dataspace: route.dataspace, atMs: wallMs() })

function submission(
  { options, codec, queue, events }: Common,
  { admission, evidence, expiring }: LedgerSide,
  { failures }: Consensus,
): Submission {
  const expired = new BoundedSet<string>(EXPIRED_KEPT)
  events.on('expired', ({ id }) => expired.add(keyString(id)))
  return {
    submit: async (signedBytes) => {
      // Services of features submit without an HTTP route.
      if (failures.halted !== undefined)
        return { ok: false, error: new LedgerError('node_halted', 'the node is halted and accepts no transactions') }
      return admission.submit(signedBytes)
    },
    submitEvidence: (record) => evidence.offer(record),
    accountCapacity: () => queue.capacityPerAccount,
    pending: (transactionId) => {
      if (queue.has(transactionId) || expiring.has(transactionId)) return { kind: 'queued' }
      return { kind: expired.has(keyString(transactionId)) ? 'expired' : 'unknown' }
    },
    queuePlace: (transactionId) => queue.placeOf(transactionId),
    dryRun: async (payload: TransactionPayload): Promise<DryRun | LedgerError> => {
      try {
        const work = { payload: transactionPayload.encode(payload, codec), timeMs: wallMs() }
        const output = await options.trials.run({ kind: 'dryRun', ...work })
        const decoded = dryRun.decode(output ?? Buffer.alloc(0), codec)
        if (!decoded.ok) throw new Error(`the response to a dry run does not decode: ${decoded.fault.message}`)
        return decoded.value
      } catch (error) {
        if (error instanceof LedgerError) return error
        throw error
      }
    },
  }
}

function consensusReads(
  { events }: Common,
  { time }: Peers,
  { failures }: Consensus,
  { node, consensus, rbc }: StatusParts,
): ConsensusReads {
  return {
    status: (operator) => node.status(operator),
    peers: () => node.peers(),
    consensus: (operator) => consensus.status(operator),
    leader: () => consensus.leader(),
    qc: () => consensus.qc(),
    phases: () => consensus.phases(),
    pacemaker: () => consensus.pacemaker(),
    collectors: () => consensus.collectors(),
    consensusTelemetry: () => consensus.measured(),
    rbc: () => rbc.status(),
    rbcSessions: () => rbc.sessions(),
    timeNow: () => time.now(),
    timeStatus: () => time.status(),
    halted: () => failures.halted,
    onHalt: (listener) => events.on('halted', listener),
  }
}

/**
 * Signers of the node: the network key signs transactions of the validator, the consensus keys sign the randomness of
 * epochs.
 */
function signers({ options, signer }: Common): Signers {
  const { keys } = options
  return {
    validatorSigner: {
      ...accountSigner(keys.network),
      keys: consensusKeysOf(keys).map((pair) => keyString(pair.publicKey.bytes)),
      reveal: (own, epoch) => signer.reveal(own, epoch),
    },
  }
}

const upkeep = (metrics: Upkeep['metrics'], { snapshots }: LedgerSide): Upkeep => ({
  metrics,
  snapshots: () => snapshots.keeper.status(),
  beginSnapshot: () => snapshots.keeper.begin(),
})
