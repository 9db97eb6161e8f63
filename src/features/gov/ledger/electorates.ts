/** Owns the electorates: their validity, size and electors. */
import type { Numeric } from '../../../codec/index.js'
import { accounts } from '../../../executor/accounts.js'
import { type BlockEnv, type ExecContext, type Rejection, reject } from '../../../executor/contract.js'
import { peerOfKey, rosterAt } from '../../../executor/rosters.js'
import { peers } from '../../../executor/tables.js'
import { balances, definitions } from '../../../ledger/tables.js'
import {
  type AccountId,
  accountKeyOf,
  accountOfKey,
  keyBytes,
  keylessKind,
  type Peer,
  sameIncarnation,
  type ValidatorKey,
} from '../../../model/index.js'
import type { StateReader } from '../../../state/index.js'
import { BPS, type Elector, type Electorate, type Track } from '../schema/records.js'
import { GOV_ACCOUNT } from './account.js'
import { countOf, unitsOf } from './amounts.js'
import { electors, locks, seals } from './tables.js'

/** State at a height. */
export type StateAt = StateReader & { readonly env: Pick<BlockEnv, 'height'> }

const unsound = (message: string): Rejection => reject('bad_electorate', message)

/** Reason why an electorate is invalid in the current state, or undefined. */
export function electorateFault(state: StateReader, { kind, value }: Electorate): Rejection | undefined {
  switch (kind) {
    case 'asset': {
      const row = state.get(definitions, value.definition)
      if (row === undefined) return unsound(`asset definition ${value.definition} does not exist`)
      if (row.mintable.kind === 'lots') return unsound('votes cannot be a class of real-world assets')
      return row.owner === GOV_ACCOUNT
        ? undefined
        : unsound(`asset definition ${value.definition} does not belong to the governance account`)
    }
    case 'role': {
      const members = state.get(seals, value.role)
      if (members === undefined) return unsound(`role ${value.role} is not sealed`)
      return members.length > 0 ? undefined : unsound(`role ${value.role} has no members`)
    }
    case 'validators':
      return undefined
  }
}

/** Amount of an asset that the governance account holds or has locked, in units of the finest scale. */
export function ownUnits(state: StateReader, definition: string): bigint {
  const key = { definition, account: GOV_ACCOUNT }
  const [held, locked] = [state.get(balances, key), state.get(locks, key)?.amount]
  return (held === undefined ? 0n : unitsOf(held)) + (locked === undefined ? 0n : unitsOf(locked))
}

/** Members of a role that can send a ballot: system accounts and vaults act only by their feature. */
const canVote = (account: AccountId): boolean => !VOTELESS.has(keylessKind(account) ?? '')
const VOTELESS: ReadonlySet<string> = new Set(['system', 'vault'])

/** Reason why the votes of an electorate that can be cast do not reach the quorum, or undefined. */
export function reachFault(
  state: StateReader,
  { electorate: { kind, value }, quorumBps }: Pick<Track, 'electorate' | 'quorumBps'>,
): Rejection | undefined {
  if (kind === 'validators') return undefined
  let [all, cast] = [0n, 0n]
  if (kind === 'asset') {
    const total = state.get(definitions, value.definition)?.total
    all = total === undefined ? 0n : unitsOf(total)
    cast = all - ownUnits(state, value.definition)
  } else {
    const members = state.get(seals, value.role) ?? []
    all = BigInt(members.length)
    cast = BigInt(members.filter(canVote).length)
  }
  if (cast > 0n && cast * BigInt(BPS) >= all * BigInt(quorumBps)) return undefined
  return kind === 'asset'
    ? unsound(`too little of ${value.definition} exists outside of the governance account to reach the quorum`)
    : unsound(`too few members of the role ${value.role} can vote to reach the quorum`)
}

/** Peers of the roster at a height. */
export function rosterPeers(state: StateReader, height: number): readonly ValidatorKey[] {
  const row = rosterAt(state, height)
  return row === undefined ? [] : row.roster.map((key) => peerOfKey(row, key))
}

/** Account of the network key of a peer. */
export const accountOfPeer = ({ networkKey }: Peer): AccountId =>
  accountOfKey(accountKeyOf('ed25519', keyBytes(networkKey)))

/** Account that votes for a registered peer; undefined if the key is not registered. */
export function electorOfPeer(state: StateReader, key: ValidatorKey): AccountId | undefined {
  const peer = state.get(peers, key)
  if (peer === undefined) return undefined
  const row = state.get(electors, key)
  const isRegistered =
    row !== undefined && sameIncarnation(row.incarnation, state.get(accounts, row.account)?.incarnation)
  return isRegistered ? row.account : accountOfPeer(peer)
}

/** Current supply of the asset, or number of electors. */
export function sizeOf(ctx: StateAt, { kind, value }: Electorate): Numeric {
  switch (kind) {
    case 'asset':
      return ctx.get(definitions, value.definition)?.total ?? countOf(0)
    case 'role':
      return countOf(ctx.get(seals, value.role)?.length ?? 0)
    case 'validators':
      return countOf(rosterPeers(ctx, ctx.env.height).length)
  }
}

/** Elector of an account on a track without an asset, or the rejection. */
export function memberElector(
  ctx: ExecContext,
  electorate: Exclude<Electorate, { readonly kind: 'asset' }>,
  account: AccountId,
  peer: ValidatorKey | undefined,
): Elector | Rejection {
  const { kind, value } = electorate
  if (kind === 'role') {
    return ctx.get(seals, value.role)?.includes(account) === true
      ? { kind: 'account', value: account }
      : reject('not_elector', `the account is not a member of the role ${value.role}`)
  }
  if (peer === undefined) return reject('not_elector', 'the validator that the account votes for is not named')
  if (electorOfPeer(ctx, peer) !== account) return reject('not_elector', 'the account does not vote for this validator')
  return rosterPeers(ctx, ctx.env.height).includes(peer)
    ? { kind: 'peer', value: peer }
    : reject('not_elector', 'the peer is not a member of the roster')
}
