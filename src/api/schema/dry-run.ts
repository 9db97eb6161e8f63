/** Owns the record of `POST /v1/transactions/dry-run`: the effect of a transaction on the last block of a node. */
import {
  hash32,
  type Infer,
  list,
  omissible,
  option,
  string,
  struct,
  u32,
  unitEnum,
  varint,
  varintBig,
} from '../../codec/index.js'
import { called, dataEvent } from '../../model/index.js'

/** Maximum events of one transaction; the metered cost of a transaction limits it far below this. */
const EVENTS_MAX = 1_000_000

/** Result of a transaction as if it were alone in the next block. */
export interface DryRun extends Infer<typeof dryRun> {}
export const dryRun = struct('DryRun', {
  /** Transaction id. */
  hash: hash32,
  /** Height of the tried block: one above the head. */
  height: varint,
  /** Header time of that block, in ms since the Unix epoch. */
  timeMs: varint,
  lane: u32,
  dataspace: varintBig,
  outcome: unitEnum('DryRunOutcome', { approved: 0, rejected: 1 }),
  /** Code of the error catalogue, and the index of the failed instruction, if any. */
  rejection: option(struct('DryRunRejection', { code: string(64), message: string(4096), instruction: option(u32) })),
  /** Results of its contract calls. */
  called: omissible(called),
  /** Metered execution units, including the units of its signatures. */
  teu: varint,
  events: list(dataEvent, EVENTS_MAX),
})
