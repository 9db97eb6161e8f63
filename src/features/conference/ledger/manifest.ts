/** Owns the relay manifests of calls, validated against the registered relays. */

import { sameBytes } from '../../../base/bytes.js'
import { addressIn } from '../../../executor/addresses.js'
import { type ExecContext, type Rejection, reject } from '../../../executor/contract.js'
import type { Executions } from '../../../executor/feature.js'
import { domains } from '../../../ledger/tables.js'
import { sameIncarnation } from '../../../model/index.js'
import { events } from '../schema/events.js'
import type { instructions } from '../schema/instructions.js'
import { HOPS_MIN, relayManifest as manifestSchema, type RelayHop, type RelayManifest } from '../schema/records.js'
import { activeCall, domainOfCall, hostFault } from './common.js'
import { countFailover, countManifest } from './relay-counters.js'
import { manifests, type RelayRow, relayAllow, relays } from './tables.js'

/** Reason why a relay of a domain may not be used; undefined: it may. */
export function allowFault(ctx: ExecContext, domain: string, relay: string): Rejection | undefined {
  const allowed = ctx.get(relayAllow, domain)
  return allowed === undefined || allowed.includes(relay)
    ? undefined
    : reject('conference_relay_not_allowed', `${addressIn(ctx, relay)} is not on the list of domain ${domain}`)
}

/**
 * True while the domain in which a relay registered exists; a domain registered again under the same name is a
 * different one.
 */
export function isAtHome(ctx: ExecContext, { domain, home }: Pick<RelayRow, 'domain' | 'home'>): boolean {
  const row = ctx.get(domains, domain)
  return row !== undefined && sameIncarnation(row.incarnation, home)
}

function hopFault(ctx: ExecContext, domain: string, { relayId, hpkePublicKey }: RelayHop): Rejection | undefined {
  const relay = ctx.get(relays, relayId)
  if (relay === undefined || relay.domain !== domain || !isAtHome(ctx, relay)) {
    return reject('conference_relay_not_registered', `${addressIn(ctx, relayId)} is not a relay of domain ${domain}`)
  }
  return (
    allowFault(ctx, domain, relayId) ??
    (sameBytes(relay.hpkePublicKey, hpkePublicKey)
      ? undefined
      : reject(
          'conference_relay_key_mismatch',
          `the key of ${addressIn(ctx, relayId)} differs from the registered one`,
        ))
  )
}

/** Reason why a call of this domain cannot have the manifest. */
export function manifestFault(ctx: ExecContext, domain: string, manifest: RelayManifest): Rejection | undefined {
  const { hops, expiryMs } = manifest
  if (expiryMs <= ctx.env.timeMs) return reject('conference_manifest_expired', 'the manifest has expired')
  const distinct = new Set(hops.map((hop) => hop.relayId)).size === hops.length
  if (hops.length < HOPS_MIN || !distinct || hops.some((hop) => hop.weight < 1)) {
    return reject('conference_bad_hops', `a manifest must have ${HOPS_MIN} or more distinct hops, each with a weight`)
  }
  for (const hop of hops) {
    const fault = hopFault(ctx, domain, hop)
    if (fault) return fault
  }
  return undefined
}

const hopsBytes = ({ hops }: RelayManifest): Buffer => manifestSchema.encode({ hops, expiryMs: 0 })
const isSame = (one: RelayManifest, other: RelayManifest): boolean =>
  sameBytes(manifestSchema.encode(one), manifestSchema.encode(other))

/** Write a validated manifest; replacing an unexpired one with other hops is a failover. */
export function writeManifest(ctx: ExecContext, id: string, domain: string, manifest: RelayManifest): void {
  const before = ctx.get(manifests, id)
  ctx.set(manifests, id, manifest)
  countManifest(ctx, domain, manifest)
  const isLive = before !== undefined && before.expiryMs > ctx.env.timeMs
  if (isLive && !sameBytes(hopsBytes(before), hopsBytes(manifest))) countFailover(ctx, domain, before, manifest)
  const { hops, expiryMs } = manifest
  ctx.emit(events.conferenceRelayManifestUpdated, { call: id, hopCount: hops.length, expiryMs })
}

export const execute = {
  setConferenceRelayManifest: {
    cost: { base: 200, per: [{ teu: 20, item: 'hop', count: ({ relayManifest }) => relayManifest?.hops.length ?? 0 }] },
    primaryDomain: domainOfCall,
    execute(ctx, { call: id, relayManifest }) {
      const call = activeCall(ctx, id)
      if ('code' in call) return call
      const refused = hostFault(ctx, call)
      if (refused) return refused
      const before = ctx.get(manifests, id)
      if (relayManifest === undefined) {
        if (before === undefined) return undefined
        ctx.delete(manifests, id)
        ctx.emit(events.conferenceRelayManifestUpdated, { call: id, hopCount: 0, expiryMs: 0 })
        return undefined
      }
      const fault = manifestFault(ctx, call.domain, relayManifest)
      if (fault) return fault
      if (before === undefined || !isSame(before, relayManifest)) writeManifest(ctx, id, call.domain, relayManifest)
      return undefined
    },
  },
} satisfies Partial<Executions<typeof instructions>>
