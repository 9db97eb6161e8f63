/**
 * Owns the locations and distances of the validators in a performance run.
 *
 * Source: IBM Cloud, documentation of VPC, "Network latency", inter-region averages of 10 January to 8 February 2026,
 * in ms (ibm-cloud-docs/vpc on GitHub, `_include-segments/network-latency.md`, section "8 Feb 2026"). Averages are used
 * as medians: between data centres of one provider the two differ by a few percent.
 */
import type { Random } from '../prng.js'

/** Names of the rows and columns below. */
export const REGIONS = [
  'Dallas',
  'Toronto',
  'Washington DC',
  'Frankfurt',
  'London',
  'Madrid',
  'Montreal',
  'Chennai',
  'Osaka',
  'Sydney',
  'Tokyo',
  'Sao Paulo',
] as const

/**
 * Regions in the order in which they receive validators; for any number of validators the first regions are far from
 * each other.
 */
const TURNS = [0, 3, 10, 11, 4, 9, 2, 7, 1, 5, 8, 6]
const regionOf = (validator: number): number => TURNS[validator % TURNS.length] as number

/** Round trip between two zones of one region, in ms; the same page gives 0.6 to 2. */
const IN_REGION_MS = 1.5

/** Round trips in ms, from the region of the row to the region of the column. */
const ROUND_TRIPS_MS: readonly (readonly number[])[] = [
  [IN_REGION_MS, 34, 32, 123, 112, 117, 42, 247, 152, 183, 143, 143],
  [34, IN_REGION_MS, 20, 92, 82, 105, 11, 220, 142, 212, 135, 140],
  [31, 20, IN_REGION_MS, 86, 76, 86, 16, 235, 147, 214, 139, 128],
  [123, 92, 86, IN_REGION_MS, 13, 29, 89, 137, 245, 251, 239, 200],
  [112, 82, 76, 13, IN_REGION_MS, 25, 79, 137, 253, 260, 247, 192],
  [116, 105, 88, 30, 25, IN_REGION_MS, 103, 148, 267, 274, 259, 210],
  [42, 10, 16, 89, 79, 101, IN_REGION_MS, 214, 152, 223, 145, 130],
  [247, 217, 235, 139, 137, 149, 214, IN_REGION_MS, 120, 125, 110, 358],
  [150, 142, 147, 244, 254, 268, 150, 119, IN_REGION_MS, 122, 9, 291],
  [184, 213, 214, 251, 259, 274, 221, 125, 122, IN_REGION_MS, 115, 324],
  [142, 135, 141, 238, 246, 260, 143, 112, 9, 115, IN_REGION_MS, 284],
  [144, 136, 122, 202, 196, 208, 131, 364, 291, 324, 282, IN_REGION_MS],
]

/** Round trip within one data centre, in ms. */
const LAN_ROUND_TRIP_MS = 0.5
/** Maximum jitter as a share of the fastest time of a message, at random. */
const JITTER_SHARE = 0.1

export const LATENCIES = ['wan', 'lan'] as const
/** `wan`: the validators are spread over the regions in turn; `lan`: all in one data centre. */
export type Latency = (typeof LATENCIES)[number]

/** Round trip between two validators, by their numbers, in ms. */
export function roundTripMs(latency: Latency, from: number, to: number): number {
  if (latency === 'lan') return LAN_ROUND_TRIP_MS
  return ROUND_TRIPS_MS[regionOf(from)]?.[regionOf(to)] ?? IN_REGION_MS
}

/** Latency of one message, in ms: half the round trip and its jitter. */
export const oneWayMs = (latency: Latency, from: number, to: number, random: Random): number =>
  (roundTripMs(latency, from, to) / 2) * (1 + JITTER_SHARE * random.next())

/** Round trips between all pairs of different validators, in ms. */
export function roundTripsMs(latency: Latency, validators: number): number[] {
  const all: number[] = []
  for (let from = 0; from < validators; from++) {
    for (let to = 0; to < validators; to++) if (from !== to) all.push(roundTripMs(latency, from, to))
  }
  return all
}
