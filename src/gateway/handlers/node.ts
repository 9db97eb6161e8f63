/** Owns handlers of the node routes: liveness, status, peers, versions, capabilities, time, and the snapshots that a node keeps for peers. */

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
  PAGE_LIMIT_MAX,
  peersRoute,
  RESOURCES_MAX,
  SNAPSHOTS,
  statusRoute,
  timeNowRoute,
  timeStatusRoute,
} from '../../api/index.js'
import type { NodeServices } from '../../api/services.js'
import { snakeCase } from '../../codec/index.js'
import { ACCOUNT_CURVES, LedgerError, TRANSACTION_MAX_BYTES } from '../../model/index.js'
import type { GatewayConfig } from '../config.js'
import { haltedError } from '../halted.js'
import { shapeOf } from '../query/list.js'

/** Liveness of a node; a halted node does not recover by itself. */
const healthOf = (services: NodeServices): { readonly value: Health } | LedgerError =>
  haltedError(services) ?? {
    value: { status: 'healthy', height: services.height(), version: services.info.version },
  }

/**
 * Lists that support predicates, sorting and limits of POST /query, as named in the capabilities: the ones with the
 * lowest ids.
 */
const iterableQueries = ({ queries, info }: NodeServices): string[] =>
  [...queries().values()]
    .filter((def) => shapeOf(def, info.codec) !== undefined)
    .sort((a, b) => a.id - b.id)
    .slice(0, RESOURCES_MAX)
    .map(({ kind }) => snakeCase(kind))
    .sort()

/** Features that this node serves: the features of its chain and of nodes, except disabled ones. */
const featuresOf = ({ info }: NodeServices, { nodeFeatures, disabledFeatures }: Features): string[] =>
  [...info.features, ...nodeFeatures].filter((name) => !disabledFeatures.includes(name)).sort()

type Features = Pick<GatewayConfig, 'nodeFeatures' | 'disabledFeatures'>

export const nodeHandlers = (config: Features) => [
  handle(healthRoute, ({ services }: { services: NodeServices }) => healthOf(services)),
  handle(healthV1Route, ({ services }: { services: NodeServices }) => healthOf(services)),
  handle(statusRoute, ({ services, caller }: { services: NodeServices; caller: Caller }) => ({
    value: services.status(caller.operator),
  })),
  handle(peersRoute, ({ services }: { services: NodeServices }) => ({ value: services.peers() })),
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
        features: featuresOf(services, config),
        crypto: { allowedSigning: Object.keys(ACCOUNT_CURVES) },
        query: { aggregate: { supportedResources: iterableQueries(services) } },
        maxTransactionBytes: TRANSACTION_MAX_BYTES,
        maxPageItems: PAGE_LIMIT_MAX,
      },
    }
  }),
]

type Input = { readonly services: NodeServices }

export const timeHandlers = [
  handle(timeNowRoute, ({ services }: Input) => ({ value: services.timeNow() })),
  handle(timeStatusRoute, ({ services }: Input) => ({ value: services.timeStatus() })),
]

export const snapshotHandlers = [
  handle(SNAPSHOTS.list, ({ services }: { services: NodeServices }) => ({ value: services.snapshots() })),
  handle(SNAPSHOTS.make, ({ services }: { services: NodeServices }) => {
    const begun = services.beginSnapshot()
    return begun instanceof LedgerError ? begun : { value: begun }
  }),
]
