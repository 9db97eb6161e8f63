/**
 * Owns the session of an operator in this tab: opened with a passkey, with a token in memory that is lost with the tab.
 */
import type { OperatorSession } from '../../api/operator-routes.js'
import type { PasskeyView } from '../../features/passkeys/schema.js'
import type { JsonOf } from '../json.js'
import { access, post } from './api.js'

/** Reason why passkeys cannot be used here; undefined if they can. */
export function passkeyFault(): string | undefined {
  if (!window.isSecureContext) {
    return 'Browsers allow passkeys over https or at localhost: open this page by the name of the node, not by its address.'
  }
  return window.PublicKeyCredential?.parseRequestOptionsFromJSON === undefined
    ? 'This browser does not support passkeys sufficiently: use a newer one.'
    : undefined
}

/** Credential chosen by the user. Throws an error with a text for the page if there is none. */
async function given(asked: Promise<Credential | null>): Promise<unknown> {
  const credential = await asked.catch(() => null)
  if (credential === null)
    throw new Error('The browser returned no passkey: it was cancelled, or none exists for this node.')
  return (credential as PublicKeyCredential).toJSON()
}

/** Create the passkey of a ticket. */
export async function makePasskey(ticket: string): Promise<JsonOf<PasskeyView>> {
  const { options } = await post<{ options: PublicKeyCredentialCreationOptionsJSON }>(
    '/v1/operator/auth/registration/options',
    { ticket },
  )
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
  const response = await given(navigator.credentials.create({ publicKey }))
  return post<JsonOf<PasskeyView>>('/v1/operator/auth/registration/verify', { ticket, response })
}

/** Open a session with a passkey. */
export async function logIn(): Promise<void> {
  const { options } = await post<{ options: PublicKeyCredentialRequestOptionsJSON }>('/v1/operator/auth/login/options')
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  const response = await given(navigator.credentials.get({ publicKey }))
  const session = await post<JsonOf<OperatorSession>>('/v1/operator/auth/login/verify', { response })
  access.change({ session: session.token, until: session.expires_at_ms })
}

/** End the session. It ends locally even if the request fails. */
export async function logOut(): Promise<void> {
  try {
    await post('/v1/operator/auth/end')
  } finally {
    access.change({ session: undefined, until: undefined })
  }
}
