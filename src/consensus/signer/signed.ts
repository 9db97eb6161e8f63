/** Owns the record of the signatures of a consensus key at its greatest height: durable at the holder before a signature is sent (docs/decisions/0067). */
import { bytesN, enumOf, hash32, type Infer, struct, u32, varint } from '../../codec/index.js'
import { BLS_SIGNATURE_BYTES, type CertifiedHeader, certifiedHeader } from '../../model/index.js'
import { namedView, timeout, vote } from '../messages/vote.js'

/** Kinds of signatures at one height; the record has the latest of each kind. */
export const SIGNED_KINDS = 4

/** One recorded signature. */
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

/** Signatures of a key at its greatest height; the latest of each kind. */
export interface KeyRecord {
  /** Greatest signed height; 0 if there is none. No lower height is signed. */
  readonly height: number
  /** Highest signed view at this height. */
  readonly view: number
  readonly proposed: RecordOf<'proposed'> | undefined
  readonly prepared: RecordOf<'prepared'> | undefined
  readonly locked: RecordOf<'locked'> | undefined
  readonly timedOut: RecordOf<'timedOut'> | undefined
  /** Highest prepare certificate that justified a signature. */
  readonly high: CertifiedHeader | undefined
}

/** Empty record of a key that signed nothing at a height or above. */
export const emptyRecord = (height: number): KeyRecord => ({
  height,
  view: 0,
  proposed: undefined,
  prepared: undefined,
  locked: undefined,
  timedOut: undefined,
  high: undefined,
})

/** View of a signature. */
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

/** Certificate that justified a signature. */
const certificateOf = (signed: SignedRecord): CertifiedHeader | undefined =>
  signed.kind === 'locked'
    ? signed.value.certified
    : signed.kind === 'timedOut'
      ? signed.value.timeout.highPrepare
      : undefined

/** Record with one more signature. Lower heights are dropped, so that a log can be replayed in any state of pruning. */
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

/** All signatures of a record. */
export function signedOf({ proposed, prepared, locked, timedOut }: KeyRecord): SignedRecord[] {
  return [
    ...(proposed === undefined ? [] : [{ kind: 'proposed', value: proposed } as const]),
    ...(prepared === undefined ? [] : [{ kind: 'prepared', value: prepared } as const]),
    ...(locked === undefined ? [] : [{ kind: 'locked', value: locked } as const]),
    ...(timedOut === undefined ? [] : [{ kind: 'timedOut', value: timedOut } as const]),
  ]
}
