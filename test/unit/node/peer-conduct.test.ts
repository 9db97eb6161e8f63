/** Messages that a peer may send, and the consequences of its faults. */
import { describe, expect, it } from 'vitest'
import { PEER_FAULTS, PeerConduct, type PeerFaultKind } from '../../../src/node/peers/conduct.js'

function watched() {
  let nowMs = 0
  const bans: string[] = []
  const counted: PeerFaultKind[] = []
  const conduct = new PeerConduct({
    monotonicMs: () => nowMs,
    isMember: (peer) => !peer.startsWith('observer'),
    count: (kind) => void counted.push(kind),
    ban: (peer, kind) => void bans.push(`${peer}: ${kind}`),
  })
  return { conduct, bans, counted, later: (ms: number) => (nowMs += ms) }
}

describe('conduct limits of a peer', () => {
  it('include a budget for each kind of message, refilled over time', () => {
    const { conduct, later } = watched()
    let admitted = 0
    while (conduct.allowsConsensus('a', 'status')) admitted += 1
    expect(admitted).toBe(200)
    later(1_000)
    for (let more = 0; more < 50; more++) expect(conduct.allowsConsensus('a', 'status')).toBe(true)
    expect(conduct.allowsConsensus('a', 'status')).toBe(false)
  })

  it('do not affect other peers or other kinds of messages', () => {
    const { conduct } = watched()
    while (conduct.allowsConsensus('a', 'status'));
    expect(conduct.allowsConsensus('b', 'status')).toBe(true)
    expect(conduct.allowsConsensus('a', 'vote')).toBe(true)
    expect(conduct.allowsGossip('a', 'records')).toBe(true)
  })

  it('bound the bytes of each channel', () => {
    const { conduct } = watched()
    const mib = 1024 * 1024
    let sent = 0
    while (conduct.allowsBytes('a', 'gossip', mib)) sent += 1
    expect(sent).toBe(64)
    expect(conduct.allowsBytes('a', 'consensus', mib)).toBe(true)
  })

  it('include a budget of refused records that counts no fault, and accepted records are free', () => {
    const { conduct, counted, later } = watched()
    for (let message = 0; message < 100; message++) {
      expect(conduct.allowsRecords('a', 1_024)).toBe(true)
      conduct.tookRecords('a', 1_024)
    }
    let refused = 0
    while (conduct.allowsRecords('a', 1_024)) refused += 1
    expect(refused).toBe(4)
    later(1_000)
    expect([conduct.allowsRecords('a', 512), conduct.allowsRecords('a', 1)]).toEqual([true, false])
    expect(conduct.allowsRecords('b', 1)).toBe(true)
    expect(counted).toEqual([])
  })

  it('allow two of the longest payloads at once and one a second, and count no fault for more', () => {
    const { conduct, counted, later } = watched()
    const [longest, second] = [32 * 1024 * 1024, 1_000]
    expect([1, 2, 3].map(() => conduct.allowsReply('a', 'payload', longest))).toEqual([true, true, false])
    later(second)
    expect(conduct.allowsReply('a', 'payload', longest)).toBe(true)
    expect(conduct.allowsReply('b', 'payload', longest)).toBe(true)
    expect(counted).toEqual([])
  })

  it('refund the unused budget if a response is shorter than estimated', () => {
    const { conduct } = watched()
    const range = 8 * 1024 * 1024
    for (let asked = 0; asked < 100; asked++) {
      expect(conduct.allowsReply('a', 'payload', range)).toBe(true)
      conduct.savedReply('a', 'payload', range)
    }
  })

  it('allow 32 MiB of gossip responses at once and 8 MiB a second, and count no fault for more', () => {
    const { conduct, counted, later } = watched()
    const answer = 4 * 1024 * 1024
    const answered = (): number => {
      let answers = 0
      while (conduct.allowsReply('a', 'gossip', answer)) answers += 1
      return answers
    }
    expect(answered()).toBe(8)
    later(1_000)
    expect(answered()).toBe(2)
    expect([conduct.allowsReply('a', 'payload', answer), counted]).toEqual([true, []])
  })

  it('allow the load of a saturated network: a thousand votes and proposals a second', () => {
    const { conduct, later } = watched()
    for (let second = 0; second < 5; second++) {
      for (let one = 0; one < 1_000; one++) {
        expect(conduct.allowsConsensus('a', 'vote')).toBe(true)
        expect(conduct.allowsConsensus('a', 'proposal')).toBe(true)
      }
      later(1_000)
    }
  })

  it.each(Object.entries(PEER_FAULTS))('ban a peer for %s at the threshold', (kind, { banAfter }) => {
    const { conduct, bans, counted } = watched()
    for (let one = 1; one < banAfter; one++) conduct.fault('a', kind as PeerFaultKind)
    expect(bans).toEqual([])
    conduct.fault('a', kind as PeerFaultKind)
    expect(bans).toEqual([`a: ${kind}`])
    expect(counted.length).toBe(banAfter)
  })

  it('forget the faults of a peer after a minute', () => {
    const { conduct, bans, later } = watched()
    for (let one = 0; one < 50; one++) {
      conduct.fault('a', 'bad_signature')
      later(10_001)
    }
    expect(bans).toEqual([])
  })

  it('ban a peer that continues to flood the node', () => {
    const { conduct, bans } = watched()
    for (let one = 0; one < 3_000; one++) conduct.allowsConsensus('a', 'syncRequest')
    expect(bans).toEqual(['a: flood'])
  })

  it('ban a peer sooner if its dropped messages are longer', () => {
    const { conduct, bans } = watched()
    const mib = 1024 * 1024
    let dropped = 0
    while (bans.length === 0) if (!conduct.allowsBytes('a', 'gossip', mib)) dropped += 1
    expect(dropped).toBe(128)
  })

  it('are reset when the peer is unregistered', () => {
    const { conduct } = watched()
    while (conduct.allowsConsensus('a', 'status'));
    conduct.keepOnly(new Set(['b']))
    expect(conduct.allowsConsensus('a', 'status')).toBe(true)
  })
})

