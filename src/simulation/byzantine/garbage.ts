/**
 * Owns members that send invalid data: wrong state roots, garbage payloads, bad signatures, bad certificates, wrong
 * lanes.
 */

import type { ConsensusMessage } from '../../consensus/index.js'
import { hash } from '../../crypto/index.js'
import type { Behaviour, Insider } from './behaviour.js'

/** Propose blocks with a state root that does not match their body. */
export const wrongRoot = (): Behaviour => ({
  build: (_me, block) => ({ ...block, header: { ...block.header, stateRoot: hash('sim-wrong-root') } }),
})

const junk = (me: Insider, length: number): Buffer => Buffer.alloc(length, me.random.below(256))

function spoiled(me: Insider, message: ConsensusMessage): ConsensusMessage {
  switch (message.kind) {
    case 'payloadResponse': {
      const { body } = message.value
      return { kind: 'payloadResponse', value: { ...message.value, body: body && junk(me, body.length) } }
    }
    case 'syncResponse': {
      const blocks = message.value.blocks.map((block) => ({ ...block, body: junk(me, block.body.length) }))
      return { kind: 'syncResponse', value: { blocks } }
    }
    default:
      return message
  }
}

/** Respond to requests for payloads and blocks with garbage of the right length. */
export const garbageAnswers = (): Behaviour => ({ outgoing: (me, _to, message) => [spoiled(me, message)] })

/** Propose a valid header with a body that does not match it, to every other receiver. */
export const garbagePayloads = (): Behaviour => ({
  outgoing: (me, to, message) => {
    if (message.kind !== 'proposal' || message.value.body === undefined) return [message]
    if (me.context.committee.keys.indexOf(to) % 2 === 0) return [message]
    return [{ kind: 'proposal', value: { ...message.value, body: junk(me, message.value.body.length) } }]
  },
})

/** Send invalid signatures: votes, timeouts and certificates fail their check. */
export const badSignatures = (): Behaviour => ({
  outgoing: (me, _to, message) => {
    switch (message.kind) {
      case 'vote':
        return [{ kind: 'vote', value: { ...message.value, signature: junk(me, 96) } }]
      case 'timeout':
        return me.random.chance(0.5)
          ? [{ kind: 'timeout', value: { ...message.value, signature: junk(me, 96) } }]
          : [message]
      case 'certificate': {
        const certificate = { ...message.value.certificate, aggregate: junk(me, 96) }
        return [{ kind: 'certificate', value: { ...message.value, certificate } }]
      }
      default:
        return [message]
    }
  },
})

/** Propose the correct transactions in another order; everything else in the block matches that order. */
export const wrongTurns = (): Behaviour => ({
  build: (me, block) => me.rearranged(block, (entries) => entries.toReversed()),
})

/** Put a transaction into a wrong lane. */
export const wrongLane = (): Behaviour => ({
  build: (me, block) =>
    me.rearranged(block, ([first, ...rest]) =>
      first === undefined ? [] : [{ ...first, lane: (first.lane + 1) % 3 }, ...rest],
    ),
})
