/**
 * Owns members that attack the rules of hardening: forged parent certificates, oversized payloads, certificates with
 * the right subject and a garbage aggregate, endless messages, votes in an idle height (docs/design/hardening.md 2, 3
 * and 6).
 */
import { type ConsensusMessage, proposalSignBytes, type RbcInit, voteSignBytes } from '../../consensus/index.js'
import { BODY_MAX_BYTES, hashOfHeader, type QuorumCertificate } from '../../model/index.js'
import type { Behaviour, Insider } from './behaviour.js'
import { domainOfInsider } from './equivocate.js'

const junk = (me: Insider): Buffer => Buffer.alloc(96, me.random.below(256))

/** Parent certificate that no committee signed, or with a wrong subject. */
function forgedParent(me: Insider, own: QuorumCertificate): QuorumCertificate {
  switch (me.random.below(5)) {
    case 0:
      // Failures of all members would be in the state without any view change.
      return { ...own, view: own.view + 3, aggregate: junk(me) }
    case 1:
      return { ...own, aggregate: junk(me) }
    case 2:
      return { ...own, phase: 'prepare' }
    case 3:
      return { ...own, bitmap: Buffer.alloc(own.bitmap.length), aggregate: junk(me) }
    default:
      return { ...own, blockHash: Buffer.alloc(32, 1), aggregate: junk(me) }
  }
}

/** Include a forged certificate of the parent in blocks that are otherwise valid. */
export const forgedParents = (): Behaviour => ({
  build: (me, block) => {
    const own = me.context.parentCertificate
    return own === undefined ? block : me.withParent(block, forgedParent(me, own))
  },
})

/** Announce and propose payloads above every size limit. */
export const oversizedPayloads = (): Behaviour => ({
  outgoing: (me, _to, message) => {
    if (message.kind === 'rbcInit') return [{ kind: 'rbcInit', value: oversized(message.value) }]
    if (message.kind !== 'proposal' || message.value.header.originView !== message.value.view) return [message]
    const { value } = message
    const digests = Array.from({ length: 2 }, () => Buffer.alloc(32))
    const header = { ...value.header, payloadBytes: BODY_MAX_BYTES + 1 }
    const signature = me.sign(proposalSignBytes(domainOfInsider(me), value.view, hashOfHeader(header)))
    const forgery = { ...value, header, body: undefined, compact: undefined, digests, signature }
    return me.random.chance(0.5)
      ? [{ kind: 'proposal', value: forgery }]
      : [{ kind: 'proposal', value: { ...value, body: undefined, compact: undefined, digests } }]
  },
})

const oversized = (init: RbcInit): RbcInit => ({
  ...init,
  payloadBytes: 256 * 1024 * 1024,
  digests: init.digests.slice(0, 1),
})

/** Send a garbage aggregate for every certificate that it could create, before the valid one exists. */
export const garbageCertificates = (): Behaviour => ({
  outgoing: (me, _to, message) => {
    if (message.kind === 'certificate') {
      const certificate = { ...message.value.certificate, aggregate: junk(me) }
      return [{ kind: 'certificate', value: { ...message.value, certificate } }]
    }
    if (message.kind !== 'vote' || message.value.phase !== 'commit') return [message]
    const prepared = me.certificates.get(message.value.view)
    if (prepared === undefined) return [message]
    const certificate = { ...prepared.certificate, phase: 'commit' as const, aggregate: junk(me) }
    const forgery: ConsensusMessage = { kind: 'certificate', value: { header: prepared.header, certificate } }
    return [forgery, message]
  },
})

/** Repeat every message many times. */
export const repetitions = (): Behaviour => ({
  outgoing: (me, _to, message) => Array.from({ length: 1 + me.random.below(6) }, () => message),
})

/** Number of copies of one Status, above the concurrent checks of a peer. */
const STATUS_COPIES = 40

/** Send many Statuses with unsigned certificates. */
export const garbageStatuses = (): Behaviour => ({
  outgoing: (me, _to, message) => {
    const [certified] = me.certificates.values()
    if (message.kind !== 'status' || certified === undefined) return [message]
    const highPrepare = { ...certified, certificate: { ...certified.certificate, aggregate: junk(me) } }
    const forgery: ConsensusMessage = { kind: 'status', value: { ...message.value, highPrepare } }
    return [message, ...Array.from({ length: STATUS_COPIES }, () => forgery)]
  },
})

/** Announce several false payloads before each real one. */
export const manyPayloads = (): Behaviour => ({
  outgoing: (me, _to, message) => {
    if (message.kind !== 'rbcInit') return [message]
    const forgeries = Array.from({ length: 8 }, (_, at): ConsensusMessage => {
      const payloadHash = Buffer.from(message.value.payloadHash)
      payloadHash[0] = (payloadHash[0] ?? 0) ^ (at + 1 + me.random.below(200))
      return { kind: 'rbcInit', value: { ...message.value, payloadHash } }
    })
    return [...forgeries, message]
  },
})

/** Report the first height, whatever was decided; an abstaining node must not accept it. */
export const lowHeights = (): Behaviour => ({
  outgoing: (_me, _to, message) =>
    message.kind === 'status'
      ? [{ kind: 'status', value: { height: 2, view: 0, commit: undefined, highPrepare: undefined, entry: undefined } }]
      : [message],
})

/** Vote with each Status at every height, idle or not. */
export const loneVotes = (): Behaviour => ({
  outgoing: (me, _to, message) => {
    const index = me.context.committee.indexOf.get(me.key)
    if (message.kind !== 'status' || index === undefined) return [message]
    const { height } = me.context
    const blockHash = Buffer.alloc(32, 1)
    const signature = me.sign(voteSignBytes(domainOfInsider(me), 'prepare', message.value.view, blockHash))
    const { view } = message.value
    return [message, { kind: 'vote', value: { phase: 'prepare', height, view, blockHash, index, signature } }]
  },
})
