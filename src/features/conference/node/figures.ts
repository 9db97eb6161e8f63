/** Owns the figures behind the metrics of conferences: asked for once a second at most while blocks come, never by a scrape. */
import type { Logger } from 'pino'
import { collectFrom } from '../../../api/metrics.js'
import type { NodeServices } from '../../../api/services.js'
import { CONFERENCE } from '../../../crypto/circuits/names.js'
import { formatAddress } from '../../../model/index.js'
import * as queries from '../schema/queries.js'
import type { CountsView, RelayHealthView, RelayItem } from '../schema/views.js'
import { conferenceMetrics } from './metrics.js'

/** Least time between two readings, in ms. */
const REFRESH_MS = 1_000
/** Relays whose state has a series of its own: the first by their ids. */
const RELAYS_MAX = 500

const STATES = { healthy: 0, degraded: 1, unavailable: 2 } as const

interface Figures {
  readonly counts: CountsView | undefined
  readonly health: RelayHealthView | undefined
  readonly relays: readonly RelayItem[]
}

async function readFigures(services: NodeServices): Promise<Figures> {
  // Under an ABI without conferences there is nothing to ask.
  if (!services.queries.has(queries.conferenceCounts.kind)) return { counts: undefined, health: undefined, relays: [] }
  const [counts, health, relays] = await Promise.all([
    services.query(queries.conferenceCounts, {}),
    services.query(queries.conferenceRelayHealth, {}),
    services.query(queries.conferenceRelays, { limit: RELAYS_MAX, after: undefined }),
  ])
  return { counts, health, relays: relays?.items ?? [] }
}

/** Keeps the metrics of conferences; gives the way to stop. */
export function keepFigures(services: NodeServices, logger: Logger): () => void {
  const metrics = conferenceMetrics(services.metrics)
  let figures: Figures = { counts: undefined, health: undefined, relays: [] }
  let timer: NodeJS.Timeout | undefined

  const refresh = (): void => {
    readFigures(services).then(
      (read) => {
        figures = read
      },
      (error: unknown) => logger.debug({ error: String(error) }, 'the figures of conferences were not read'),
    )
  }
  const changed = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined
      refresh()
    }, REFRESH_MS).unref()
  }
  const counted = (what: string) => (figures.counts?.counts ?? []).filter((one) => one.what === what)
  const resultOf = (code: string): string =>
    code === '0' ? 'approved' : (services.history.errorName(Number(code)) ?? 'unknown')

  collectFrom(metrics.instructions, () =>
    counted('instruction').map(
      ({ first, second, total }) => [{ instruction: first, result: resultOf(second) }, total] as const,
    ),
  )
  collectFrom(metrics.callsActive, () => figures.counts?.activeCalls ?? 0)
  collectFrom(metrics.proofs, () =>
    counted('proof').map(({ first, second, total }) => [{ relation: first, verdict: second }, total] as const),
  )
  collectFrom(metrics.manifestUpdates, () =>
    counted('manifest').map(({ first, second, total }) => [{ domain: first, action: second }, total] as const),
  )
  collectFrom(metrics.healthReports, () =>
    counted('report').map(({ first, total }) => [{ status: first }, total] as const),
  )
  collectFrom(metrics.registered, () =>
    (figures.health?.domains ?? []).map(({ domain, totals }) => {
      const { healthy, degraded, unavailable, unreported } = totals
      return [{ domain }, Number(healthy + degraded + unavailable + unreported)] as const
    }),
  )
  collectFrom(metrics.failovers, () =>
    (figures.health?.domains ?? []).map(
      ({ domain, totals }) => [{ domain }, Number(totals.counters.failovers)] as const,
    ),
  )
  collectFrom(metrics.healthState, () =>
    figures.relays.flatMap(({ relayId, domain, status }) =>
      status === undefined
        ? []
        : [[{ domain, relay: formatAddress(relayId, services.info.addressPrefix) }, STATES[status]] as const],
    ),
  )
  const forgetProofs = services.onProofChecked(({ circuit, relation, seconds }) => {
    if (circuit === CONFERENCE) metrics.proofSeconds.observe({ relation }, seconds)
  })
  const forgetCommits = services.onCommit(changed)
  refresh()
  return () => {
    clearTimeout(timer)
    forgetCommits()
    forgetProofs()
  }
}
