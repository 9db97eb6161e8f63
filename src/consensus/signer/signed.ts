/** Owns the record of what a consensus key signed at its greatest height: durable at its holder before a signature leaves (docs/decisions/0067). */
import { bytesN, enumOf, hash32, type Infer, struct, u32, varint } from '../../codec/index.js'
import { BLS_SIGNATURE_BYTES, type CertifiedHeader, certifiedHeader } from '../../model/index.js'
import { namedView, timeout, vote } from '../messages/vote.js'

/** Things that a key signs at one height: one of each kind, the latest. */
export const SIGNED_KINDS = 4

/** One thing that the key signed. */
export type SignedRecord = Infer<typeof signedRecord>
export const signedRecord = enumOf('SignedRecord', {
  proposed: [
    0,
    struct('SignedProposalRecord', {
      height: varint,
      view: u32,
      blockHash: hash32,
      signature: bytesN(BLS_SIGNATURE_BYTES),
    }),
  ],
  prepared: [1, struct('SignedPrepareRecord', { height: varint, vote })],
  locked: [2, struct('SignedCommitRecord', { height: varint, vote, certified: certifiedHeader })],
  timedOut: [3, struct('SignedTimeoutRecord', { height: varint, timeout })],
})
type RecordOf<K extends SignedRecord['kind']> = Extract<SignedRecord, { kind: K }>['value']

/** What a key signed at the greatest height that it signed at; the latest of each kind. */
export interface KeyRecord {
  /** 0: it signed nothing yet. Nothing below it is ever signed again. */
  readonly height: number
  /** Highest view that it signed in at this height. */
  readonly view: number
  readonly proposed: RecordOf<'proposed'> | undefined
  readonly prepared: RecordOf<'prepared'> | undefined
  readonly locked: RecordOf<'locked'> | undefined
  readonly timedOut: RecordOf<'timedOut'> | undefined
  /** Highest prepare certificate that it signed on. */
  readonly high: CertifiedHeader | undefined
}

/** The record of a key that signed nothing at a height and above it. */
export const emptyRecord = (height: number): KeyRecord => ({
  height,
  view: 0,
  proposed: undefined,
  prepared: undefined,
  locked: undefined,
  timedOut: undefined,
  high: undefined,
})

/** View that something was signed in. */
export function viewOfSigned(signed: SignedRecord): number {
  switch (signed.kind) {
    case 'proposed':
      return signed.value.view
    case 'prepared':
    case 'locked':
      return signed.value.vote.view
    case 'timedOut':
      return signed.value.timeout.view
  }
}

/** The certificate that something was signed on. */
const certificateOf = (signed: SignedRecord): CertifiedHeader | undefined =>
  signed.kind === 'locked'
    ? signed.value.certified
    : signed.kind === 'timedOut'
      ? signed.value.timeout.highPrepare
      : undefined

/** The record with one more thing signed. What stands below it is dropped, so that a log is replayed in any state of pruning. */
export function withSigned(record: KeyRecord, signed: SignedRecord): KeyRecord {
  const { height } = signed.value
  if (height < record.height) return record
  const base = height > record.height ? emptyRecord(height) : record
  const certified = certificateOf(signed)
  return {
    ...base,
    [signed.kind]: signed.value,
    view: Math.max(base.view, viewOfSigned(signed)),
    high: namedView(certified) > namedView(base.high) ? certified : base.high,
  }
}

/** Everything in a record that was signed. */
export function signedOf({ proposed, prepared, locked, timedOut }: KeyRecord): SignedRecord[] {
  return [
    ...(proposed === undefined ? [] : [{ kind: 'proposed', value: proposed } as const]),
    ...(prepared === undefined ? [] : [{ kind: 'prepared', value: prepared } as const]),
    ...(locked === undefined ? [] : [{ kind: 'locked', value: locked } as const]),
    ...(timedOut === undefined ? [] : [{ kind: 'timedOut', value: timedOut } as const]),
  ]
}
