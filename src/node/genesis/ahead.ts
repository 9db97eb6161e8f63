/** Owns a genesis dated in the future: the time of the first block, and its message. */
import { DEFAULT_CONSENSUS_PARAMETERS } from '../../model/parameters.js'

/**
 * Time at which a chain decides its first block after genesis, in ms since the Unix epoch; undefined if that time has
 * passed. Validators do not vote for a block ahead of their clock by more than the drift, and the first block is later
 * than genesis.
 */
export function waitsUntilMs(
  genesisMs: number,
  nowMs: number,
  driftMs: number = DEFAULT_CONSENSUS_PARAMETERS.maxClockDriftMs,
): number | undefined {
  const firstMs = genesisMs + 1 - driftMs
  return firstMs > nowMs ? firstMs : undefined
}

/** Message about a genesis dated in the future; undefined for any other. */
export function aheadText(genesisMs: number, nowMs: number): string | undefined {
  const untilMs = waitsUntilMs(genesisMs, nowMs)
  if (untilMs === undefined) return undefined
  const dated = new Date(genesisMs).toISOString()
  return `genesis is dated ${dated}, after the clock of this machine: nodes decide no block before ${new Date(untilMs).toISOString()}`
}
