/** Owns the read index of stake history: records by account, height and position in the block. */

import type { HistoryBlock, HistoryKeys, IndexRun } from '../../../executor/reads.js'
import { featureIndexPrefix, numberValue } from '../../../ledger/indexes.js'
import { type AccountId, type DataEvent, isEvent, keyBytes } from '../../../model/index.js'
import { events as stakingEvents } from '../schema/events.js'
import { STAKING_IDS } from '../schema/records.js'
import { historyItem, type StakeHistoryItem } from '../schema/views.js'

/** Index number, from the ids of the feature. */
const HISTORY_INDEX = STAKING_IDS.first

/**
 * First bytes of the keys of an account. They are length-prefixed, so that no account is in the range of a different
 * account.
 */
export function historyPrefix(account: AccountId): Buffer {
  const id = keyBytes(account)
  return Buffer.concat([featureIndexPrefix(HISTORY_INDEX), Buffer.of(id.length), id])
}

type HistoryEntry = Pick<StakeHistoryItem, 'action' | 'amount' | 'validator' | 'epoch' | 'slash'> & {
  readonly account: AccountId
}
const NOTHING = { validator: undefined, epoch: undefined, slash: undefined }

function historyEntryOf(one: DataEvent): HistoryEntry | undefined {
  if (isEvent(one, stakingEvents.stakeChanged)) {
    const { account, action, amount } = one.value
    return { ...NOTHING, account, action, amount }
  }
  if (isEvent(one, stakingEvents.stakingRewardPaid)) {
    const { account, validator, epoch, amount } = one.value
    return { ...NOTHING, account, action: 'paid', amount, validator, epoch }
  }
  if (isEvent(one, stakingEvents.stakingRewardsFunded)) {
    const { account, amount } = one.value
    return { ...NOTHING, account, action: 'funded', amount }
  }
  if (isEvent(one, stakingEvents.stakeSlashed)) {
    const { account, validator, slash, amount } = one.value
    return { ...NOTHING, account, action: 'slashed', amount, validator, slash }
  }
  return undefined
}

const entriesOf = ({ height, timeMs, events }: HistoryBlock): [Uint8Array, Uint8Array][] =>
  events.flatMap(({ event }, place): [Uint8Array, Uint8Array][] => {
    const entry = historyEntryOf(event)
    if (entry === undefined) return []
    const { account, ...item } = entry
    const key = Buffer.concat([historyPrefix(account), numberValue(height), numberValue(place)])
    return [[key, historyItem.encode({ height, atMs: timeMs, ...item })]]
  })

export const stakingIndexes: IndexRun = (block) => ({ put: entriesOf(block), del: [] })
export const stakingHistory: HistoryKeys = (block) => entriesOf(block).map(([key]) => key)
