/** Owns the table of runtime upgrades (docs/design/ledger.md 9). */

import { hash32, type Infer, list, option, struct, unitEnum, varint } from '../../../codec/index.js'
import { chainInfo, SINGLETON_KEY } from '../../../executor/tables.js'
import { accountId } from '../../../model/index.js'
import type { StateReader, TableDef } from '../../../state/index.js'
import * as schema from '../schema/instructions.js'

export interface Upgrade extends Infer<typeof upgradeRow> {}
const upgradeRow = struct('Upgrade', {
  id: hash32,
  manifest: schema.upgradeManifest,
  status: unitEnum('UpgradeStanding', { proposed: 0, activated: 1, cancelled: 2 }),
  proposer: accountId,
  createdHeight: varint,
  activationHeight: option(varint),
})
/** Upgrades in the order of their proposals: few and looked at together, so one record. */
export const upgrades: TableDef<string, readonly Upgrade[]> = {
  id: 44,
  name: 'upgrades',
  bound: {
    holds: '24 upgrades',
    filledBy: 'ProposeUpgrade',
    atBound: 'the oldest that is over leaves, else `too_many_proposals`',
  },
  key: chainInfo.key,
  value: list(upgradeRow, schema.UPGRADES_MAX),
}

export const allOf = (state: StateReader): readonly Upgrade[] => state.get(upgrades, SINGLETON_KEY) ?? []

/** True when it may still become the active ABI at a height. */
export const isOpen = ({ status, manifest }: Upgrade, height: number): boolean =>
  status === 'proposed' && height < manifest.endHeight
