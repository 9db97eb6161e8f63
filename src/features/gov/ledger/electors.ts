/** Owns the electors of validators, and their attestations of ABIs. */
import { sameBytes } from '../../../base/bytes.js'
import { quorumOf } from '../../../consensus/index.js'
import { accounts } from '../../../executor/accounts.js'
import { unknownAccount } from '../../../executor/addresses.js'
import { type ExecContext, type Execution, type Rejection, reject } from '../../../executor/contract.js'
import { peers } from '../../../executor/tables.js'
import { type InstructionOf, instruction } from '../../../model/index.js'
import { instructions as upgradeInstructions } from '../../upgrades/schema.js'
import { events } from '../schema/events.js'
import type { instructions } from '../schema/instructions.js'
import { GOV_ACCOUNT, stateOf } from './account.js'
import { accountOfPeer, electorOfPeer, rosterPeers } from './electorates.js'
import { electors, ready } from './tables.js'

export const setElector: Execution<InstructionOf<typeof instructions.setElector>> = {
  cost: { base: 150 },
  execute(ctx, { peer: key, account }) {
    const peer = ctx.get(peers, key)
    if (peer === undefined) return reject('absent', 'no peer is registered with this key')
    if (ctx.authority !== accountOfPeer(peer) && !ctx.env.genesis)
      return reject('not_permitted', 'setting the elector of a peer requires the account of its network key')
    if (account === undefined) {
      if (ctx.has(electors, key)) ctx.delete(electors, key)
    } else {
      const incarnation = ctx.get(accounts, account)?.incarnation
      if (incarnation === undefined) return unknownAccount(ctx, account)
      ctx.set(electors, key, { account, incarnation })
    }
    ctx.emit(events.govElectorSet, { peer: key, account })
    return undefined
  },
}

export const attestAbi: Execution<InstructionOf<typeof instructions.attestAbi>> = {
  cost: { base: 150 },
  execute(ctx, { peer: key, abi, hash }) {
    const peer = ctx.get(peers, key)
    if (peer === undefined) return reject('absent', 'no peer is registered with this key')
    if (ctx.authority !== accountOfPeer(peer) && ctx.authority !== electorOfPeer(ctx, key))
      return reject('not_permitted', 'attesting an ABI requires the account of the peer, or its elector')
    ctx.set(ready, key, { abi, hash })
    ctx.emit(events.govAbiAttested, { peer: key, abi, hash })
    return undefined
  },
}

/** Policy of upgrades: a commit quorum of the roster must have attested the ABI. No rule applies before governance is founded. */
export function upgradeReadiness(ctx: ExecContext, abi: number, hash: Uint8Array): Rejection | undefined {
  if (stateOf(ctx) === undefined) return undefined
  const roster = rosterPeers(ctx, ctx.env.height)
  const attested = roster.filter((peer) => {
    const row = ctx.get(ready, peer)
    return row?.abi === abi && sameBytes(row.hash, hash)
  })
  const quorum = quorumOf(roster.length)
  return attested.length < quorum
    ? reject('abi_not_ready', `${attested.length} of ${roster.length} validators attested ABI ${abi}; ${quorum} must`)
    : undefined
}

export const activateReadyUpgrade: Execution<InstructionOf<typeof instructions.activateReadyUpgrade>> = {
  cost: { base: 2_000 },
  execute: (ctx, { id }) =>
    stateOf(ctx) === undefined
      ? reject('absent', 'governance is not founded')
      : ctx.forkAs(GOV_ACCOUNT, (part) => part.perform(instruction(upgradeInstructions.activateUpgrade, { id }))),
}
