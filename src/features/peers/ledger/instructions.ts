/** Owns peers and their consensus keys (docs/design/lanes.md 1, rows 1 to 4; docs/design/consensus.md 1). */

import { verifyPop } from '../../../crypto/bls-pop.js'
import { addKey, disableKey, isOnlyKeyAt, pendingKeyOf, statusOfKey } from '../../../executor/consensus-keys.js'
import { type ExecContext, type Rejection, reject } from '../../../executor/contract.js'
import { PAIRING_MS } from '../../../executor/costs.js'
import type { Executions } from '../../../executor/feature.js'
import {
  addPeer,
  changeRoster,
  hasNetworkKey,
  hasPeerRoom,
  type MembershipFault,
  removePeer,
} from '../../../executor/membership.js'
import { parameterOf } from '../../../executor/parameters.js'
import type { Permission } from '../../../executor/permission.js'
import { hasRule, type Rule } from '../../../executor/rules.js'
import { KEY_OVERLAP_BLOCKS } from '../../../executor/system-parameters.js'
import { consensusKeys, PEERS_MAX, peers } from '../../../executor/tables.js'
import { global } from '../../../ledger/permission-kinds.js'
import { requirePermission } from '../../../ledger/permissions.js'
import {
  type AccountId,
  accountKeyOf,
  accountOfKey,
  keyBytes,
  type Peer,
  type ValidatorKey,
  validatorKey,
} from '../../../model/index.js'
import { events, type instructions } from '../schema.js'

export const PEER_PERMISSIONS = {
  CanManagePeers: global('CanManagePeers'),
  CanManageConsensusKeys: global('CanManageConsensusKeys'),
} as const satisfies Record<string, Permission>

export const PEER_RULES = {
  ownNetworkKeys: {
    since: 2,
    text: 'no two peers have one network key',
  },
  onlyKeys: {
    since: 2,
    text: 'a peer whose only key is disabled leaves under the rules of membership',
  },
} as const satisfies Record<string, Rule>

/** Lead of a roster change: made at g, it takes effect at g + 2, because rosters are determined two heights ahead. */
const ROSTER_LEAD_HEIGHTS = 2
/** Units of a proof of possession, which takes some 25 ms: a block of the default size fits six. */
const POP_TEU = 20_000
/** Maximum distance of the activation height of a key, in blocks from now: weeks at full speed. */
export const ACTIVATION_WITHIN_BLOCKS = 10_000_000

const keyText = (key: ValidatorKey): string => String(validatorKey.toJson(key))

const MEMBERSHIP_TEXTS: Record<MembershipFault, string> = {
  membership_cap: 'at most max(1, f) members may join or leave in one block; try again in the next one',
  quorum_not_seen:
    'fewer than the quorum of the new validator set signed recently: the chain could stall; bring absent validators back, or use force',
  last_validator: 'the last validator cannot leave',
}

/** Make a change of the roster under the membership rules. */
function underRules(ctx: ExecContext, force: boolean, change: () => void): Rejection | undefined {
  const source = ctx.abi.policies.election?.rosterAt
  const fault = changeRoster(ctx, ctx.env.height, change, { force, source })
  return fault === undefined ? undefined : reject(fault, MEMBERSHIP_TEXTS[fault])
}

/** Account of a peer itself, by its network key. */
const accountOfPeer = (peer: Peer): AccountId => accountOfKey(accountKeyOf('ed25519', keyBytes(peer.networkKey)))

/** True for the key of an elected peer, whatever its role. */
const votes = (ctx: ExecContext, key: ValidatorKey, height: number): boolean =>
  ctx.abi.policies.election?.rosterAt(ctx, height)?.roster.includes(key) === true

