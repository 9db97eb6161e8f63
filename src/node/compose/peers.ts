/** Owns the composition of the peer side: membership, conduct, gossip and clock comparison. */
import { SYSTEM_CLOCKS } from '../../base/clocks.js'
import type { LinkStates } from '../../network/index.js'
import { PEER_FAULTS, PeerConduct } from '../peers/conduct.js'
import { Gossip } from '../peers/gossip.js'
import { linksByKey } from '../peers/links-by-key.js'
import { Members } from '../peers/members.js'
import { TimeService } from '../peers/time-service.js'
import type { Common } from './common.js'

const { wallMs, monotonicMs } = SYSTEM_CLOCKS

export interface Peers {
  readonly members: Members
  readonly conduct: PeerConduct
  readonly gossip: Gossip
  readonly time: TimeService
  /** States of links by the consensus keys of the next height. */
  readonly links: LinkStates
}

export function openPeers({ options, metrics, head, queue, events }: Common): Peers {
  const { transport } = options
  const members = new Members(() => head.tip)
  const conduct = new PeerConduct({
    monotonicMs,
    isMember: (peer) => members.has(peer),
    count: (kind) => metrics.node.peerFaults.inc({ kind }),
    ban: (peer, kind) => transport.ban(peer, PEER_FAULTS[kind].text),
  })
  const time = new TimeService({
    wallMs,
    monotonicMs,
    connected: () => transport.connected(),
    ask: (peer, number) => gossip.askTime(peer, number),
  })
  const gossip = new Gossip({
    transport,
    queue,
    monotonicMs,
    wallMs,
    conduct,
    snapshots: {
      wanted: (from, height) => events.emit('snapshotWanted', { from, height }),
      chunkWanted: (from, wanted) => events.emit('chunkWanted', { from, wanted }),
    },
    receive: (from, records) => events.emit('records', { from, records }),
    receiveEvidence: (from, records) => {
      for (const record of records) events.emit('evidence', { from, record })
    },
    receiveTime: (from, response) => time.receive(from, response),
  })
  return { members, conduct, gossip, time, links: linksByKey(transport, () => head.tip) }
}
