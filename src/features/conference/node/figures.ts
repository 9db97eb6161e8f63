/** Owns the figures behind the metrics of conferences. */

import type { Logger } from 'pino'
import { collectAwaited } from '../../../api/metrics.js'
import { ScrapedFigures } from '../../../api/scraped-figures.js'
import type { NodeServices } from '../../../api/services.js'
import { SYSTEM_CLOCKS } from '../../../base/clocks.js'
import { CONFERENCE } from '../../../crypto/circuits/names.js'
import { formatAddress } from '../../../model/index.js'
import type { CountsView, RelayHealthView, RelayItem } from '../schema/views.js'
import { queries } from '../schema/views.js'
import { conferenceMetrics } from './metrics.js'

/** Maximum relays with a separate state series; the first relays by id have one. */
const RELAYS_MAX = 500

const STATES = { healthy: 0, degraded: 1, unavailable: 2 } as const

interface Figures {
  readonly counts: CountsView | undefined
  readonly health: RelayHealthView | undefined
  readonly relays: readonly RelayItem[]
}

const NONE: Figures = { counts: undefined, health: undefined, relays: [] }

async function readFigures(services: NodeServices): Promise<Figures> {
  // An ABI without conferences has no such query.
  if (!services.queries().has(queries.conferenceCounts.kind)) return NONE
  const [counts, health, relays] = await Promise.all([
    services.query(queries.conferenceCounts, {}),
    services.query(queries.conferenceRelayHealth, {}),
    services.query(queries.conferenceRelays, { limit: RELAYS_MAX, after: undefined }),
  ])
  return { counts, health, relays: relays?.items ?? [] }
}

/** Update the metrics of conferences; returns a function that stops it. */
export function keepFigures(services: NodeServices, logger: Logger): () => void {
  const metrics = conferenceMetrics(services.metrics)
  const { current } = new ScrapedFigures(NONE, {
    read: () => readFigures(services),
    height: () => services.height(),
    monotonicMs: SYSTEM_CLOCKS.monotonicMs,
    logger,
  })
  const counted = ({ counts }: Figures, what: string) => (counts?.counts ?? []).filter((one) => one.what === what)
  const domainsOf = ({ health }: Figures) => health?.domains ?? []
  const resultOf = (code: string): string =>
    code === '0' ? 'approved' : (services.history.errorName(Number(code)) ?? 'unknown')

  collectAwaited(metrics.instructions, current, (figures) =>
    counted(figures, 'instruction').map(
      ({ first, second, total }) => [{ instruction: first, result: resultOf(second) }, total] as const,
    ),
  )
  collectAwaited(metrics.callsActive, current, ({ counts }) => counts?.activeCalls ?? 0)
  collectAwaited(metrics.proofs, current, (figures) =>
    counted(figures, 'proof').map(({ first, second, total }) => [{ relation: first, verdict: second }, total] as const),
  )
  collectAwaited(metrics.manifestUpdates, current, (figures) =>
    counted(figures, 'manifest').map(({ first, second, total }) => [{ domain: first, action: second }, total] as const),
  )
  collectAwaited(metrics.healthReports, current, (figures) =>
    counted(figures, 'report').map(({ first, total }) => [{ status: first }, total] as const),
  )
  collectAwaited(metrics.registered, current, (figures) =>
    domainsOf(figures).map(({ domain, totals }) => {
      const { healthy, degraded, unavailable, unreported } = totals
      return [{ domain }, Number(healthy + degraded + unavailable + unreported)] as const
    }),
  )
  collectAwaited(metrics.failovers, current, (figures) =>
    domainsOf(figures).map(({ domain, totals }) => [{ domain }, Number(totals.counters.failovers)] as const),
  )
  collectAwaited(metrics.healthState, current, ({ relays }) =>
    relays.flatMap(({ relayId, domain, status }) =>
      status === undefined
        ? []
        : [[{ domain, relay: formatAddress(relayId, services.info.addressPrefix) }, STATES[status]] as const],
    ),
  )
  return services.onProofChecked(({ circuit, relation, seconds }) => {
    if (circuit === CONFERENCE) metrics.proofSeconds.observe({ relation }, seconds)
  })
}
