/** Owns the calendar of an epoch: which step of it each height is for. Heights, never times: an idle epoch waits. */

/** Lengths of the parts of an epoch, in blocks. */
export interface Windows {
  readonly length: number
  /** Commitments and readiness. */
  readonly commit: number
  /** Election, off the path of blocks. */
  readonly election: number
  /** Reveals. */
  readonly reveal: number
}

/** Blocks after the reveals: the seed, the record, the rewards, and one between. */
const CLOSING_BLOCKS = 4

/** Blocks from the first commitment to the end. */
export const closingBlocks = ({ commit, election, reveal }: Omit<Windows, 'length'>): number =>
  commit + election + reveal + CLOSING_BLOCKS

/** Place of a height in the calendar: 0 is the first height of commitments, negative before. */
export const placeOf = (height: number, start: number, windows: Windows): number =>
  height - (start + windows.length - closingBlocks(windows))

/** The places of the steps. */
export const STEPS = {
  isCommit: (q: number, { commit }: Windows): boolean => q >= 0 && q < commit,
  isSnapshotDue: (q: number, { commit }: Windows): boolean => q >= commit,
  isOutcomeDue: (q: number, { commit, election }: Windows): boolean => q >= commit + election,
  isReveal: (q: number, { commit, election, reveal }: Windows): boolean =>
    q > commit + election && q <= commit + election + reveal,
  isSeedDue: (q: number, windows: Windows): boolean => q >= closingBlocks(windows) - 3,
  isRecordDue: (q: number, windows: Windows): boolean => q >= closingBlocks(windows) - 2,
} as const
