/** Owns relays: their registration, the allowed relays of a domain, and reports of hosts. */

import { hash } from '../../../crypto/index.js'
import { reject } from '../../../executor/contract.js'
import { perContent } from '../../../executor/costs.js'
import type { Executions } from '../../../executor/feature.js'
import { countMember } from '../../../ledger/members.js'
import { requirePermission } from '../../../ledger/permissions.js'
import { domains } from '../../../ledger/tables.js'
import { events } from '../schema/events.js'
import type { instructions } from '../schema/instructions.js'
import { activeCall, domainOfCall, hostFault } from './common.js'
import { allowFault, isAtHome } from './manifest.js'
import { countDomain, counted, NO_COUNTERS } from './relay-counters.js'
import { manifests, relayAllow, relays } from './tables.js'

/** Fingerprint of an HPKE key. */
export const hpkeFingerprint = (key: Uint8Array): Buffer => hash('conference-hpke', key)

export const execute = {
  registerConferenceRelay: {
    cost: { base: 200 },
    primaryDomain: ({ domain }) => domain,
    execute(ctx, { relayId, domain, hpkePublicKey, bandwidthClass }) {
      if (ctx.authority !== relayId && !ctx.env.genesis) return reject('not_permitted', 'a relay must register itself')
      const home = ctx.get(domains, domain)
      if (home === undefined) return reject('absent', `domain ${domain} does not exist`)
      const before = ctx.get(relays, relayId)
      if (before !== undefined && before.domain !== domain && isAtHome(ctx, before)) {
        return reject('conference_relay_other_domain', `the relay is already registered in domain ${before.domain}`)
      }
      const denied = allowFault(ctx, domain, relayId)
      if (denied) return denied
      const counters = counted(before?.counters ?? NO_COUNTERS, 'registrations')
      // The counters of a domain include the state of its relay: a relay of a removed domain starts anew.
      const known = before?.domain === domain ? before : undefined
      const row = {
        domain,
        home: home.incarnation,
        hpkePublicKey,
        bandwidthClass,
        lastReport: known?.lastReport,
        counters,
      }
      ctx.set(relays, relayId, row)
      countDomain(ctx, domain, 'registrations', undefined, known === undefined ? 'unreported' : undefined)
      ctx.emit(events.conferenceRelayRegistered, {
        domain,
        relayId,
        bandwidthClass,
        hpkeFingerprint: hpkeFingerprint(hpkePublicKey),
      })
      return undefined
    },
  },

  setConferenceRelayAllowList: {
    cost: { base: 200, per: [{ teu: 2, item: 'relay', count: ({ relays: list = [] }) => list.length }] },
    primaryDomain: ({ domain }) => domain,
    execute(ctx, { domain, relays: list }) {
      const home = ctx.get(domains, domain)
      if (home === undefined) return reject('absent', `domain ${domain} does not exist`)
      const denied = requirePermission(ctx, 'changing the allowed relays', home.owner)
      if (denied) return denied
      // A list belongs to its domain: an account that registers the name again must not get it.
      const had = ctx.has(relayAllow, domain)
      if (list === undefined) ctx.delete(relayAllow, domain)
      else ctx.set(relayAllow, domain, [...new Set(list)])
      if (had !== (list !== undefined)) countMember(ctx, domain, had ? -1 : 1)
      return undefined
    },
  },

  reportConferenceRelayHealth: {
    cost: { base: 120, per: [perContent('notes', ({ notes = '' }) => notes.length)] },
    primaryDomain: domainOfCall,
    execute(ctx, { call: id, relayId, status, reportedAtMs, notes }) {
      const call = activeCall(ctx, id)
      if ('code' in call) return call
      const refused = hostFault(ctx, call)
      if (refused) return refused
      const manifest = ctx.get(manifests, id)
      const isHop = manifest?.hops.some((hop) => hop.relayId === relayId) === true
      const relay = ctx.get(relays, relayId)
      if (!isHop || manifest.expiryMs <= ctx.env.timeMs || relay === undefined) {
        return reject('conference_relay_not_in_manifest', 'the relay is not a hop of an unexpired manifest of the call')
      }
      if (reportedAtMs > ctx.env.timeMs)
        return reject('conference_report_in_future', 'the time of the report is after this block')
      const { lastReport: last } = relay
      const isRepeated =
        last?.call === id && last.status === status && last.reportedAtMs === reportedAtMs && last.notes === notes
      if (isRepeated) return undefined
      if (last !== undefined && reportedAtMs <= last.reportedAtMs) {
        return reject('conference_report_stale', 'a report of this time or a later one exists')
      }
      const lastReport = { call: id, reportedBy: ctx.authority, status, reportedAtMs, notes }
      ctx.set(relays, relayId, { ...relay, lastReport, counters: counted(relay.counters, 'healthReports') })
      countDomain(ctx, relay.domain, 'healthReports', last?.status ?? 'unreported', status)
      ctx.emit(events.conferenceRelayHealthUpdated, { call: id, relayId, status, reportedAtMs })
      return undefined
    },
  },
} satisfies Partial<Executions<typeof instructions>>
