/**
 * Owns the trusted committees of other chains. From ABI 2 on, a revocation includes all lower heights: an envelope of
 * the block below would restore it, and stolen keys of a chain are valid for many heights. Anchors set later are valid
 * again.
 */

import type { ExecContext } from '../../../executor/contract.js'
import { hasRule, type Rule } from '../../../executor/rules.js'
import { type RelayAnchorKey, relayAnchorAges, relayAnchors, relayRevocations } from './tables.js'

export const LANE_RULES = {
  revokesBelow: {
    since: 2,
    text: 'revoking a relay anchor revokes those of lower heights',
  },
} as const satisfies Record<string, Rule>

/** Hash of the trusted committee for a height of a chain; undefined: none. */
export function anchorAt(ctx: ExecContext, key: RelayAnchorKey): Uint8Array | undefined {
  const hash = ctx.get(relayAnchors, key)
  if (hash === undefined || !hasRule(ctx, LANE_RULES.revokesBelow)) return hash
  const revoked = ctx.get(relayRevocations, key.chainHash)
  if (revoked === undefined || key.height > revoked.height) return hash
  return ctx.get(relayAnchorAges, key) === revoked.count ? hash : undefined
}

/** Trust a committee for a height. */
export function setAnchor(ctx: ExecContext, key: RelayAnchorKey, hash: Uint8Array): void {
  ctx.set(relayAnchors, key, hash)
  if (!hasRule(ctx, LANE_RULES.revokesBelow)) return
  const revoked = ctx.get(relayRevocations, key.chainHash)
  if (revoked !== undefined) ctx.set(relayAnchorAges, key, revoked.count)
}

/** Revoke the trust in committees of a chain up to a height. */
export function revokeAnchors(ctx: ExecContext, key: RelayAnchorKey): void {
  ctx.delete(relayAnchors, key)
  if (!hasRule(ctx, LANE_RULES.revokesBelow)) return
  if (ctx.has(relayAnchorAges, key)) ctx.delete(relayAnchorAges, key)
  const { chainHash, height } = key
  const before = ctx.get(relayRevocations, chainHash) ?? { height: 0, count: 0 }
  ctx.set(relayRevocations, chainHash, { height: Math.max(before.height, height), count: before.count + 1 })
}
