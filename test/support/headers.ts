/** Owns headers and certificates that tests give blocks which nobody voted on. */
import { keyListHash, selectCommittee } from '../../src/consensus/index.js'
import {
  type BlockHeader,
  chainHashOf,
  genesisSeed,
  hashOfHeader,
  type QuorumCertificate,
  type SignedGenesis,
  UNEXECUTED,
  ZERO_HASH,
} from '../../src/model/index.js'
import type { Tip } from '../../src/node/ledger/protocol.js'
import { CHAIN } from './chain.js'

/** A header that nobody filled in, its committees left out too. */
export const BLANK_HEADER = {
  ...UNEXECUTED,
  rosterHash: ZERO_HASH,
  committeeHash: ZERO_HASH,
  nextCommitteeHash: ZERO_HASH,
} as const

/** The header that the proposer of `view` hands its ledger to fill in, 10 ms after the tip. */
export function templateAfter(tip: Tip, genesis: SignedGenesis, view = 0): BlockHeader {
  const height = tip.height + 1
  const seed = genesisSeed(genesis.payload.bytes)
  const chainHash = chainHashOf(CHAIN, seed)
  const committee = selectCommittee(tip.schedule.roster, chainHash, seed, height)
  return {
    ...UNEXECUTED,
    chain: CHAIN,
    height,
    parentHash: hashOfHeader(tip.header),
    originView: view,
    originProposer: committee.keys[view] ?? '',
    timeMs: tip.header.timeMs + 10,
    rosterHash: keyListHash(tip.schedule.roster),
    committeeHash: committee.hash,
    nextCommitteeHash: selectCommittee(tip.nextSchedule.roster, chainHash, seed, height + 1).hash,
  }
}

/** A commit certificate of three of four whose signature nobody checks. */
export const uncheckedCertificate = (header: BlockHeader): QuorumCertificate => ({
  phase: 'commit',
  height: header.height,
  view: 0,
  blockHash: hashOfHeader(header),
  committeeHash: header.committeeHash,
  bitmap: Buffer.of(0b111),
  aggregate: Buffer.alloc(96, 1),
})
