/** Owns the admitted keys of a private call, which do not reveal the members that join. */

import { decodeKey } from '../../../crypto/sigma/group.js'
import { type ExecContext, type Rejection, reject } from '../../../executor/contract.js'
import type { Executions } from '../../../executor/feature.js'
import { parameterOf } from '../../../executor/parameters.js'
import { keyString } from '../../../model/index.js'
import { events } from '../schema/events.js'
import { admissionRootOf } from '../schema/hashes.js'
import type { instructions } from '../schema/instructions.js'
import { CONFERENCE_MAX_RING } from '../schema/parameters.js'
import type { Call } from '../schema/records.js'
import { activeCall, domainOfCall, hostFault } from './common.js'
import { keysWork } from './proofs.js'
import { admissions, calls } from './tables.js'

/** Reason why keys cannot be added to the list of admitted keys. */
export function keysFault(
  ctx: ExecContext,
  known: readonly Uint8Array[],
  keys: readonly Uint8Array[],
): Rejection | undefined {
  for (const [index, key] of keys.entries()) {
    if (decodeKey(key) === undefined) return reject('conference_bad_admission_key', `keys[${index}] is not a key`)
  }
  const seen = new Set(known.map(keyString))
  for (const [index, key] of keys.entries()) {
    const text = keyString(key)
    if (seen.has(text)) return reject('conference_duplicate_admission_key', `keys[${index}] is already on the list`)
    seen.add(text)
  }
  const most = parameterOf(ctx, CONFERENCE_MAX_RING)
  return keys.length > 0 && seen.size > most
    ? reject('conference_admission_full', `a list can have at most ${most} keys`)
    : undefined
}

/**
 * Write the extended list of admitted keys and return the call with its new count and root; the caller writes the call.
 */
export function addKeys(ctx: ExecContext, id: string, call: Call, keys: readonly Uint8Array[]): Call {
  if (keys.length === 0) return call
  const all = [...(ctx.get(admissions, id) ?? []), ...keys]
  ctx.set(admissions, id, all)
  return { ...call, admissionCount: all.length, admissionRoot: admissionRootOf(all) }
}

export function emitAdmission(ctx: ExecContext, id: string, { admissionCount, admissionRoot }: Call): void {
  if (admissionRoot === undefined) throw new Error('a call without a list has no members to admit')
  ctx.emit(events.conferenceAdmissionUpdated, { call: id, admissionCount, admissionRoot })
}

export const execute = {
  admitConferenceMembers: {
    cost: { base: 150, per: [{ teu: 30, item: 'key', count: ({ keys }) => keys.length }] },
    proofWork: keysWork(({ keys }) => keys),
    primaryDomain: domainOfCall,
    execute(ctx, { call: id, keys }) {
      const call = activeCall(ctx, id)
      if ('code' in call) return call
      const refused = hostFault(ctx, call)
      if (refused) return refused
      if (call.admission !== 'listed') return reject('conference_not_listed', `the call ${id} has no list of keys`)
      const fault = keysFault(ctx, ctx.get(admissions, id) ?? [], keys)
      if (fault) return fault
      if (keys.length === 0) return undefined
      const longer = addKeys(ctx, id, call, keys)
      ctx.set(calls, id, longer)
      emitAdmission(ctx, id, longer)
      return undefined
    },
  },
} satisfies Partial<Executions<typeof instructions>>
