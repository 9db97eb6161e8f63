/**
 * Owns members that falsify certificates: stale ones in timeouts, forged timeout certificates with fresh or old blocks.
 */
import { BoundedMap } from '../../base/bounded.js'
import {
  type ConsensusMessage,
  namedView,
  type Proposal,
  proposalSignBytes,
  type Timeout,
  timeoutSignBytes,
  type Vote,
  voteSignBytes,
} from '../../consensus/index.js'
import { type CertifiedHeader, hashOfHeader, type TimeoutCertificate } from '../../model/index.js'
import type { Behaviour, Insider } from './behaviour.js'
import { domainOfInsider } from './equivocate.js'

/** Lowest known certificate of this height, or undefined. */
function oldest(me: Insider, below: number): CertifiedHeader | undefined {
  for (let view = 0; view < below; view++) {
    const found = me.certificates.get(view)
    if (found !== undefined) return found
  }
  return undefined
}

function staleTimeout(me: Insider, timeout: Timeout, named: CertifiedHeader | undefined): ConsensusMessage {
  const signature = me.sign(timeoutSignBytes(domainOfInsider(me), timeout.view, namedView(named), timeout.reason))
  return { kind: 'timeout', value: { ...timeout, highPrepare: named, signature } }
}

/** Include no certificate, or the oldest known one, in every timeout. */
export const staleTimeouts = (): Behaviour => ({
  outgoing: (me, _to, message) =>
    message.kind === 'timeout'
      ? [staleTimeout(me, message.value, me.context.height % 2 === 0 ? undefined : oldest(me, message.value.view))]
      : [message],
})

/** A timeout certificate without its prepare certificate; its groups remain as signed. */
const stripped = (certificate: TimeoutCertificate): TimeoutCertificate => ({ ...certificate, highPrepare: undefined })

function reproposed(me: Insider, proposal: Proposal, certificate: TimeoutCertificate): Proposal {
  const carried = certificate.highPrepare
  const block = carried === undefined ? me.freshBlock(proposal.view, 2) : undefined
  const header = carried?.header ?? block?.header ?? proposal.header
  return {
    ...proposal,
    header,
    body: block?.body,
    compact: undefined,
    digests: [],
    justification: { kind: 'timeout', value: certificate },
    signature: me.sign(proposalSignBytes(domainOfInsider(me), proposal.view, hashOfHeader(header))),
  }
}

/** Forged proposals of a member, so that its votes in these views are for the forged block. */
class Forgeries {
  private readonly blocks = new BoundedMap<string, Uint8Array>(FORGERIES_MAX)

  propose(proposal: Proposal): readonly ConsensusMessage[] {
    this.blocks.set(`${proposal.height}:${proposal.view}`, hashOfHeader(proposal.header))
    return [{ kind: 'proposal', value: proposal }]
  }

  vote(me: Insider, vote: Vote): readonly ConsensusMessage[] {
    const blockHash = this.blocks.get(`${vote.height}:${vote.view}`)
    if (blockHash === undefined || vote.height !== me.context.height) return [{ kind: 'vote', value: vote }]
    const signature = me.sign(voteSignBytes(domainOfInsider(me), vote.phase, vote.view, blockHash))
    return [{ kind: 'vote', value: { ...vote, blockHash, signature } }]
  }
}

/** Maximum stored forged proposals: more than a member has views before the network heals. */
const FORGERIES_MAX = 64

/** Propose a new block although a certificate binds the member; the timeout certificate omits it, or is unchanged. */
export const missingCertificate = (): Behaviour => {
  const forgeries = new Forgeries()
  return {
    outgoing: (me, _to, message) => {
      switch (message.kind) {
        case 'timeout':
          return [staleTimeout(me, message.value, undefined)]
        case 'timeoutCertificate':
          return [{ kind: 'timeoutCertificate', value: stripped(message.value) }]
        case 'vote':
          return forgeries.vote(me, message.value)
        case 'proposal': {
          const { justification, view } = message.value
          if (justification.kind !== 'timeout' || justification.value.highPrepare === undefined) return [message]
          const { value } = justification
          const forgery = reproposed(me, message.value, stripped(value))
          // In half of the cases it sends the honest certificate with the block that it forbids.
          if (((me.context.committee.hash[0] ?? 0) + view) % 2 === 0) {
            return forgeries.propose(forgery)
          }
          return forgeries.propose({ ...forgery, justification })
        }
        default:
          return [message]
      }
    },
  }
}

/**
 * Send a timeout certificate with an older prepare certificate than its signers signed, and propose the block of that
 * certificate.
 */
export const wrongMaximum = (): Behaviour => {
  const forgeries = new Forgeries()
  const forged = (me: Insider, certificate: TimeoutCertificate): TimeoutCertificate | undefined => {
    const older = certificate.highPrepare && oldest(me, certificate.highPrepare.certificate.view)
    return older === undefined ? undefined : { ...certificate, highPrepare: older }
  }
  return {
    outgoing: (me, _to, message) => {
      switch (message.kind) {
        case 'certificate':
          // It hides certificates that it alone collected, so that others certify another block later.
          return message.value.certificate.phase === 'prepare' ? [] : [message]
        case 'status':
          return [{ kind: 'status', value: { ...message.value, highPrepare: undefined } }]
        case 'timeout':
          return [staleTimeout(me, message.value, undefined)]
        case 'timeoutCertificate':
          return [{ kind: 'timeoutCertificate', value: forged(me, message.value) ?? message.value }]
        case 'vote':
          return forgeries.vote(me, message.value)
        case 'proposal': {
          const { justification } = message.value
          const forgery = justification.kind === 'timeout' ? forged(me, justification.value) : undefined
          return forgery === undefined ? [message] : forgeries.propose(reproposed(me, message.value, forgery))
        }
        default:
          return [message]
      }
    },
  }
}
