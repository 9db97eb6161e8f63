/** Owns the queries of lanes: catalogues, one lane, the route of a transaction, the relay envelope of a lane in a block. */

import type { Page } from '../../../api/paging.js'
import type { PageQuery } from '../../../api/query-inputs.js'
import {
  chainInfo,
  committeeAt,
  LANES_ENABLED,
  parameterAt,
  type QueryContext,
  rosterAt,
  SINGLETON_KEY,
  scheduleOf,
} from '../../../executor/index.js'
import type { QueryRun } from '../../../executor/reads.js'
import {
  dataspaceDomains,
  dataspacesAt,
  laneChangesAt,
  laneRecordsOf,
  laneServices,
  lanesAt,
  makeEnvelope,
  policyAt,
  type RelayEnvelope,
  relayCommittee,
  routeOfFacts,
  settlementEvents,
} from '../../../lanes/index.js'
import { assertHeld } from '../../../ledger/query.js'
import { limitOf } from '../../../ledger/table-page.js'
import { chainHashOf, FIRST_VOTED_HEIGHT, isEvent } from '../../../model/index.js'
import type {
  LaneCatalogueView,
  LaneDetailView,
  LaneItem,
  LaneLifecycleView,
  RouteAnswer,
  RouteQuestion,
} from '../schema/views.js'

const catalogueAt = ({ reader }: QueryContext, height: number): LaneCatalogueView => ({
  height,
  lanes: lanesAt(reader, height),
  dataspaces: dataspacesAt(reader, height),
  policy: policyAt(reader, height),
})

/** Last height at which a decided change of lanes takes effect; undefined if none is pending beyond `height`. */
function lastChange({ reader }: QueryContext, height: number): number | undefined {
  const last = Math.max(0, ...laneChangesAt(reader))
  return last > height ? last : undefined
}

export const laneLifecycle: QueryRun<Record<string, never>, LaneLifecycleView> = async (ctx) => {
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
}

const chainHashIn = ({ reader }: QueryContext): Buffer => {
  const info = reader.get(chainInfo, SINGLETON_KEY)
  if (info === undefined) throw new Error('the world state has no chain record')
  return chainHashOf(info.chain, info.genesisSeed)
}

export const laneList: QueryRun<PageQuery, Page<LaneItem>> = async (ctx, { limit: asked, after }) => {
  const services = ctx.reader.get(laneServices, SINGLETON_KEY)
  const lanes = [...lanesAt(ctx.reader, ctx.height + 1)].sort((a, b) => a.id - b.id)
  const rest = after === undefined ? lanes : lanes.filter(({ id }) => id > Number(after))
  const shown = rest.slice(0, limitOf(asked))
  const last = shown.at(-1)
  return {
    items: shown.map((lane) => ({ lane, lastService: services?.get(lane.id) })),
    nextCursor: rest.length > shown.length && last !== undefined ? String(last.id) : undefined,
    height: ctx.height,
  }
}

export const laneById: QueryRun<{ readonly id: number }, LaneDetailView> = async (ctx, { id }) => {
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
    lastService: ctx.reader.get(laneServices, SINGLETON_KEY)?.get(id),
    relayCommittee: committee.members,
    relayCommitteeShort: committee.short,
  }
}

export const laneRoute: QueryRun<RouteQuestion, RouteAnswer> = async (ctx, { authority, dataspace, instructions }) => {
  const state = ctx.routes
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
}

/** Undefined if the lane settled nothing, the body is pruned, or the roster of the height is no longer stored. */
export const laneEnvelope: QueryRun<{ readonly height: number; readonly lane: number }, RelayEnvelope> = async (
  ctx,
  { height, lane },
) => {
  if (height < FIRST_VOTED_HEIGHT || height > ctx.height) return undefined
  assertHeld(ctx, height)
  const roster = rosterAt(ctx.reader, height)
  const outcome = await ctx.outcome(height)
  // Without settlements the body need not be read.
  if (
    roster === undefined ||
    outcome?.events.some(({ event }) => isEvent(event, settlementEvents.settlementRecorded)) !== true
  )
    return undefined
  const block = await ctx.block(height)
  if (block?.certificate === undefined) return undefined
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
}
