/** Owns the telemetry profiles (specification 8.3): the rows of the route table that each of them serves. */
import type { RouteProfile } from './route.js'

/** Names of the profiles in the configuration. */
export const TELEMETRY_PROFILES = ['disabled', 'operator', 'extended', 'developer', 'full'] as const
export type TelemetryProfile = (typeof TELEMETRY_PROFILES)[number]

/** Telemetry profile of a node without a configured one. */
export const DEFAULT_TELEMETRY_PROFILE: TelemetryProfile = 'operator'

const SERVED: Readonly<Record<TelemetryProfile, readonly RouteProfile[]>> = {
  disabled: [],
  operator: ['status'],
  extended: ['status', 'metrics'],
  developer: ['status', 'developer'],
  full: ['status', 'metrics', 'developer'],
}

/** True if a node of this profile serves routes of this kind; routes without a kind are always served. */
export const profileServes = (profile: TelemetryProfile, wanted: RouteProfile | undefined): boolean =>
  wanted === undefined || SERVED[profile].includes(wanted)

/** Profiles that serve routes of this kind, for messages and docs. */
export const profilesWith = (wanted: RouteProfile): readonly TelemetryProfile[] =>
  TELEMETRY_PROFILES.filter((profile) => SERVED[profile].includes(wanted))
