/** Owns the queries of lanes: catalogues, one lane, the route of a transaction, the relay envelope of a lane in a block. */

import { type Schema, struct } from '../../codec/index.js'
import {
  chainInfo,
  committeeAt,
  LANES_ENABLED,
  ONLY,
  parameterAt,
  type QueryContext,
  type QueryDef,
  rosterAt,
  scheduleOf,
} from '../../executor/index.js'
import {
  dataspaceDomains,
  dataspacesAt,
  laneChangesAt,
  laneServices,
  lanesAt,
  makeEnvelope,
  policyAt,
  type RelayEnvelope,
  relayCommittee,
  relayEnvelope,
} from '../../lanes/index.js'
import { chainHashOf, FIRST_VOTED_HEIGHT } from '../../model/index.js'
import { laneRecordsOf } from './derive.js'
import { routeOfFacts, routeStateAt } from './routing.js'
import { LANE_QUERIES } from './schema/ids.js'
import {
  envelopePath,
  type LaneCatalogueView,
  type LaneDetailView,
  type LaneLifecycleView,
  laneDetail,
  laneLifecycle,
  lanePath,
  type RouteAnswer,
  type RouteQuestion,
  routeAnswer,
  routeQuestion,
} from './schema/views.js'

const nothing: Schema<Record<string, never>> = struct('LaneLifecycleQuery', {})

const catalogueAt = ({ reader }: QueryContext, height: number): LaneCatalogueView => ({
  height,
  lanes: lanesAt(reader, height),
  dataspaces: dataspacesAt(reader, height),
  policy: policyAt(reader, height),
})

/** Last height at which a decided change of lanes begins to act; undefined when none waits beyond `height`. */
function lastChange({ reader }: QueryContext, height: number): number | undefined {
  const last = Math.max(0, ...laneChangesAt(reader))
  return last > height ? last : undefined
}

export const laneLifecycleQuery: QueryDef<Record<string, never>, LaneLifecycleView> = {
  id: LANE_QUERIES.laneLifecycle,
  kind: 'laneLifecycle',
  input: nothing,
  output: laneLifecycle,
  async run(ctx) {
    const next = ctx.height + 1
    const last = lastChange(ctx, next)
    return {
      ...catalogueAt(ctx, next),
      domains: dataspacesAt(ctx.reader, last ?? next).flatMap(({ id }) => {
        const count = ctx.reader.get(dataspaceDomains, id)
        return count === undefined ? [] : [{ dataspace: id, count }]
      }),
      enabled: parameterAt(ctx.reader, LANES_ENABLED, next),
      pending: last === undefined ? undefined : catalogueAt(ctx, last),
    }
  },
}

const chainHashIn = ({ reader }: QueryContext): Buffer => {
  const info = reader.get(chainInfo, ONLY)
  if (info === undefined) throw new Error('the world state has no chain record')
  return chainHashOf(info.chain, info.genesisSeed)
}

export const laneByIdQuery: QueryDef<{ readonly id: number }, LaneDetailView> = {
  id: LANE_QUERIES.laneById,
  kind: 'laneById',
  input: lanePath,
  output: laneDetail,
  async run(ctx, { id }) {
    const height = ctx.height + 1
    const lane = lanesAt(ctx.reader, height).find((one) => one.id === id)
    const dataspace = dataspacesAt(ctx.reader, height).find((one) => one.id === lane?.dataspace)
    if (lane === undefined) return undefined
    const { roster, seed } = scheduleOf(ctx.reader, height)
    const committee =
      dataspace === undefined
        ? { members: [], short: true }
        : relayCommittee({ chainHash: chainHashIn(ctx), seed, dataspace, lane: id, height, roster })
    return {
      lane,
      lastService: ctx.reader.get(laneServices, ONLY)?.get(id),
      relayCommittee: committee.members,
      relayCommitteeShort: committee.short,
    }
  },
}

export const laneRouteQuery: QueryDef<RouteQuestion, RouteAnswer> = {
  id: LANE_QUERIES.laneRoute,
  kind: 'laneRoute',
  input: routeQuestion,
  output: routeAnswer,
  async run(ctx, { authority, dataspace, instructions }) {
    const state = routeStateAt(ctx.reader, ctx.height + 1)
    const executable = { kind: 'instructions', value: instructions } as const
    const route = routeOfFacts(ctx.routeFactsOf({ authority, dataspace, executable }), state)
    const { stage, rule } = route.value
    return {
      laneId: route.kind === 'routed' ? route.value.lane : undefined,
      dataspaceId: route.kind === 'routed' ? route.value.dataspace : undefined,
      stage,
      rule,
      matched: rule === undefined ? undefined : state?.policy.rules[rule],
      reason: route.kind === 'refused' ? route.value.fault : undefined,
    }
  },
}

/** Absent where the lane settled nothing, the body is pruned, or the roster of the height is no longer kept. */
export const laneEnvelopeQuery: QueryDef<{ readonly height: number; readonly lane: number }, RelayEnvelope> = {
  id: LANE_QUERIES.laneEnvelope,
  kind: 'laneEnvelope',
  input: envelopePath,
  output: relayEnvelope,
  async run(ctx, { height, lane }) {
    if (height < FIRST_VOTED_HEIGHT || height > ctx.height) return undefined
    const [block, outcome] = [await ctx.block(height), await ctx.outcome(height)]
    const roster = rosterAt(ctx.reader, height)
    if (block?.certificate === undefined || outcome === undefined || roster === undefined) return undefined
    const { commitments, settlements } = laneRecordsOf(height, block.body, outcome, ctx.codec)
    const settlement = settlements.find((one) => one.lane === lane)
    if (settlement === undefined) return undefined
    const chainHash = chainHashIn(ctx)
    const { committee } = committeeAt({ ...roster, demoted: [] }, chainHash, height)
    const { header, certificate } = block
    return makeEnvelope({
      chainHash,
      header,
      certificate,
      epoch: roster.epoch,
      committeeKeys: committee.keys,
      commitments,
      settlement,
    })
  },
}

export const LANE_QUERY_LIST = [laneLifecycleQuery, laneByIdQuery, laneRouteQuery, laneEnvelopeQuery]
