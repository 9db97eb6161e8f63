/** Owns the records of the instructions of conferences, as they travel. */
import { bytes, hash32, type Infer, list, option, struct, u8, u32, u64, varint } from '../../../codec/index.js'
import { accountId, defineInstruction, domainId } from '../../../model/index.js'
import { CONFERENCE_INSTRUCTIONS as ID } from './ids.js'
import {
  ALLOW_LIST_MAX,
  admission,
  bandwidthClass,
  callDescription,
  callMetadata,
  callName,
  callTitle,
  conferenceId,
  conferenceProof,
  hpkeKey,
  notes,
  privacyMode,
  RING_MAX,
  relayHealth,
  relayManifest,
  roomPolicy,
  SIGNAL_MAX_BYTES,
  signalKind,
} from './records.js'

const keys = list(hash32, RING_MAX)

export interface CreateConference extends Infer<typeof createConference_> {}
const createConference_ = struct('CreateConference', {
  domain: domainId,
  name: callName,
  title: option(callTitle),
  description: option(callDescription),
  /** Without the host. */
  maxParticipants: option(u32),
  gasRatePerMinute: u64,
  metadata: callMetadata,
  scheduledStartMs: option(varint),
  /** The host, or nobody. */
  billingAccount: option(accountId),
  privacyMode,
  roomPolicy,
  /** Of private calls; absent: listed. */
  admission: option(admission),
  admissionKeys: keys,
  relayManifest: option(relayManifest),
})
export const createConference = defineInstruction<CreateConference>(
  ID.createConference,
  'createConference',
  'conference::create',
  createConference_,
)

export interface JoinConference extends Infer<typeof joinConference_> {}
const joinConference_ = struct('JoinConference', {
  call: conferenceId,
  /** Of transparent calls; absent: the authority. */
  participant: option(accountId),
  commitment: option(hash32),
  nullifier: option(hash32),
  session: option(u8),
  /** One of the last 64 of the call. */
  rosterRoot: option(hash32),
  /** That of the call now. */
  admissionRoot: option(hash32),
  proof: option(conferenceProof),
})
export const joinConference = defineInstruction<JoinConference>(
  ID.joinConference,
  'joinConference',
  'conference::join',
  joinConference_,
)

export interface LeaveConference extends Infer<typeof leaveConference_> {}
const leaveConference_ = struct('LeaveConference', {
  call: conferenceId,
  participant: option(accountId),
  commitment: option(hash32),
  nullifier: option(hash32),
  rosterRoot: option(hash32),
  proof: option(conferenceProof),
})
export const leaveConference = defineInstruction<LeaveConference>(
  ID.leaveConference,
  'leaveConference',
  'conference::leave',
  leaveConference_,
)

export interface RecordConferenceUsage extends Infer<typeof recordConferenceUsage_> {}
const recordConferenceUsage_ = struct('RecordConferenceUsage', {
  call: conferenceId,
  durationMs: u64,
  billedGas: u64,
  usageCommitment: option(hash32),
  proof: option(conferenceProof),
})
export const recordConferenceUsage = defineInstruction<RecordConferenceUsage>(
  ID.recordConferenceUsage,
  'recordConferenceUsage',
  'conference::record_usage',
  recordConferenceUsage_,
)

export interface EndConference extends Infer<typeof endConference_> {}
const endConference_ = struct('EndConference', { call: conferenceId, endedAtMs: option(varint) })
export const endConference = defineInstruction<EndConference>(
  ID.endConference,
  'endConference',
  'conference::end',
  endConference_,
)

export interface SetConferenceRelayManifest extends Infer<typeof setManifest_> {}
const setManifest_ = struct('SetConferenceRelayManifest', {
  call: conferenceId,
  /** Absent: the call has none any more. */
  relayManifest: option(relayManifest),
})
export const setConferenceRelayManifest = defineInstruction<SetConferenceRelayManifest>(
  ID.setConferenceRelayManifest,
  'setConferenceRelayManifest',
  'conference::set_relay_manifest',
  setManifest_,
)

export interface RegisterConferenceRelay extends Infer<typeof registerRelay_> {}
const registerRelay_ = struct('RegisterConferenceRelay', {
  relayId: accountId,
  domain: domainId,
  hpkePublicKey: hpkeKey,
  bandwidthClass,
})
export const registerConferenceRelay = defineInstruction<RegisterConferenceRelay>(
  ID.registerConferenceRelay,
  'registerConferenceRelay',
  'conference_relay::register',
  registerRelay_,
)

export interface SetConferenceRelayAllowList extends Infer<typeof setAllowList_> {}
const setAllowList_ = struct('SetConferenceRelayAllowList', {
  domain: domainId,
  /** Absent: every registered relay may be used. */
  relays: option(list(accountId, ALLOW_LIST_MAX)),
})
export const setConferenceRelayAllowList = defineInstruction<SetConferenceRelayAllowList>(
  ID.setConferenceRelayAllowList,
  'setConferenceRelayAllowList',
  'conference_relay::set_allow_list',
  setAllowList_,
)

export interface ReportConferenceRelayHealth extends Infer<typeof reportHealth_> {}
const reportHealth_ = struct('ReportConferenceRelayHealth', {
  call: conferenceId,
  relayId: accountId,
  status: relayHealth,
  reportedAtMs: varint,
  notes: option(notes),
})
export const reportConferenceRelayHealth = defineInstruction<ReportConferenceRelayHealth>(
  ID.reportConferenceRelayHealth,
  'reportConferenceRelayHealth',
  'conference_relay::report_health',
  reportHealth_,
)

export interface AdmitConferenceMembers extends Infer<typeof admit_> {}
const admit_ = struct('AdmitConferenceMembers', { call: conferenceId, keys })
export const admitConferenceMembers = defineInstruction<AdmitConferenceMembers>(
  ID.admitConferenceMembers,
  'admitConferenceMembers',
  'conference::admit',
  admit_,
)

export interface PostConferenceSignal extends Infer<typeof postSignal_> {}
const postSignal_ = struct('PostConferenceSignal', {
  call: conferenceId,
  kind: signalKind,
  /** Public: encrypt what is not. */
  body: bytes(SIGNAL_MAX_BYTES),
  /** Of the member of a private call. */
  commitment: option(hash32),
  proof: option(conferenceProof),
})
export const postConferenceSignal = defineInstruction<PostConferenceSignal>(
  ID.postConferenceSignal,
  'postConferenceSignal',
  'conference::post_signal',
  postSignal_,
)
