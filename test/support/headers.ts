/** Owns headers and certificates of test blocks without votes. */
import { keyListHash, selectCommittee } from '../../src/consensus/index.js'
import {
  type BlockHeader,
  chainHashOf,
  genesisSeed,
  hashOfHeader,
  NO_PROPOSER,
  type QuorumCertificate,
  type SignedGenesis,
  UNEXECUTED,
  ZERO_HASH,
} from '../../src/model/index.js'
import type { Tip } from '../../src/node/ledger/protocol.js'
import { CHAIN } from './chain.js'

/** Header with default values, without committees. */
export const BLANK_HEADER = {
  ...UNEXECUTED,
  rosterHash: ZERO_HASH,
  committeeHash: ZERO_HASH,
  nextCommitteeHash: ZERO_HASH,
} as const

/** Roster at a height. */
export type Drawn = Pick<Tip['schedule'], 'roster' | 'seed'>

/** Header of a chain above genesis as completed by its executor, 10 ms after its parent. */
export function headerAfter(
  parent: BlockHeader,
  chainHash: Uint8Array,
  drawnAt: (height: number) => Drawn,
  view = 0,
): BlockHeader {
  const height = parent.height + 1
  const committeeAt = (at: number) => selectCommittee(drawnAt(at).roster, chainHash, drawnAt(at).seed, at)
  const committee = committeeAt(height)
  return {
    ...BLANK_HEADER,
    chain: CHAIN,
    height,
    parentHash: hashOfHeader(parent),
    originView: view,
    originProposer: committee.keys[view] ?? '',
    timeMs: parent.timeMs + 10,
    rosterHash: keyListHash(drawnAt(height).roster),
    committeeHash: committee.hash,
    nextCommitteeHash: committeeAt(height + 1).hash,
  }
}

/** Header of a genesis that determines only the roster at height 2. */
export const genesisHeader = (nextCommitteeHash: Uint8Array): BlockHeader => ({
  ...BLANK_HEADER,
  chain: CHAIN,
  height: 1,
  parentHash: ZERO_HASH,
  originView: 0,
  originProposer: NO_PROPOSER,
  timeMs: 1_000,
  nextCommitteeHash,
})

/** Header that the proposer of `view` passes to its ledger for completion, 10 ms after the tip. */
export function templateAfter(tip: Tip, genesis: SignedGenesis, view = 0): BlockHeader {
  const chainHash = chainHashOf(CHAIN, genesisSeed(genesis.payload.bytes))
  return headerAfter(
    tip.header,
    chainHash,
    (height) => (height === tip.height + 1 ? tip.schedule : tip.nextSchedule),
    view,
  )
}

/** Commit certificate of three of four with an unverified signature. */
export const uncheckedCertificate = (header: BlockHeader): QuorumCertificate => ({
  phase: 'commit',
  height: header.height,
  view: 0,
  blockHash: hashOfHeader(header),
  committeeHash: header.committeeHash,
  bitmap: Buffer.of(0b111),
  aggregate: Buffer.alloc(96, 1),
})
