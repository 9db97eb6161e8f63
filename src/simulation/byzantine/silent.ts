/** Owns members that omit proposals, votes or certificates. */
import type { Behaviour } from './behaviour.js'

/** Never propose. */
export const silentProposer = (): Behaviour => ({
  outgoing: (_me, _to, message) => (message.kind === 'proposal' ? [] : [message]),
})

/** Send votes to some members, or to none. */
export const withheldVotes = (): Behaviour => ({
  outgoing: (me, _to, message) => (message.kind === 'vote' && me.random.chance(0.7) ? [] : [message]),
})

/** Never send certificates. */
export const hiddenCertificates = (): Behaviour => ({
  outgoing: (_me, _to, message) => {
    if (message.kind === 'certificate' || message.kind === 'timeoutCertificate') return []
    if (message.kind !== 'status') return [message]
    return [
      { kind: 'status', value: { ...message.value, commit: undefined, highPrepare: undefined, entry: undefined } },
    ]
  },
})
