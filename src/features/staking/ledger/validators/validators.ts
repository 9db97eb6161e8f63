/** Owns validators: their registration, their keys, their terms. */

import { nobleBackend } from '../../../../crypto/bls-noble.js'
import { verifyPop } from '../../../../crypto/bls-pop.js'
import { verifyEd25519 } from '../../../../crypto/index.js'
import { accounts, countUse } from '../../../../executor/accounts.js'
import { keyOfPeer } from '../../../../executor/consensus-keys.js'
import { type ExecContext, type Rejection, reject } from '../../../../executor/contract.js'
import { PAIRING_MS } from '../../../../executor/costs.js'
import type { RemovalContext } from '../../../../executor/election.js'
import type { Executions } from '../../../../executor/feature.js'
import { hasNetworkKey } from '../../../../executor/membership.js'
import { parameterOf } from '../../../../executor/parameters.js'
import { consensusKeys, peers } from '../../../../executor/tables.js'
import { createAccount } from '../../../../ledger/accounts.js'
import {
  type AccountId,
  accountKeyOf,
  accountOfKey,
  event,
  keyBytes,
  NO_METADATA,
  type Peer,
} from '../../../../model/index.js'
import { bindingBytes, networkBindingBytes } from '../../schema/bindings.js'
import { events } from '../../schema/events.js'
import type * as schema from '../../schema/instructions.js'
import type { instructions } from '../../schema/instructions.js'
import { MIN_SELF_BOND } from '../../schema/parameters.js'
import type { Validator, ValidatorStatus } from '../../schema/records.js'
import { seatKeyFault } from '../elections/elected-seats.js'
import { calendars } from '../epochs/tables.js'
import { openSlashes } from '../slashing/tables.js'
import { stakeOf } from '../stake/bonds.js'
import { heldUnits, parameterUnits, poolOf, subjectOf } from '../stake/pool.js'
import { stakes } from '../stake/tables.js'
import { ONLY } from '../table.js'
import { delist, enlistAgain, enlistNew } from './candidates.js'
import { unlistCandidate } from './lists.js'
import { operators, peerValidators, validators } from './tables.js'

/**
 * Units of a key registration: two pairings, one for the proof of possession and one for the binding to the account.
 */
const KEY_TEU = 40_000
const KEY_WORK = { ms: 2 * PAIRING_MS }
const ROSTER_LEAD_HEIGHTS = 2
const COMMISSION_MAX_BPS = 10_000
/** Maximum increase of a commission in one epoch, in bps. */
const COMMISSION_RISE_BPS = 500
/** Placeholder height of a key until a roster names it. */
export const KEY_WAITS = Number.MAX_SAFE_INTEGER - 1

export const currentEpoch = (ctx: Pick<ExecContext, 'get'>): number => ctx.get(calendars, ONLY)?.epoch ?? 0

/** Emit a change of a validator. */
export function emitValidator(
  account: AccountId,
  change: 'registered' | 'updated' | 'keyStaged' | 'chilled' | 'unjailed' | 'jailed',
  { status, key }: Pick<Validator, 'status' | 'key'>,
) {
  return event(events.stakingValidatorChanged, { validator: account, change, status, key })
}

/**
 * Registered peer of a key and its node, which becomes the peer of the validator; a rejection if either belongs to
 * another peer; undefined if there is no peer.
 */
function peerFault(ctx: ExecContext, value: schema.RegisterValidator): Peer | Rejection | undefined {
  const { key, networkKey } = value
  const known = ctx.get(peers, key)
  if (known !== undefined) {
    if (ctx.has(peerValidators, key)) return reject('key_reused', 'the key belongs to another validator')
    return known.networkKey === networkKey ? known : reject('key_reused', 'the key belongs to another peer')
  }
  if (ctx.get(consensusKeys, key) !== undefined) return reject('key_reused', 'the key is or was already used')
  return hasNetworkKey(ctx, networkKey) ? reject('exists', 'the network key belongs to another peer') : undefined
}

/** Reason why the keys are not bound to the account; genesis needs no binding. */
function bindingFault(ctx: ExecContext, account: AccountId, value: schema.RegisterValidator): Rejection | undefined {
  const { key, pop, binding, networkKey, networkBinding } = value
  if (!verifyPop(keyBytes(key), pop)) {
    return reject('bad_proof_of_possession', 'the proof of possession does not belong to this key')
  }
  if (ctx.env.genesis) return undefined
  const bound = { chain: ctx.env.chain, account, key, networkKey }
  if (!verifyEd25519(keyBytes(networkKey), networkBindingBytes(bound), networkBinding)) {
    return reject('stake_bad_binding', 'the network key did not sign for this account and validator key')
  }
  return nobleBackend().verify(keyBytes(key), bindingBytes(bound), binding)
    ? undefined
    : reject('stake_bad_binding', 'the validator key did not sign for this account and network key')
}

