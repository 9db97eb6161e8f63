/**
 * Owns the permissions of lanes: managing catalogues and relay anchors, using a restricted dataspace, recording
 * settlements.
 */

import { accounts } from '../../../executor/accounts.js'
import type { ObjectKind, Permission } from '../../../executor/permission.js'
import { latestLane } from '../../../lanes/index.js'
import { global, LANES_MANAGER, numbered, onDataspace } from '../../../ledger/permission-kinds.js'
import { type AccountId, accountIdFault, keyString } from '../../../model/index.js'

/** The account at the end of a settlement's object. */
function accountOf(object: string): AccountId | undefined {
  const hex = /^[^:#]+:[0-9a-f]{64}#((?:[0-9a-f]{2})+)$/.exec(object)?.[1]
  const account = hex === undefined ? undefined : keyString(Buffer.from(hex, 'hex'))
  return account === undefined || accountIdFault(account) !== undefined ? undefined : account
}

/** Lanes. Their numbers are never used again, so a token needs no later incarnation. */
const laneKind: ObjectKind = {
  ...numbered,
  name: 'lane',
  incarnation: (state, id) =>
    latestLane(state, Number(id)) === undefined ? undefined : { height: 1, index: Number(id) },
}

/** Terms of a settlement (`settlementObject`): the account at their end agrees to them. */
const settlementKind: ObjectKind = {
  name: 'settlement',
  isId: (text) => accountOf(text) !== undefined,
  owner: (_state, id) => accountOf(id),
  incarnation(state, id) {
    const account = accountOf(id)
    return account === undefined ? undefined : state.get(accounts, account)?.incarnation
  },
}

export const LANE_PERMISSIONS = {
  CanManageLanes: global(LANES_MANAGER),
  CanManageRelayAnchors: global('CanManageRelayAnchors'),
  CanRecordSettlement: { name: 'CanRecordSettlement', on: laneKind, grantedBy: LANES_MANAGER },
  CanSettle: { name: 'CanSettle', on: settlementKind },
  CanUseDataspace: onDataspace('CanUseDataspace'),
} as const satisfies Record<string, Permission>
