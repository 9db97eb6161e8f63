/** Owns equivocating members, which send two blocks, two votes or two timeouts to different halves. */
import { proposalSignBytes, type SignDomain, timeoutSignBytes, voteSignBytes } from '../../consensus/index.js'
import { hashOfHeader, type ValidatorKey } from '../../model/index.js'
import type { Behaviour, Insider } from './behaviour.js'

export const domainOfInsider = (me: Insider): SignDomain => ({
  chainHash: me.context.chainHash,
  committeeHash: me.context.committee.hash,
  epoch: me.context.epoch,
  height: me.context.height,
})

/** True for the half of the committee that receives the second version; it changes with height and view. */
function inOtherHalf(me: Insider, to: ValidatorKey, view: number): boolean {
  const place = me.context.committee.keys.indexOf(to)
  return ((place >> (view & 1)) & 1) === (me.context.height & 1)
}

/** Propose two new blocks to two halves and vote for both. */
export const equivocatingProposer = (): Behaviour => ({
  outgoing: (me, to, message) => {
    if (message.kind === 'proposal' && message.value.header.originView === message.value.view) {
      if (!inOtherHalf(me, to, message.value.view)) return [message]
      const { header, body } = me.freshBlock(message.value.view, 1)
      const signature = me.sign(proposalSignBytes(domainOfInsider(me), message.value.view, hashOfHeader(header)))
      const forgery = { ...message.value, header, body, compact: undefined, digests: [], signature }
      return [{ kind: 'proposal', value: forgery }]
    }
    if (message.kind === 'vote') {
      const { view, phase } = message.value
      if (me.context.order[view % me.context.order.length] !== me.key || !inOtherHalf(me, to, view)) return [message]
      const blockHash = hashOfHeader(me.freshBlock(view, 1).header)
      const signature = me.sign(voteSignBytes(domainOfInsider(me), phase, view, blockHash))
      return [{ kind: 'vote', value: { ...message.value, blockHash, signature } }]
    }
    return [message]
  },
})

/** Send different timeouts to the other members: with a certificate, without one, with another reason. */
export const doubleTimeouts = (): Behaviour => ({
  outgoing: (me, to, message) => {
    if (message.kind !== 'timeout' || !inOtherHalf(me, to, message.value.view)) return [message]
    const signature = me.sign(timeoutSignBytes(domainOfInsider(me), message.value.view, 0, 'commitStall'))
    return [{ kind: 'timeout', value: { ...message.value, highPrepare: undefined, reason: 'commitStall', signature } }]
  },
})
