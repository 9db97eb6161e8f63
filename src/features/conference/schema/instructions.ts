/** Owns the records of the instructions of conferences. */
import { bytes, hash32, list, option, u8, u32, u64, varint } from '../../../codec/index.js'
import { accountId, defineInstructions, domainId, type InstructionOf } from '../../../model/index.js'
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

export const instructions = defineInstructions({
  createConference: {
    id: 500,
    label: 'conference::create',
    record: {
      domain: domainId,
      name: callName,
      title: option(callTitle),
      description: option(callDescription),
      /** Maximum participants without the host. */
      maxParticipants: option(u32),
      gasRatePerMinute: u64,
      metadata: callMetadata,
      scheduledStartMs: option(varint),
      /** Billing account: the host, or absent. */
      billingAccount: option(accountId),
      privacyMode,
      roomPolicy,
      /** For private calls; absent: listed. */
      admission: option(admission),
      admissionKeys: keys,
      relayManifest: option(relayManifest),
    },
  },
  joinConference: {
    id: 501,
    label: 'conference::join',
    record: {
      call: conferenceId,
      /** For transparent calls; absent: the authority. */
      participant: option(accountId),
      commitment: option(hash32),
      nullifier: option(hash32),
      session: option(u8),
      /** One of the last 64 roots of the call. */
      rosterRoot: option(hash32),
      /** Current root of the call. */
      admissionRoot: option(hash32),
      proof: option(conferenceProof),
    },
  },
  leaveConference: {
    id: 502,
    label: 'conference::leave',
    record: {
      call: conferenceId,
      participant: option(accountId),
      commitment: option(hash32),
      nullifier: option(hash32),
      rosterRoot: option(hash32),
      proof: option(conferenceProof),
    },
  },
  recordConferenceUsage: {
    id: 503,
    label: 'conference::record_usage',
    record: {
      call: conferenceId,
      durationMs: u64,
      billedGas: u64,
      usageCommitment: option(hash32),
      proof: option(conferenceProof),
    },
  },
  endConference: { id: 504, label: 'conference::end', record: { call: conferenceId, endedAtMs: option(varint) } },
  setConferenceRelayManifest: {
    id: 505,
    label: 'conference::set_relay_manifest',
    record: {
      call: conferenceId,
      /** Absent: the manifest was removed. */
      relayManifest: option(relayManifest),
    },
  },
  registerConferenceRelay: {
    id: 506,
    label: 'conference_relay::register',
    record: {
      relayId: accountId,
      domain: domainId,
      hpkePublicKey: hpkeKey,
      bandwidthClass,
    },
  },
  setConferenceRelayAllowList: {
    id: 507,
    label: 'conference_relay::set_allow_list',
    record: {
      domain: domainId,
      /** Absent: every registered relay may be used. */
      relays: option(list(accountId, ALLOW_LIST_MAX)),
    },
  },
  reportConferenceRelayHealth: {
    id: 508,
    label: 'conference_relay::report_health',
    record: {
      call: conferenceId,
      relayId: accountId,
      status: relayHealth,
      reportedAtMs: varint,
      notes: option(notes),
    },
  },
  admitConferenceMembers: { id: 509, label: 'conference::admit', record: { call: conferenceId, keys } },
  postConferenceSignal: {
    id: 510,
    label: 'conference::post_signal',
    record: {
      call: conferenceId,
      kind: signalKind,
      /** Public; encrypt confidential content. */
      body: bytes(SIGNAL_MAX_BYTES),
      /** Commitment of the member of a private call. */
      commitment: option(hash32),
      proof: option(conferenceProof),
    },
  },
})

export interface CreateConference extends InstructionOf<typeof instructions.createConference> {}
export interface JoinConference extends InstructionOf<typeof instructions.joinConference> {}
export interface LeaveConference extends InstructionOf<typeof instructions.leaveConference> {}
export interface RecordConferenceUsage extends InstructionOf<typeof instructions.recordConferenceUsage> {}
export interface PostConferenceSignal extends InstructionOf<typeof instructions.postConferenceSignal> {}