const operatorOf = (networkKey: string): AccountId => accountOfKey(accountKeyOf('ed25519', keyBytes(networkKey)))

/** Validator of the authority, or the rejection. */
export function ownValidator(ctx: ExecContext): Validator | Rejection {
  return ctx.get(validators, ctx.authority) ?? reject('stake_wrong_role', 'the account is not a validator')
}

/** Commission from which the limit of changes in this epoch is counted. */
function commissionBaseOf({ commissionBase, commissionBps }: Validator, epoch: number): Validator['commissionBase'] {
  return commissionBase.epoch === epoch ? commissionBase : { epoch, bps: commissionBps }
}

function chill(ctx: RemovalContext, account: AccountId, row: Validator): void {
  const next: Validator = { ...row, status: { kind: 'chilled', value: undefined } }
  ctx.set(validators, account, next)
  ctx.record(emitValidator(account, 'chilled', next))
}

/** Chill a validator whose peer an administrator removes; a jailed one stays jailed. */
export function putOut(ctx: RemovalContext, account: AccountId): void {
  const row = ctx.get(validators, account)
  if (row?.status.kind === 'active') chill(ctx, account, row)
  unlistCandidate(ctx, account)
}

function jailFault(ctx: ExecContext, account: AccountId, { status }: { readonly status: ValidatorStatus }) {
  if (status.kind === 'jailed' && currentEpoch(ctx) < status.value.untilEpoch) {
    return reject('stake_jailed', `the validator is jailed until epoch ${status.value.untilEpoch}`)
  }
  return slashFault(ctx, account)
}

const slashFault = (ctx: ExecContext, account: AccountId): Rejection | undefined =>
  (ctx.get(openSlashes, account) ?? 0) > 0 ? reject('stake_jailed', 'the validator has a pending slash') : undefined

