/** Owns relays: accepted envelopes of other chains, and the committees trusted for them (rows 44 and 45). */

import { nobleBackend } from '../../../crypto/bls-noble.js'
import { reject } from '../../../executor/contract.js'
import { COMMITTEE_KEY_MS, PAIRING_MS } from '../../../executor/costs.js'
import type { Executions } from '../../../executor/feature.js'
import { checkEnvelope, identityHash, identityOf } from '../../../lanes/index.js'
import { requirePermission } from '../../../ledger/permissions.js'
import { keyBytes } from '../../../model/index.js'
import { events } from '../schema/events.js'
import type { instructions } from '../schema/instructions.js'
import { anchorAt, revokeAnchors, setAnchor } from './anchors.js'
import { LANE_PERMISSIONS } from './permissions.js'
import { relayAccepted } from './tables.js'

/**
 * Units of verifying an aggregate, which takes about 25 ms with the library that is available on every platform, and
 * for each new key. Only that library is used, because a result that differs between libraries would fork the state.
 */
const PAIRING_TEU = 20_000
const COMMITTEE_KEY_TEU = 250

export const execute = {
  acceptRelayEnvelope: {
    cost: {
      base: PAIRING_TEU,
      per: [{ teu: COMMITTEE_KEY_TEU, item: 'committee key', count: ({ envelope }) => envelope.committeeKeys.length }],
    },
    work: {
      ms: PAIRING_MS,
      per: { ms: COMMITTEE_KEY_MS, item: 'committee key', count: ({ envelope }) => envelope.committeeKeys.length },
    },
    execute(ctx, { envelope }) {
      const { header, chainHash } = envelope
      const identity = identityOf(envelope)
      const key = identityHash(identity)
      if (ctx.has(relayAccepted, key)) return reject('exists', 'the envelope was already accepted')
      const checked = checkEnvelope(envelope, (chain, height) => anchorAt(ctx, { chainHash: chain, height }))
      if ('fault' in checked) return reject('relay_envelope_invalid', `${checked.fault}: ${checked.detail}`)
      const { keys, message, signature } = checked.check
      if (!nobleBackend().verifyAggregate(keys.map(keyBytes), message, signature)) {
        return reject('relay_envelope_invalid', 'certificate: the signature is invalid')
      }
      ctx.set(relayAccepted, key, { identity, height: ctx.env.height })
      // A header with a valid certificate determines the next committee.
      const next = { chainHash, height: header.height + 1 }
      if (anchorAt(ctx, next) === undefined) setAnchor(ctx, next, header.nextCommitteeHash)
      ctx.emit(events.relayEnvelopeAccepted, identity)
      return undefined
    },
  },

  setRelayAnchor: {
    cost: { base: 2_000 },
    execute(ctx, { chainHash, height, committeeHash }) {
      const refused = requirePermission(ctx, 'setting a relay anchor', undefined, [
        LANE_PERMISSIONS.CanManageRelayAnchors,
        undefined,
      ])
      if (refused) return refused
      const key = { chainHash, height }
      if (committeeHash !== undefined) setAnchor(ctx, key, committeeHash)
      else if (anchorAt(ctx, key) !== undefined) revokeAnchors(ctx, key)
      else return reject('absent', `no anchor of chain ${Buffer.from(chainHash).toString('hex')} at height ${height}`)
      ctx.emit(events.relayAnchorChanged, { chainHash, height, committeeHash })
      return undefined
    },
  },
} satisfies Partial<Executions<typeof instructions>>
