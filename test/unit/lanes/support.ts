/** Owns made-up lanes for tests: catalogue entries with defaults, the example of the design. */
import {
  type Dataspace,
  type Lane,
  type RouteFacts,
  type RouteState,
  type RoutingPolicy,
  type RoutingRule,
  UNIVERSAL_DATASPACE,
} from '../../../src/lanes/index.js'
import { NO_METADATA } from '../../../src/model/index.js'

/** An active lane with what differs from the defaults. */
export const laneOf = (id: number, more: Partial<Lane> = {}): Lane => ({
  id,
  dataspace: UNIVERSAL_DATASPACE,
  alias: `lane-${id}`,
  visibility: 'public',
  storage: 'fullReplica',
  proofScheme: 'merkleBlake3',
  settlement: [],
  teuCapacity: 0,
  metadata: NO_METADATA,
  state: 'active',
  ...more,
})

export const dataspaceOf = (id: bigint, more: Partial<Dataspace> = {}): Dataspace => ({
  id,
  alias: `dataspace-${id}`,
  faultTolerance: 1,
  restricted: false,
  relayers: [],
  incarnation: { height: 1, index: 0 },
  ...more,
})

export const ruleOf = (lane: number, more: Partial<RoutingRule> = {}): RoutingRule => ({
  lane,
  scope: undefined,
  account: undefined,
  instruction: undefined,
  ...more,
})

export const policyOf = (rules: readonly RoutingRule[], defaultLane = 0): RoutingPolicy => ({
  version: 1,
  defaultLane,
  rules,
})

/** Interface of the router over plain maps. */
export function routeState(parts: {
  readonly lanes: readonly Lane[]
  readonly dataspaces: readonly Dataspace[]
  readonly policy: RoutingPolicy
  readonly homes?: Readonly<Record<string, string>>
  readonly domains?: Readonly<Record<string, bigint>>
  /** `account dataspace`. */
  readonly tokens?: ReadonlySet<string>
}): RouteState {
  const { lanes, dataspaces, policy, homes = {}, domains = {}, tokens = new Set() } = parts
  return {
    lanes: new Map(lanes.map((lane) => [lane.id, lane])),
    dataspaces: new Map(dataspaces.map((dataspace) => [dataspace.id, dataspace])),
    policy,
    home: (account) => homes[account],
    dataspaceOf: (domain) => domains[domain] ?? UNIVERSAL_DATASPACE,
    mayUse: (account, dataspace) => tokens.has(`${account} ${dataspace}`),
  }
}

export const factsOf = (authority: string, more: Partial<RouteFacts> = {}): RouteFacts => ({
  authority,
  hint: undefined,
  domains: [undefined],
  labels: [],
  settles: [],
  ...more,
})

/** The catalogue and policy of the example in docs/design/lanes.md 6. */
export const EXAMPLE = {
  lanes: [
    laneOf(0),
    laneOf(1, { dataspace: 7n }),
    laneOf(2, { dataspace: 7n }),
    laneOf(3, { settlement: ['usd#cash'] }),
  ],
  dataspaces: [dataspaceOf(0n), dataspaceOf(7n, { restricted: true })],
  policy: policyOf([
    ruleOf(2, { scope: 7n, instruction: 'asset::transfer' }),
    ruleOf(1, { scope: 7n }),
    ruleOf(3, { account: { kind: 'domain', value: 'cash' } }),
    ruleOf(0, { instruction: 'register' }),
  ]),
  homes: { banker: 'bank', shopper: 'shop', casher: 'cash' },
  domains: { bank: 7n },
}
