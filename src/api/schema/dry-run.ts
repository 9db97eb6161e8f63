/** Owns the record of `POST /v1/transactions/dry-run`: what a transaction would do at the head of a node. */
import {
  hash32,
  list,
  option,
  type Schema,
  string,
  struct,
  u32,
  unitEnum,
  varint,
  varintBig,
} from '../../codec/index.js'
import { type DataEvent, dataEvent } from '../../model/index.js'

/** Events of one transaction; its metered cost bounds them long before. */
const EVENTS_MAX = 1_000_000

/** What the next block would make of a transaction if it stood there alone. */
export interface DryRun {
  /** Transaction id. */
  readonly hash: Uint8Array
  /** Height of the block that it was tried in: the head and one. */
  readonly height: number
  /** Header time of that block, in ms since the Unix epoch. */
  readonly timeMs: number
  readonly lane: number
  readonly dataspace: bigint
  readonly outcome: 'approved' | 'rejected'
  /** Code of the error catalogue, and the index of the failing instruction when one failed. */
  readonly rejection:
    | { readonly code: string; readonly message: string; readonly instruction: number | undefined }
    | undefined
  /** Metered execution units, with those of its signatures. */
  readonly teu: number
  readonly events: readonly DataEvent[]
}
const dryRun_ = struct('DryRun', {
  hash: hash32,
  height: varint,
  timeMs: varint,
  lane: u32,
  dataspace: varintBig,
  outcome: unitEnum('DryRunOutcome', { approved: 0, rejected: 1 }),
  rejection: option(struct('DryRunRejection', { code: string(64), message: string(4096), instruction: option(u32) })),
  teu: varint,
  events: list(dataEvent, EVENTS_MAX),
})
export const dryRun: Schema<DryRun> = dryRun_
