/**
 * Owns the common shape of drafts: instructions for the caller to sign, and the whole transaction if its authority is
 * given (docs/reference/drafts.md).
 */
import { bytes, hash32, type Infer, list, omissible, option, string, struct, u32, varint } from '../../codec/index.js'
import { anyInstruction, INSTRUCTIONS_MAX, TRANSACTION_MAX_BYTES, transactionPayload } from '../../model/index.js'
import { accountText } from '../query-inputs.js'
import { ADMISSION_ERRORS } from '../route-errors.js'
import { dryRun } from './dry-run.js'

/** Common parameter of drafts: the signing authority. */
const draftParameters = struct('DraftParameters', { authority: option(accountText) })

/** Common settings of draft rows. */
export const draftRow = {
  format: 'json',
  drafts: true,
  query: draftParameters,
  accounts: { authority: 'id' },
  // The draft of an authority is tried at the head, and rejected like its transaction.
  errors: [...ADMISSION_ERRORS, 'not_found'],
  about: {
    authority:
      'Authority of the transaction: its address or its alias. The response then contains the whole transaction, tried on the last block.',
  },
} as const

/** Instruction in canonical bytes. */
const drafted_ = struct('DraftedInstruction', { wireId: varint, payloadHex: string(2 * TRANSACTION_MAX_BYTES) })

/** Fields of every draft. A draft has no effect until its instructions are signed and committed. */
export const draftFields = {
  instructions: list(anyInstruction, INSTRUCTIONS_MAX),
  /** Instructions with their numbers, as hexadecimal of their bytes. */
  txInstructions: list(drafted_, INSTRUCTIONS_MAX),
  /** Declared units of the instructions, without the units of the record, its signatures and the rows. */
  teu: varint,
  /** Transaction; this and the following fields are absent without an authority. */
  payload: omissible(transactionPayload),
  /** Canonical bytes of the payload. */
  bytes: omissible(bytes(TRANSACTION_MAX_BYTES)),
  /** Transaction id, which is signed: a signer must compute it from the payload that it read. */
  hash: omissible(hash32),
  lane: omissible(u32),
  /** Effect of the transaction at the head of this node. */
  dryRun: omissible(dryRun),
}

/** Draft without additional fields. */
export interface Draft extends Infer<typeof draft> {}
export const draft = struct('Draft', draftFields)
