/** Owns the records of passkeys as operators and pages see them. */
import { type Infer, json, list, option, refine, string, struct, varint } from '../../../codec/index.js'
import { accountId } from '../../../model/index.js'

/** Passkeys of a node: operators are few. */
export const PASSKEYS_MAX = 32
/** Longest name of a passkey, in bytes. */
export const LABEL_MAX_BYTES = 64
/** Longest ticket, in bytes: 32 random bytes in base64url. */
const TICKET_MAX_BYTES = 64
/** Longest URL of a page, in bytes. */
const URL_MAX_BYTES = 2_048
/** What a browser answers for an authenticator, in bytes of JSON: an attestation of none is below 2 KiB. */
export const RESPONSE_MAX_BYTES = 16 * 1024
/** What a browser is asked with, in bytes of JSON. */
const OPTIONS_MAX_BYTES = 4_096
/** Levels of either. */
const LEVELS_MAX = 6

const ID_DIGITS = 32
export const passkeyId = refine(
  string(ID_DIGITS),
  'PasskeyId',
  (id) => (/^[0-9a-f]{32}$/.test(id) ? undefined : 'the id of a passkey is 32 hex digits'),
  { pattern: `^[0-9a-f]{${ID_DIGITS}}$` },
)

export const passkeyLabel = refine(
  string(LABEL_MAX_BYTES),
  'PasskeyLabel',
  (label) => (label === '' ? 'a passkey has a name' : undefined),
  { minLength: 1 },
)

/** A passkey: it acts as the operator key that its ticket was signed with. */
export interface PasskeyView extends Infer<typeof passkeyView> {}
export const passkeyView = struct('Passkey', {
  id: passkeyId,
  label: string(LABEL_MAX_BYTES),
  account: accountId,
  createdAtMs: varint,
  lastUsedAtMs: option(varint),
})
export const passkeyList = struct('PasskeyList', { items: list(passkeyView, PASSKEYS_MAX) })

export const passkeyTicketRequest = struct('PasskeyTicketRequest', { label: passkeyLabel })
export const passkeyTicket = struct('PasskeyTicket', {
  /** Shown this once. */
  ticket: string(TICKET_MAX_BYTES),
  /** Page that makes the passkey. */
  url: string(URL_MAX_BYTES),
  expiresAtMs: varint,
})

export const passkeyTicketUse = struct('PasskeyTicketUse', { ticket: string(TICKET_MAX_BYTES) })
/** For `navigator.credentials`, as `parseCreationOptionsFromJSON` and `parseRequestOptionsFromJSON` read it. */
export const passkeyOptions = struct('PasskeyOptions', { options: json(OPTIONS_MAX_BYTES, LEVELS_MAX) })

/** `response`: the credential's `toJSON()` (WebAuthn level 3, section 5.1.8). */
const response = json(RESPONSE_MAX_BYTES, LEVELS_MAX)
export const passkeyRegistration = struct('PasskeyRegistration', { ticket: string(TICKET_MAX_BYTES), response })
export const passkeyLogin = struct('PasskeyLogin', { response })
