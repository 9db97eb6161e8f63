/** Owns members that lie about certificates: stale ones in timeouts, forged timeout certificates with fresh or old blocks. */
import { namedView, type Proposal, proposalSignBytes, timeoutSignBytes } from '../../consensus/index.js'
import { type CertifiedHeader, hashOfHeader, type TimeoutCertificate } from '../../model/index.js'
import type { Behaviour, Insider } from './behaviour.js'
import { domainOfInsider } from './equivocate.js'

/** The lowest certificate of this height, or none: as little as it can admit to. */
function oldest(me: Insider, below: number): CertifiedHeader | undefined {
  for (let view = 0; view < below; view++) {
    const found = me.certificates.get(view)
    if (found !== undefined) return found
  }
  return undefined
}

function staleTimeout(
  me: Insider,
  message: Extract<Parameters<NonNullable<Behaviour['outgoing']>>[2], { kind: 'timeout' }>,
  named: CertifiedHeader | undefined,
) {
  const { view, reason } = message.value
  const signature = me.sign(timeoutSignBytes(domainOfInsider(me), view, namedView(named), reason))
  return { kind: 'timeout' as const, value: { ...message.value, highPrepare: named, signature } }
}

/** Names no certificate, or the oldest that it knows, in every timeout. */
export const staleTimeouts = (): Behaviour => ({
  outgoing: (me, _to, message) =>
    message.kind === 'timeout'
      ? [staleTimeout(me, message, me.context.height % 2 === 0 ? undefined : oldest(me, message.value.view))]
      : [message],
})

/** A timeout certificate stripped of its certificate, its groups as they were signed. */
const stripped = (certificate: TimeoutCertificate): TimeoutCertificate => ({ ...certificate, highPrepare: undefined })

function reproposed(me: Insider, proposal: Proposal, certificate: TimeoutCertificate): Proposal {
  const carried = certificate.highPrepare
  const block = carried === undefined ? me.freshBlock(proposal.view, 2) : undefined
  const header = carried?.header ?? block?.header ?? proposal.header
  return {
    ...proposal,
    header,
    body: block?.body,
    justification: { kind: 'timeout', value: certificate },
    signature: me.sign(proposalSignBytes(domainOfInsider(me), proposal.view, hashOfHeader(header))),
  }
}

/** Proposes a fresh block where a certificate binds it: the timeout certificate shown lacks it, or is shown as it is. */
export const missingCertificate = (): Behaviour => ({
  outgoing: (me, _to, message) => {
    if (message.kind === 'timeout') return [staleTimeout(me, message, undefined)]
    if (message.kind === 'timeoutCertificate') return [{ kind: 'timeoutCertificate', value: stripped(message.value) }]
    if (message.kind !== 'proposal' || message.value.justification.kind !== 'timeout') return [message]
    const { value } = message.value.justification
    if (value.highPrepare === undefined) return [message]
    if (me.context.height % 3 !== 0)
      return [{ kind: 'proposal', value: reproposed(me, message.value, stripped(value)) }]
    // The honest certificate with a block that it forbids.
    const { header, body } = me.freshBlock(message.value.view, 2)
    const signature = me.sign(proposalSignBytes(domainOfInsider(me), message.value.view, hashOfHeader(header)))
    return [{ kind: 'proposal', value: { ...message.value, header, body, signature } }]
  },
})

/** Shows a timeout certificate with an older prepare certificate than its signers named, and proposes that one's block. */
export const wrongMaximum = (): Behaviour => ({
  outgoing: (me, _to, message) => {
    // It hides what it alone collected, so that others certify another block later.
    if (message.kind === 'certificate' && message.value.certificate.phase === 'prepare') return []
    if (message.kind === 'status') return [{ kind: 'status', value: { ...message.value, highPrepare: undefined } }]
    if (message.kind === 'timeout') return [staleTimeout(me, message, undefined)]
    if (message.kind === 'timeoutCertificate' || message.kind === 'proposal') {
      const certificate =
        message.kind === 'timeoutCertificate'
          ? message.value
          : message.value.justification.kind === 'timeout'
            ? message.value.justification.value
            : undefined
      const older = certificate?.highPrepare && oldest(me, certificate.highPrepare.certificate.view)
      if (certificate === undefined || older === undefined) return [message]
      const forged = { ...certificate, highPrepare: older }
      if (message.kind === 'timeoutCertificate') return [{ kind: 'timeoutCertificate', value: forged }]
      return [{ kind: 'proposal', value: reproposed(me, message.value, forged) }]
    }
    return [message]
  },
})
