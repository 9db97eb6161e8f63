/** Owns handlers of the node routes: liveness, status, peers, versions, capabilities. */
import {
  API_VERSIONS,
  apiVersionRoute,
  apiVersionsRoute,
  type Caller,
  capabilitiesRoute,
  DATA_MODEL_VERSION,
  type Health,
  handle,
  healthRoute,
  healthV1Route,
  type NodeStatus,
  PAGE_LIMIT_MAX,
  peersRoute,
  statusRoute,
} from '../../api/index.js'
import type { LanesStatus, NodeServices } from '../../api/services.js'
import { visibleLanes } from '../../api/visible-lanes.js'
import { snakeCase } from '../../codec/index.js'
import { ACCOUNT_CURVES, clipText, TRANSACTION_MAX_BYTES } from '../../model/index.js'
import { shapeOf } from '../query/list.js'

/** Longest text of these records, in bytes. */
const TEXT_MAX_BYTES = 1024

const healthOf = (services: NodeServices): Health => ({
  status: 'healthy',
  height: services.consensus().height,
  version: services.info.version,
})

/** Lists that predicates, sorting and limits of POST /query work on, as capabilities name them. */
const iterableQueries = ({ queries, info }: NodeServices): string[] =>
  [...queries.values()]
    .filter((def) => shapeOf(def, info.codec) !== undefined)
    .map(({ kind }) => snakeCase(kind))
    .sort()

/** Lane sections of the status; none while lanes are off. */
const laneLoadOf = (lanes: LanesStatus | undefined): Pick<NodeStatus, 'teuLaneCommit' | 'teuDataspaceBacklog'> => ({
  teuLaneCommit: lanes?.lanes.map((one) => ({
    laneId: one.lane,
    alias: one.alias,
    capacity: one.teuCapacity,
    committed: one.committedTeu,
    deferrals: one.deferrals,
    starvationBound: one.starvationBound,
    blockHeight: lanes.height,
  })),
  teuDataspaceBacklog: lanes?.lanes.map((one) => ({
    laneId: one.lane,
    dataspaceId: one.dataspace,
    faultTolerance: one.faultTolerance,
    backlog: one.waitingTeu,
    ageBlocks: one.ageBlocks,
  })),
})

export const nodeHandlers = (off: readonly string[]) => [
  handle(healthRoute, ({ services }: { services: NodeServices }) => ({ value: healthOf(services) })),
  handle(healthV1Route, ({ services }: { services: NodeServices }) => ({ value: healthOf(services) })),
  handle(statusRoute, ({ services, caller }: { services: NodeServices; caller: Caller }) => {
    const { lanes, missingAbi, ...status } = services.status()
    const { chain, version } = services.info
    return {
      value: {
        ...status,
        uptimeMs: Math.round(status.uptimeMs),
        chain,
        version,
        ...laneLoadOf(visibleLanes(lanes, caller.operator)),
        missingAbi,
      },
    }
  }),
  handle(peersRoute, ({ services }: { services: NodeServices }) => {
    const items = services.peers().map((peer) => ({
      ...peer,
      lastError: peer.lastError === undefined ? undefined : clipText(peer.lastError, TEXT_MAX_BYTES),
    }))
    return { value: { items, total: items.length } }
  }),
  handle(apiVersionRoute, (_: { services: NodeServices }) => ({ value: { version: API_VERSIONS[0] } })),
  handle(apiVersionsRoute, (_: { services: NodeServices }) => ({
    value: { default: API_VERSIONS[0], supported: API_VERSIONS, sunsetUnix: undefined },
  })),
  handle(capabilitiesRoute, ({ services }: { services: NodeServices }) => {
    const { info } = services
    return {
      value: {
        abiVersion: info.abi,
        abiHash: info.abiHash,
        dataModelVersion: DATA_MODEL_VERSION,
        version: info.version,
        chain: info.chain,
        chainHash: info.chainHash,
        genesisHash: info.genesisHash,
        addressPrefix: info.addressPrefix,
        consensusMode: info.consensusMode,
        validatorKey: info.validatorKey,
        networkKey: info.networkKey,
        features: info.features.filter((name) => !off.includes(name)),
        crypto: { allowedSigning: Object.keys(ACCOUNT_CURVES) },
        query: { aggregate: { supportedResources: iterableQueries(services) } },
        maxTransactionBytes: TRANSACTION_MAX_BYTES,
        maxPageItems: PAGE_LIMIT_MAX,
      },
    }
  }),
]