export const execute = {
  registerPeer: {
    cost: { base: POP_TEU },
    work: { ms: PAIRING_MS },
    execute(ctx, { peer, force }) {
      const denied = requirePermission(ctx, 'registering a peer', undefined, [
        PEER_PERMISSIONS.CanManagePeers,
        undefined,
      ])
      if (denied) return denied
      if (ctx.get(consensusKeys, peer.key) !== undefined) return reject('key_reused', 'the key is or was already used')
      if (!hasPeerRoom(ctx))
        return reject('membership_cap', `at most ${PEERS_MAX} peers are registered: remove one first`)
      if (hasRule(ctx, PEER_RULES.ownNetworkKeys) && hasNetworkKey(ctx, peer.networkKey))
        return reject('exists', 'the network key belongs to another peer')
      if (!verifyPop(keyBytes(peer.key), peer.pop)) {
        return reject('bad_proof_of_possession', 'the proof of possession does not belong to this key')
      }
      const closed = ctx.abi.policies.election?.peers.register(ctx, peer.role)
      if (closed) return closed
      const { height, genesis } = ctx.env
      const activeFrom = genesis ? height : height + ROSTER_LEAD_HEIGHTS
      const add = (): void => addPeer(ctx, peer, height, activeFrom)
      if (genesis || peer.role === 'observer') add()
      else {
        const refused = underRules(ctx, force, add)
        if (refused) return refused
      }
      ctx.emit(events.peerAdded, { peer: peer.key })
      return undefined
    },
  },

  unregisterPeer: {
    cost: { base: 400 },
    execute(ctx, { peer, force }) {
      const denied = requirePermission(ctx, 'removing a peer', undefined, [PEER_PERMISSIONS.CanManagePeers, undefined])
      if (denied) return denied
      const found = ctx.get(peers, peer)
      if (found === undefined) return reject('absent', `no peer is registered with the key ${keyText(peer)}`)
      const kept = ctx.abi.policies.election?.peers.unregister(ctx, peer)
      if (kept) return kept
      const remove = (): void => removePeer(ctx, peer, ctx.env.height + ROSTER_LEAD_HEIGHTS)
      if (found.role === 'observer') remove()
      else {
        const refused = underRules(ctx, force, remove)
        if (refused) return refused
      }
      ctx.emit(events.peerRemoved, { peer })
      return undefined
    },
  },

  rotateConsensusKey: {
    cost: { base: POP_TEU },
    work: { ms: PAIRING_MS },
    execute(ctx, { peer, newKey, pop, activeFrom: wanted }) {
      const found = ctx.get(peers, peer)
      if (found === undefined) return reject('absent', `no peer is registered with the key ${keyText(peer)}`)
      const denied = requirePermission(ctx, 'rotating a consensus key', accountOfPeer(found), [
        PEER_PERMISSIONS.CanManageConsensusKeys,
        undefined,
      ])
      if (denied) return denied
      if (ctx.get(consensusKeys, newKey) !== undefined) return reject('key_reused', 'the key is or was already used')
      const elsewhere = ctx.abi.policies.election?.peers.rotate(ctx, peer)
      if (elsewhere) return elsewhere
      const { height } = ctx.env
      const earliest = height + ROSTER_LEAD_HEIGHTS
      const activeFrom = wanted ?? earliest
      if (activeFrom < earliest || activeFrom > height + ACTIVATION_WITHIN_BLOCKS) {
        return reject(
          'bad_activation',
          `a key can become active from ${earliest} to ${height + ACTIVATION_WITHIN_BLOCKS}`,
        )
      }
      if (pendingKeyOf(ctx, peer, height) !== undefined) {
        return reject('exists', 'this peer already has a pending key; disable it first')
      }
      if (!verifyPop(keyBytes(newKey), pop)) {
        return reject('bad_proof_of_possession', 'the proof of possession does not belong to this key')
      }
      addKey(ctx, { key: newKey, peer, pop }, activeFrom, height)
      ctx.emit(events.consensusKeyRotated, { peer, key: newKey, activeFrom })
      return undefined
    },
  },

  disableConsensusKey: {
    cost: { base: 400 },
    execute(ctx, { key, force }) {
      const row = ctx.get(consensusKeys, key)
      const peer = row === undefined ? undefined : ctx.get(peers, row.peer)
      if (row === undefined || peer === undefined) return reject('absent', `no peer has the key ${keyText(key)}`)
      const denied = requirePermission(ctx, 'disabling a consensus key', accountOfPeer(peer), [
        PEER_PERMISSIONS.CanManageConsensusKeys,
        undefined,
      ])
      if (denied) return denied
      const { height } = ctx.env
      const status = statusOfKey(row, height, parameterOf(ctx, KEY_OVERLAP_BLOCKS))
      if (status === 'disabled' || row.disabledFrom !== undefined)
        return reject('exists', 'the key is already disabled')
      const disabledFrom = Math.max(height + ROSTER_LEAD_HEIGHTS, row.activeFrom)
      const kept = ctx.abi.policies.election?.peers.disable(ctx, key, disabledFrom)
      if (kept) return kept
      const disable = (): void => disableKey(ctx, key, disabledFrom)
      const acts = hasRule(ctx, PEER_RULES.onlyKeys)
        ? isOnlyKeyAt(ctx, key, disabledFrom)
        : row.activeFrom < disabledFrom && (row.replacedFrom ?? disabledFrom + 1) > disabledFrom
      if (!acts || (peer.role === 'observer' && !votes(ctx, key, disabledFrom))) disable()
      else {
        const refused = underRules(ctx, force, disable)
        if (refused) return refused
      }
      ctx.emit(events.consensusKeyDisabled, { peer: row.peer, key, disabledFrom })
      return undefined
    },
  },
} satisfies Partial<Executions<typeof instructions>>