describe('conduct limits of all observers together', () => {
  it('equal the budget of four peers for messages, bytes and responses, and do not affect validators', () => {
    const { conduct, counted } = watched()
    let [statuses, mebibytes, answers] = [0, 0, 0]
    const mib = 1024 * 1024
    for (let at = 0; at < 30; at += 1) {
      for (let message = 0; message < 200; message += 1)
        if (conduct.allowsConsensus(`observer ${at}`, 'status')) statuses += 1
      for (let sent = 0; sent < 64; sent += 1) if (conduct.allowsBytes(`observer ${at}`, 'gossip', mib)) mebibytes += 1
      for (let asked = 0; asked < 72; asked += 1)
        if (conduct.allowsReply(`observer ${at}`, 'payload', mib)) answers += 1
    }
    expect([statuses, mebibytes, answers]).toEqual([4 * 200, 4 * 64, 4 * 72])
    expect(counted).toEqual([])
    expect(conduct.allowsConsensus('member', 'status')).toBe(true)
    expect(conduct.allowsBytes('member', 'gossip', 64 * mib)).toBe(true)
    expect(conduct.allowsReply('member', 'payload', 72 * mib)).toBe(true)
  })

  it('refund the unused budget of a response', () => {
    const { conduct } = watched()
    const mib = 1024 * 1024
    for (let at = 0; at < 4; at += 1) expect(conduct.allowsReply(`observer ${at}`, 'payload', 72 * mib)).toBe(true)
    expect(conduct.allowsReply('observer 4', 'payload', mib)).toBe(false)
    conduct.savedReply('observer 0', 'payload', mib)
    expect(conduct.allowsReply('observer 4', 'payload', mib)).toBe(true)
  })
})
