/** Owns the command line forms of classes: powers of issuers, names of events. */
import type { View } from '../gateway/gateway.js'

/** Powers of the issuer of a class on the command line. */
export const RWA_POWERS = ['freeze', 'hold', 'force', 'redeem', 'eligible-only'] as const
type Power = (typeof RWA_POWERS)[number]
/** Default powers of a class. */
const USUAL: readonly Power[] = ['freeze', 'hold', 'force', 'redeem']

/** `eligible-only` to `eligibleOnly`. */
export const camelCase = (text: string): string =>
  text.replace(/-([a-z])/g, (_all, letter: string) => letter.toUpperCase())

/** Flags of a class with these powers, or with the default ones. */
export function parseRwaFlags(powers: readonly Power[] | undefined, isWithout: boolean) {
  const given = isWithout ? [] : (powers ?? USUAL)
  return Object.fromEntries(RWA_POWERS.map((power) => [power.replace('-', '_'), given.includes(power)]))
}

/** Name of the event of a change. */
export const eventNameOf = ({ event }: View): string => Object.keys((event ?? {}) as object)[0] ?? ''
