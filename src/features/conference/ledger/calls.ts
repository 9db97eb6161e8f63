/** Owns the lifecycle of calls: created and ended by a host, never deleted. */

import { type ExecContext, type Rejection, reject } from '../../../executor/contract.js'
import { perContent } from '../../../executor/costs.js'
import type { Executions } from '../../../executor/feature.js'
import type { Permission } from '../../../executor/permission.js'
import { countMember } from '../../../ledger/members.js'
import { onDomain } from '../../../ledger/permission-kinds.js'
import { requirePermission } from '../../../ledger/permissions.js'
import { domains } from '../../../ledger/tables.js'
import { events } from '../schema/events.js'
import { admissionRootOf, rosterRootOf } from '../schema/hashes.js'
import type * as schema from '../schema/instructions.js'
import type { instructions } from '../schema/instructions.js'
import { type Call, callMetadata, conferenceIdOf } from '../schema/records.js'
import { addKeys, emitAdmission, keysFault } from './admission.js'
import {
  activeCall,
  artefactFault,
  capacityOf,
  domainOfCall,
  emitRoster,
  emitUsage,
  hostFault,
  isPrivate,
} from './common.js'
import { manifestFault, writeManifest } from './manifest.js'
import { keysWork } from './proofs.js'
import { callMetadataRows, calls, descriptions, roots, rosters } from './tables.js'

export const CONFERENCE_PERMISSIONS = {
  CanCreateConference: onDomain('CanCreateConference'),
} as const satisfies Record<string, Permission>

/** Reason why a list and its keys do not fit the mode. */
function admissionFault(value: schema.CreateConference): Rejection | undefined {
  const { admission, admissionKeys } = value
  if (!isPrivate(value)) {
    return artefactFault({ admission, admission_keys: admissionKeys.length > 0 ? admissionKeys : undefined }, {})
  }
  return admission === 'open' && admissionKeys.length > 0
    ? reject('conference_not_listed', 'an open call has no list of keys')
    : undefined
}

/** Write a new call in all its rows, and emit its event. */
function write(ctx: ExecContext, id: string, host: string, value: schema.CreateConference): void {
  const { description, metadata, relayManifest, admissionKeys, ...rest } = value
  const hidden = isPrivate(value)
  const admission = hidden ? (value.admission ?? 'listed') : undefined
  const call: Call = {
    ...rest,
    host,
    admission,
    status: 'active',
    createdAtMs: ctx.env.timeMs,
    endedAtMs: undefined,
    totalDurationMs: 0n,
    totalBilledGas: 0n,
    segments: 0,
    memberCount: 0,
    nullifierCount: 0,
    signalCount: 0,
    rosterRoot: hidden ? rosterRootOf([]) : undefined,
    admissionRoot: admission === 'listed' ? admissionRootOf([]) : undefined,
    admissionCount: 0,
  }
  const listed = addKeys(ctx, id, call, admissionKeys)
  ctx.set(calls, id, listed)
  // A call belongs to its domain: an account that registers the name again must not be the host of the earlier call.
  countMember(ctx, call.domain, 1)
  if (description !== undefined) ctx.set(descriptions, id, description)
  if (metadata.size > 0) ctx.set(callMetadataRows, id, metadata)
  if (listed.rosterRoot !== undefined) {
    ctx.set(rosters, id, [])
    ctx.set(roots, id, [listed.rosterRoot])
  }
  emitRoster(ctx, id, listed)
  emitUsage(ctx, id, listed)
  if (admissionKeys.length > 0) emitAdmission(ctx, id, listed)
  if (relayManifest !== undefined) writeManifest(ctx, id, call.domain, relayManifest)
}

export const execute = {
  createConference: {
    cost: {
      base: 420,
      per: [
        { teu: 1, item: 'byte of metadata', count: ({ metadata }) => callMetadata.encode(metadata).length },
        { teu: 30, item: 'key', count: ({ admissionKeys }) => admissionKeys.length },
        { teu: 20, item: 'hop', count: ({ relayManifest }) => relayManifest?.hops.length ?? 0 },
        perContent('description', ({ description = '' }) => description.length),
      ],
    },
    proofWork: keysWork(({ admissionKeys }) => admissionKeys),
    primaryDomain: ({ domain }) => domain,
    execute(ctx, value) {
      const { domain, name, maxParticipants, billingAccount, admissionKeys, relayManifest } = value
      const home = ctx.get(domains, domain)
      if (home === undefined) return reject('absent', `domain ${domain} does not exist`)
      const unfit = admissionFault(value)
      if (unfit) return unfit
      const right = [CONFERENCE_PERMISSIONS.CanCreateConference, domain] as const
      const denied = requirePermission(ctx, 'creating a call', home.owner, right)
      if (denied) return denied
      const id = conferenceIdOf(domain, name)
      if (ctx.has(calls, id)) return reject('exists', `call ${id} already exists`)
      const capacity = capacityOf(ctx, value)
      if (maxParticipants !== undefined && (maxParticipants < 1 || maxParticipants > capacity)) {
        return reject('conference_bad_capacity', `max_participants must be between 1 and ${capacity}`)
      }
      // The genesis key need not be an account: in genesis the owner of the domain is the host.
      const host = ctx.env.genesis ? home.owner : ctx.authority
      if (billingAccount !== undefined && billingAccount !== host) {
        return reject('conference_bad_billing', 'only the host can be billed')
      }
      const fault = keysFault(ctx, [], admissionKeys) ?? (relayManifest && manifestFault(ctx, domain, relayManifest))
      if (fault) return fault
      write(ctx, id, host, value)
      return undefined
    },
  },

  endConference: {
    cost: { base: 220 },
    primaryDomain: domainOfCall,
    execute(ctx, { call: id, endedAtMs = ctx.env.timeMs }) {
      const call = activeCall(ctx, id)
      if ('code' in call) return call
      const refused = hostFault(ctx, call)
      if (refused) return refused
      if (endedAtMs < call.createdAtMs || endedAtMs > ctx.env.timeMs) {
        return reject('conference_bad_end_time', `a call must end between its creation and the time of the block`)
      }
      ctx.set(calls, id, { ...call, status: 'ended', endedAtMs })
      countMember(ctx, call.domain, -1)
      ctx.emit(events.conferenceEnded, { call: id, endedAtMs })
      return undefined
    },
  },
} satisfies Partial<Executions<typeof instructions>>
