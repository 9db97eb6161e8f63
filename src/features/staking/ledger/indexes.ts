/** Owns the read index of what happened to stakes: account, height and place in the block to the record. */

import type { HistoryBlock, HistoryKeys, IndexRun } from '../../../executor/reads.js'
import { featureIndexPrefix, numberValue } from '../../../ledger/indexes.js'
import { type AccountId, type EventOf, keyBytes } from '../../../model/index.js'
import { events as stakingEvents } from '../schema/events.js'
import { STAKING_IDS } from '../schema/records.js'
import { historyItem, type StakeHistoryItem } from '../schema/views.js'

/** Number of the index, of the ids of the feature. */
const HISTORY_INDEX = STAKING_IDS.first

/** First bytes of the keys of an account: length-prefixed, so that no account is in the range of another. */
export function historyPrefix(account: AccountId): Buffer {
  const id = keyBytes(account)
  return Buffer.concat([featureIndexPrefix(HISTORY_INDEX), Buffer.of(id.length), id])
}

type Told = Pick<StakeHistoryItem, 'action' | 'amount' | 'validator' | 'epoch' | 'slash'> & {
  readonly account: AccountId
}
const NOTHING = { validator: undefined, epoch: undefined, slash: undefined }

function toldBy(kind: string, value: unknown): Told | undefined {
  switch (kind) {
    case stakingEvents.stakeChanged.kind: {
      const { account, action, amount } = value as EventOf<typeof stakingEvents.stakeChanged>
      return { ...NOTHING, account, action, amount }
    }
    case stakingEvents.stakingRewardPaid.kind: {
      const { account, validator, epoch, amount } = value as EventOf<typeof stakingEvents.stakingRewardPaid>
      return { ...NOTHING, account, action: 'paid', amount, validator, epoch }
    }
    case stakingEvents.stakingRewardsFunded.kind: {
      const { account, amount } = value as EventOf<typeof stakingEvents.stakingRewardsFunded>
      return { ...NOTHING, account, action: 'funded', amount }
    }
    case stakingEvents.stakeSlashed.kind: {
      const { account, validator, slash, amount } = value as EventOf<typeof stakingEvents.stakeSlashed>
      return { ...NOTHING, account, action: 'slashed', amount, validator, slash }
    }
    default:
      return undefined
  }
}

const entriesOf = ({ height, timeMs, events }: HistoryBlock): [Uint8Array, Uint8Array][] =>
  events.flatMap(({ event }, place): [Uint8Array, Uint8Array][] => {
    const told = toldBy(event.kind, event.value)
    if (told === undefined) return []
    const { account, ...item } = told
    const key = Buffer.concat([historyPrefix(account), numberValue(height), numberValue(place)])
    return [[key, historyItem.encode({ height, atMs: timeMs, ...item })]]
  })

export const stakingIndexes: IndexRun = (block) => ({ put: entriesOf(block), del: [] })
export const stakingHistory: HistoryKeys = (block) => entriesOf(block).map(([key]) => key)
