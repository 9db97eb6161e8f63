/** Owns the permissions of lanes: who manages catalogues and relay anchors, uses a restricted dataspace, records settlements. */

import { accounts } from '../../../executor/accounts.js'
import type { Permission } from '../../../executor/contract.js'
import { latestDataspace, latestLane } from '../../../lanes/index.js'
import { type AccountId, accountIdFault, keyString } from '../../../model/index.js'

const MANAGER = 'CanManageLanes'

/** The account at the end of a settlement's object. */
function accountOf(object: string | undefined): AccountId | undefined {
  const hex = /^[^:#]+:[0-9a-f]{64}#((?:[0-9a-f]{2})+)$/.exec(object ?? '')?.[1]
  const account = hex === undefined ? undefined : keyString(Buffer.from(hex, 'hex'))
  return account === undefined || accountIdFault(account) !== undefined ? undefined : account
}

/** True for the number of a lane or a dataspace, without leading zeros. */
const isNumberObject = (text: string): boolean => /^(?:0|[1-9][0-9]*)$/.test(text)

const global = (name: string): Permission => ({
  name,
  object: 'none',
  grantor: () => undefined,
  incarnation: () => undefined,
})

export const LANE_PERMISSIONS = {
  CanManageLanes: global(MANAGER),
  CanManageRelayAnchors: global('CanManageRelayAnchors'),
  /** Object: the lane's number. Lane numbers are never used again, so a token needs no later incarnation. */
  CanRecordSettlement: {
    name: 'CanRecordSettlement',
    object: 'lane',
    isObject: isNumberObject,
    grantedBy: MANAGER,
    grantor: () => undefined,
    incarnation: (state, object) => {
      const known = isNumberObject(object ?? '') && latestLane(state, Number(object)) !== undefined
      return known ? { height: 1, index: Number(object) } : undefined
    },
  },
  /** Object: see `settlementObject`; granted by the account at its end. */
  CanSettle: {
    name: 'CanSettle',
    object: 'settlement',
    isObject: (text) => accountOf(text) !== undefined,
    grantor: (_state, object) => accountOf(object),
    incarnation: (state, object) => {
      const account = accountOf(object)
      return account === undefined ? undefined : state.get(accounts, account)?.incarnation
    },
  },
  /** Object: the dataspace's number. */
  CanUseDataspace: {
    name: 'CanUseDataspace',
    object: 'dataspace',
    isObject: isNumberObject,
    grantedBy: MANAGER,
    grantor: () => undefined,
    incarnation: (state, object) =>
      isNumberObject(object ?? '') ? latestDataspace(state, BigInt(object ?? ''))?.incarnation : undefined,
  },
} as const satisfies Record<string, Permission>
