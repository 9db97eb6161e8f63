/** Owns a genesis that is dated in the future: from when on its chain decides blocks, and how that is said. */
import { DEFAULT_CONSENSUS_PARAMETERS } from '../../model/parameters.js'

/**
 * When a chain decides its first block after genesis, in ms since the Unix epoch: no validator votes for a block that is later than its own
 * clock by more than the drift, and the first block is later than genesis. Undefined if that time has come.
 */
export function waitsUntilMs(
  genesisMs: number,
  nowMs: number,
  driftMs: number = DEFAULT_CONSENSUS_PARAMETERS.maxClockDriftMs,
): number | undefined {
  const firstMs = genesisMs + 1 - driftMs
  return firstMs > nowMs ? firstMs : undefined
}

/** What is said of a genesis that is dated in the future; undefined for any other. */
export function aheadText(genesisMs: number, nowMs: number): string | undefined {
  const untilMs = waitsUntilMs(genesisMs, nowMs)
  if (untilMs === undefined) return undefined
  const dated = new Date(genesisMs).toISOString()
  return `genesis is dated ${dated}, after the clock of this machine: nodes wait and decide no block before ${new Date(untilMs).toISOString()}`
}
