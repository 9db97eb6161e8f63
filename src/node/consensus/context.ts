/** Owns construction of the consensus height context (committee, parent, limits) from the ledger tip. */
import { type HeightContext, keyListHash, peerOf } from '../../consensus/index.js'
import { committeeAt, parentRecordOf } from '../../executor/index.js'
import { hashOfHeader } from '../../model/index.js'
import type { Tip } from '../ledger/protocol.js'

/** Height context for the height after the tip. */
export function contextAfter(tip: Tip, chainHash: Uint8Array): HeightContext {
  const height = tip.height + 1
  const { committee, order } = committeeAt(tip.schedule, chainHash, height)
  const { limits } = tip
  const { rotated } = tip.schedule
  return {
    height,
    chain: tip.header.chain,
    chainHash,
    epoch: tip.schedule.epoch,
    parentHash: hashOfHeader(tip.header),
    parentTimeMs: tip.header.timeMs,
    parentCertificate: tip.certificate,
    parent: tip.certificate && parentRecordOf(tip.parentSchedule, chainHash, tip.header),
    rosterHash: keyListHash(tip.schedule.roster),
    rosterPeers: tip.schedule.roster.map((key) => rotated.get(key) ?? key),
    peerOf: (key) => peerOf(tip, key),
    committee,
    order,
    nextCommittee: committeeAt(tip.nextSchedule, chainHash, height + 1).committee,
    parameters: {
      blockTimeMs: limits.blockTimeMs,
      baseHeightMs: limits.baseHeightMs,
      phases: limits.phases,
      maxClockDriftMs: limits.maxClockDriftMs,
      collectorsK: limits.collectorsK,
      redundantSendR: limits.redundantSendR,
      dataAvailability: limits.dataAvailability,
    },
  }
}
