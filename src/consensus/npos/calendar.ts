/** Owns the calendar of an epoch: the step of each height. Steps follow heights, not times, so that an idle epoch waits. */

/** Lengths of the parts of an epoch, in blocks. */
export interface Windows {
  readonly length: number
  /** Commitments and readiness. */
  readonly commit: number
  /** Election, computed outside of block execution. */
  readonly election: number
  /** Reveals. */
  readonly reveal: number
}

/** Blocks after the reveals: seed, record, rewards, and one in between. */
const CLOSING_BLOCKS = 4

/** Blocks from the first commitment to the end. */
export const closingBlocks = ({ commit, election, reveal }: Omit<Windows, 'length'>): number =>
  commit + election + reveal + CLOSING_BLOCKS

/** Offset of a height in the calendar: 0 is the first height of commitments, negative before. */
export const placeOf = (height: number, start: number, windows: Windows): number =>
  height - (start + windows.length - closingBlocks(windows))

/** Offsets of the steps. */
export const STEPS = {
  isCommit: (q: number, { commit }: Windows): boolean => q >= 0 && q < commit,
  isSnapshotDue: (q: number, { commit }: Windows): boolean => q >= commit,
  isOutcomeDue: (q: number, { commit, election }: Windows): boolean => q >= commit + election,
  isReveal: (q: number, { commit, election, reveal }: Windows): boolean =>
    q > commit + election && q <= commit + election + reveal,
  isSeedDue: (q: number, windows: Windows): boolean => q >= closingBlocks(windows) - 3,
  isRecordDue: (q: number, windows: Windows): boolean => q >= closingBlocks(windows) - 2,
} as const
