/**
 * Owns the vocabulary of docs/spec/height.qnt: blocks, slots, records and states of members by their names in the
 * specification.
 */

/** Block: the view in which it was built, and a letter that distinguishes it from other blocks of that view. */
export interface BlockName {
  readonly origin: number
  readonly id: string
}

/** Block in the view in which it was voted for or certified; `undefined` for the slot NONE. */
export interface Slot {
  readonly view: number
  readonly block: BlockName
}

/** Timeout certificate: the view that it ends, and its highest prepare certificate. */
export interface Entry {
  readonly view: number
  readonly high: Slot | undefined
}

export interface ProposalName {
  readonly view: number
  readonly block: BlockName
  /** Undefined in view 0. */
  readonly entry: Entry | undefined
}

export interface VoteName {
  readonly phase: 'prepare' | 'commit'
  readonly slot: Slot
  readonly by: string
}

export interface TimeoutName {
  readonly entry: Entry
  readonly by: string
}

/** State of one member; absent views are -1. */
export interface Local {
  readonly view: number
  readonly high: Slot | undefined
  readonly entry: Entry | undefined
  readonly current: Slot | undefined
  readonly known: readonly BlockName[]
  readonly proposed: number
  readonly prepared: Slot | undefined
  readonly locked: Slot | undefined
  readonly timedOut: number
  readonly decided: Slot | undefined
}

/** A record of the vote log: its kind, its view, and its subject as text. */
export interface RecordName {
  readonly kind: 'Proposed' | 'Prepared' | 'Locked' | 'TimedOut' | 'Entered' | 'Decided'
  readonly text: string
}

export const blockText = ({ origin, id }: BlockName): string => `${origin}${id}`
export const slotText = (slot: Slot | undefined): string =>
  slot === undefined ? '-' : `${slot.view}:${blockText(slot.block)}`
export const entryText = (entry: Entry | undefined): string =>
  entry === undefined ? '-' : `${entry.view}/${slotText(entry.high)}`
export const proposalText = ({ view, block, entry }: ProposalName): string =>
  `proposal ${slotText({ view, block })} ${entryText(entry)}`
export const voteText = ({ phase, slot, by }: VoteName): string => `${phase} ${slotText(slot)} by ${by}`
export const timeoutText = ({ entry, by }: TimeoutName): string => `timeout ${entryText(entry)} by ${by}`
export const recordText = ({ kind, text }: RecordName): string => `${kind} ${text}`

/** State of a member on one line, for comparison and for messages. */
export const localText = (me: Local): string =>
  [
    `view ${me.view}`,
    `high ${slotText(me.high)}`,
    `entry ${entryText(me.entry)}`,
    `current ${slotText(me.current)}`,
    `known ${me.known.map(blockText).sort().join(',') || '-'}`,
    `proposed ${me.proposed}`,
    `prepared ${slotText(me.prepared)}`,
    `locked ${slotText(me.locked)}`,
    `timed out ${me.timedOut}`,
    `decided ${slotText(me.decided)}`,
  ].join(', ')
