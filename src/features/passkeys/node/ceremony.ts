/**
 * Owns the two ceremonies of WebAuthn: the options for browsers, and the verification of their responses (WebAuthn
 * level 3, section 7).
 */
import { createRequire } from 'node:module'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { Json } from '../../../codec/index.js'
import type { PasskeyConfig } from './config.js'
import { CHALLENGE_MS } from './limits.js'

/** COSE numbers of the supported algorithms: EdDSA and ES256. */
const ALGORITHMS = [-8, -7]
const NAME = 'Causeway'
const USER_ID_BYTES = 32

/** New credential of an authenticator. */
export interface Made {
  readonly credential: Uint8Array
  readonly publicKey: Uint8Array
  readonly counter: number
}

/** Stored properties of a credential. */
export interface KnownCredential extends Made {}

/**
 * Loads the library. It is not `import()`, which after a failure, for example without a free file descriptor, fails for
 * the rest of the process.
 */
const load = createRequire(import.meta.url)
/** Library, loaded with the first request because it takes about three megabytes. */
const library = () => load('@simplewebauthn/server') as typeof import('@simplewebauthn/server')
const helpers = () => load('@simplewebauthn/server/helpers') as typeof import('@simplewebauthn/server/helpers')

/** Options for creating a passkey. */
export async function creationOptions(
  { rpId }: PasskeyConfig,
  label: string,
  challenge: Uint8Array<ArrayBuffer>,
): Promise<Json> {
  const { generateRegistrationOptions } = library()
  const options = await generateRegistrationOptions({
    rpName: NAME,
    rpID: rpId,
    userName: label,
    userDisplayName: label,
    // Each passkey has its own user: with a shared one, a new passkey would replace the earlier one.
    userID: crypto.getRandomValues(new Uint8Array(USER_ID_BYTES)),
    challenge,
    timeout: CHALLENGE_MS,
    attestationType: 'none',
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
  })
  return jsonOf(options)
}

/** Options for a login with any passkey of this node. */
export async function requestOptions({ rpId }: PasskeyConfig, challenge: Uint8Array<ArrayBuffer>): Promise<Json> {
  const { generateAuthenticationOptions } = library()
  return jsonOf(
    await generateAuthenticationOptions({ rpID: rpId, challenge, timeout: CHALLENGE_MS, userVerification: 'required' }),
  )
}

/** Credential of a registration; undefined if the response does not match the request. */
export async function madeBy(
  { rpId, origins }: PasskeyConfig,
  response: Json,
  isChallenge: (text: string) => boolean,
): Promise<Made | undefined> {
  const { verifyRegistrationResponse } = library()
  // Before the response is validated: a failed load is not the client's fault.
  const decoding = helpers()
  try {
    if (!isUncertified(response, decoding)) return undefined
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: copyOf<RegistrationResponseJSON>(response),
      expectedChallenge: isChallenge,
      expectedOrigin: [...origins],
      expectedRPID: rpId,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    })
    if (!verified) return undefined
    const { id, publicKey, counter } = registrationInfo.credential
    return { credential: Buffer.from(id, 'base64url'), publicKey, counter }
  } catch {
    // Untrusted input: the library throws for any fault in it.
    return undefined
  }
}

/** Next counter of a credential; undefined if the response does not match the request. */
export async function counterOf(
  { rpId, origins }: PasskeyConfig,
  response: Json,
  { credential, publicKey, counter }: KnownCredential,
  isChallenge: (text: string) => boolean,
): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = library()
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: copyOf<AuthenticationResponseJSON>(response),
      expectedChallenge: isChallenge,
      expectedOrigin: [...origins],
      expectedRPID: rpId,
      requireUserVerification: true,
      credential: {
        id: Buffer.from(credential).toString('base64url'),
        publicKey: new Uint8Array(publicKey),
        counter,
      },
    })
    return verified ? authenticationInfo.newCounter : undefined
  } catch {
    return undefined
  }
}

/**
 * True for an attestation without certificates: none, or the credential's own signature. Certificate chains would be
 * fetched from URLs that the client controls.
 */
function isUncertified(response: Json, { decodeAttestationObject, isoBase64URL }: ReturnType<typeof helpers>): boolean {
  const { response: inner } = response as { response?: { attestationObject?: unknown } }
  if (typeof inner?.attestationObject !== 'string') return false
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(inner.attestationObject))
  const format = attestation.get('fmt')
  return format === 'none' || (format === 'packed' && attestation.get('attStmt').get('x5c') === undefined)
}

/** JSON form: without undefined fields. */
const jsonOf = (value: object): Json => JSON.parse(JSON.stringify(value)) as Json

/** Untrusted response, typed for the library, which validates it. */
const copyOf = <T>(value: Json): T => JSON.parse(JSON.stringify(value)) as T
