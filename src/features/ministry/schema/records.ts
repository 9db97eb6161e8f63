/** Owns the records of the ministry: agendas, denied hashes, policies, bounds. */
import {
  bytesN,
  hash32,
  type Infer,
  list,
  option,
  type Schema,
  string,
  struct,
  text,
  unitEnum,
} from '../../../codec/index.js'
import { hash } from '../../../crypto/index.js'
import { name, range } from '../../../model/index.js'

export const MINISTRY_IDS = range(10)

/** Time for which an agenda waits for the council, in ms: 30 days. */
export const AGENDA_OPEN_MS = 30 * 86_400_000
/** Maximum open agendas of one account, and of all accounts together, because the council reads each of them. */
export const OPEN_PER_ACCOUNT_MAX = 2
export const OPEN_MAX = 64
/** Maximum hashes on the deny list: a gateway may keep all of them in memory. */
export const DENIED_MAX = 65_536
/** Maximum size of an agenda, in canonical bytes; an agenda is one row. */
export const AGENDA_MAX_BYTES = 8 * 1024
/** Maximum targets and pieces of evidence of an agenda. */
export const TARGETS_MAX = 32
const EVIDENCE_MAX = 8
const TAGS_MAX = 8
/** Maximum length of an agenda id, in bytes: `AC-`, a year, a hyphen and a number of 32 bits. */
const AGENDA_ID_MAX_BYTES = 18
/** Maximum length of the texts of an agenda, in bytes. */
const LANGUAGE_MAX_BYTES = 35
const TITLE_MAX_BYTES = 256
const MOTIVATION_MAX_BYTES = 4 * 1024
const IMPACT_MAX_BYTES = 2 * 1024
const TAG_MAX_BYTES = 32
const LABEL_MAX_BYTES = 128
const REASON_MAX_BYTES = 256
const URI_MAX_BYTES = 256

const AGENDA_ID = /^AC-[1-9][0-9]{3}-[1-9][0-9]{0,9}$/
/** Agenda id: `AC-YEAR-NUMBER`. Numbering continues across years, so that ids are in order of submission. */
export const agendaId: Schema<string> = text(
  'AgendaId',
  AGENDA_ID_MAX_BYTES,
  (id) => (AGENDA_ID.test(id) ? undefined : 'the id of an agenda is written AC-YEAR-NUMBER, such as AC-2026-1'),
  AGENDA_ID.source,
)

export const agendaAction = unitEnum('AgendaAction', { addToDenylist: 0, removeFromDenylist: 1, amendPolicy: 2 })

/** `cid`: content by the SHA-256 digest in its content id; `sha256`: a single file or block by its SHA-256 digest. */
export const hashFamily = unitEnum('DeniedHashFamily', { cid: 0, sha256: 1 })

/** Hash of content, with the reason for its denial. */
export interface AgendaTarget extends Infer<typeof agendaTarget> {}
export const agendaTarget = struct('AgendaTarget', {
  label: string(LABEL_MAX_BYTES),
  family: hashFamily,
  hash: hash32,
  reason: string(REASON_MAX_BYTES),
})

const evidence_ = struct('AgendaEvidence', {
  kind: unitEnum('AgendaEvidenceKind', { url: 0, cid: 1, document: 2 }),
  uri: string(URI_MAX_BYTES),
  /** BLAKE3 digest of the content behind the URI. */
  blake3: option(bytesN(32)),
})

/** Content of an agenda; immutable after its submission. */
export interface AgendaContent extends Infer<typeof agendaContent> {}
export const agendaContent = struct('AgendaContent', {
  action: agendaAction,
  /** Language of the texts, as a BCP 47 tag. */
  language: string(LANGUAGE_MAX_BYTES),
  title: string(TITLE_MAX_BYTES),
  motivation: string(MOTIVATION_MAX_BYTES),
  impact: string(IMPACT_MAX_BYTES),
  tags: list(string(TAG_MAX_BYTES), TAGS_MAX),
  /** Hashes to deny or to allow again; empty for a policy. */
  targets: list(agendaTarget, TARGETS_MAX),
  evidence: list(evidence_, EVIDENCE_MAX),
  /** BLAKE3 digest of the text of a policy; only for `amendPolicy`. */
  policy: option(struct('AgendaPolicy', { name, blake3: bytesN(32) })),
})

/** Digest of an agenda. Its application contains the digest, because ids are predictable and contents are not. */
export const agendaDigest = (id: string, content: AgendaContent): Buffer =>
  hash('ministry-agenda', Buffer.from(id), agendaContent.encode(content))

export const dismissalReason = string(REASON_MAX_BYTES)

/** Stored status of an agenda. */
export const agendaStanding = unitEnum('AgendaStanding', { open: 0, admitted: 1, dismissed: 2, applied: 3 })