export const execute = {
  registerValidator: {
    cost: { base: KEY_TEU },
    work: KEY_WORK,
    execute(ctx, value) {
      const account = subjectOf(ctx, value.account)
      if (typeof account !== 'string') return account
      const pool = poolOf(ctx)
      if ('code' in pool) return pool
      const { key, pop, networkKey, addresses, commissionBps, entity } = value
      const stake = stakeOf(ctx, account)
      if (stake.role !== 'idle') return reject('stake_wrong_role', 'the account is a validator or has nominations')
      // A validator that left before its fault was proven could not be jailed.
      const slashed = slashFault(ctx, account)
      if (slashed) return slashed
      const bonded = heldUnits(stake.bonded, pool)
      if (bonded === 0n || bonded < parameterUnits(parameterOf(ctx, MIN_SELF_BOND), pool)) {
        return reject('stake_too_small', 'a validator must bond min_self_bond first')
      }
      if (commissionBps > COMMISSION_MAX_BPS)
        return reject('stake_bad_commission', 'a commission must be at most 10,000 bps')
      const known = peerFault(ctx, value)
      if (known !== undefined && 'code' in known) return known
      const operator = operatorOf(networkKey)
      if (ctx.has(operators, operator)) return reject('exists', 'the network key belongs to another validator')
      const home = ctx.get(accounts, account)
      if (home === undefined) return reject('unknown_account', 'the account is not registered')
      const unbound = bindingFault(ctx, account, value)
      if (unbound) return unbound
      const { height } = ctx.env
      if (!ctx.has(accounts, operator)) {
        const refused = createAccount(ctx, {
          id: operator,
          domain: home.domain,
          label: undefined,
          metadata: NO_METADATA,
        })
        if (refused) return refused
      }
      const peer: Peer = { key, pop, networkKey, addresses, role: 'observer' }
      const row: Validator = {
        status: { kind: 'active', value: undefined },
        // The key of an existing peer may have been rotated since its registration.
        key: keyOfPeer(ctx, key, height + ROSTER_LEAD_HEIGHTS) ?? key,
        nextKey: undefined,
        pop,
        peer: key,
        networkKey,
        operator,
        addresses: known?.addresses ?? addresses,
        commissionBps,
        commissionBase: { epoch: currentEpoch(ctx), bps: commissionBps },
        entity,
        registeredHeight: height,
        missedSlots: 0,
        absentEpochs: 0,
        readyHeight: undefined,
      }
      ctx.set(validators, account, row)
      ctx.set(operators, operator, account)
      countUse(ctx, operator, 'objects', 1)
      ctx.set(peerValidators, key, account)
      ctx.set(stakes, account, { ...stake, role: 'validator' })
      const activeFrom = ctx.env.genesis ? height : height + ROSTER_LEAD_HEIGHTS
      const unlisted = enlistNew(ctx, { account, bonded: stake.bonded }, peer, { height, activeFrom })
      if (unlisted) return unlisted
      ctx.record(emitValidator(account, 'registered', row))
      return undefined
    },
  },

  updateValidator: {
    cost: { base: 300 },
    execute(ctx, { addresses, commissionBps, entity }) {
      const row = ownValidator(ctx)
      if ('code' in row) return row
      const commissionBase = commissionBaseOf(row, currentEpoch(ctx))
      const bps = commissionBps ?? row.commissionBps
      if (bps > COMMISSION_MAX_BPS || bps > commissionBase.bps + COMMISSION_RISE_BPS) {
        const most = Math.min(COMMISSION_MAX_BPS, commissionBase.bps + COMMISSION_RISE_BPS)
        return reject('stake_bad_commission', `in this epoch the commission must be at most ${most} bps`)
      }
      const next = {
        ...row,
        addresses: addresses ?? row.addresses,
        commissionBps: bps,
        commissionBase,
        entity: entity ?? row.entity,
      }
      ctx.set(validators, ctx.authority, next)
      const peer = ctx.get(peers, row.peer)
      if (addresses !== undefined && peer !== undefined) ctx.set(peers, row.peer, { ...peer, addresses })
      ctx.record(emitValidator(ctx.authority, 'updated', next))
      return undefined
    },
  },

  rotateValidatorKey: {
    cost: { base: KEY_TEU },
    work: KEY_WORK,
    execute(ctx, { key, pop, binding }) {
      const row = ownValidator(ctx)
      if ('code' in row) return row
      if (ctx.get(consensusKeys, key) !== undefined) return reject('key_reused', 'the key is or was already used')
      const { nextKey } = row
      const needed = nextKey && seatKeyFault(ctx, ctx.authority, nextKey.key, ctx.env.height + ROSTER_LEAD_HEIGHTS)
      if (needed) return needed
      if (!verifyPop(keyBytes(key), pop)) {
        return reject('bad_proof_of_possession', 'the proof of possession does not belong to this key')
      }
      const bound = { chain: ctx.env.chain, account: ctx.authority, key, networkKey: row.networkKey }
      if (!nobleBackend().verify(keyBytes(key), bindingBytes(bound), binding)) {
        return reject('stake_bad_binding', 'the key did not sign for this account and network key')
      }
      // Reserves the key; the roster that names it determines its first height.
      ctx.set(consensusKeys, key, {
        peer: row.peer,
        pop,
        activeFrom: KEY_WAITS,
        replacedFrom: undefined,
        disabledFrom: undefined,
      })
      const next = { ...row, nextKey: { key, pop } }
      ctx.set(validators, ctx.authority, next)
      ctx.record(emitValidator(ctx.authority, 'keyStaged', next))
      return undefined
    },
  },

  chillValidator: {
    cost: { base: 300 },
    execute(ctx) {
      const row = ownValidator(ctx)
      if ('code' in row) return row
      if (row.status.kind === 'chilled') return reject('exists', 'the validator is already chilled')
      // A jailed validator has to wait for its release, and for the delay of a slash.
      const jailed = jailFault(ctx, ctx.authority, row)
      if (jailed) return jailed
      chill(ctx, ctx.authority, row)
      delist(ctx, ctx.authority)
      return undefined
    },
  },

  /** Restore a candidate after jail or a chill. */
  unjailValidator: {
    cost: { base: 300 },
    execute(ctx) {
      const account = ctx.authority
      const row = ownValidator(ctx)
      if ('code' in row) return row
      if (row.status.kind === 'active') return reject('exists', 'the validator is already a candidate')
      const jailed = jailFault(ctx, account, row)
      if (jailed) return jailed
      const next: Validator = { ...row, status: { kind: 'active', value: undefined }, missedSlots: 0, absentEpochs: 0 }
      ctx.set(validators, account, next)
      const { bonded, slot } = stakeOf(ctx, account)
      const unlisted = slot === undefined ? enlistAgain(ctx, { account, bonded }) : undefined
      if (unlisted) return unlisted
      ctx.record(emitValidator(account, 'unjailed', next))
      return undefined
    },
  },
} satisfies Partial<Executions<typeof instructions>>
