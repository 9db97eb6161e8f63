/** Owns cursors of lists: the key of the last item of a page, from which the next page continues. */

import { type Schema, text } from '../codec/index.js'
import {
  type AccountId,
  type AssetId,
  assetDefinitionFault,
  HEIGHT_MAX,
  NAME_MAX_BYTES,
  nameFault,
  parseAddress,
} from '../model/index.js'

/**
 * Maximum lengths in bytes: of an address (src/model/address.ts), and of a balance, which is a definition and an
 * address.
 */
const ADDRESS_MAX_BYTES = 90
const ASSET_MAX_BYTES = 257 + 1 + ADDRESS_MAX_BYTES
/** Number of digits of the highest height. */
const HEIGHT_DIGITS = 15
/** Maximum length of a position in the chain, in bytes: three numbers. */
const CHAIN_MAX_BYTES = 3 * HEIGHT_DIGITS + 2
/** Maximum length of a position in the list of proven faults, in bytes: three numbers and the key of a fault in hex. */
const FAULT_MAX_BYTES = 256
/** Maximum number of digits of a holder: its kind and a name. */
const HOLDER_MAX_DIGITS = 2 * (1 + 128)
/** Number of digits of the position of a movement: time, height and number of its index key, in hex. */
const MOVEMENT_DIGITS = 32
/** Number of digits of the position of an event in a stake history: height and number of its index key, in hex. */
const STAKE_DIGITS = 24

/** Account at a position. Any address prefix is accepted: a position names an id. */
export const accountOfCursor = (place: string): AccountId | undefined =>
  parseAddress(place, place.slice(0, place.lastIndexOf('1')))

/** Balance at a position. */
export function assetOfCursor(place: string): AssetId | undefined {
  const end = place.lastIndexOf('#')
  const definition = place.slice(0, Math.max(0, end))
  const account = accountOfCursor(place.slice(end + 1))
  return account === undefined || assetDefinitionFault(definition) !== undefined ? undefined : { definition, account }
}

/** Numbers of a position in the chain, as many as it has: height, transaction, instruction. */
export const numbersOfCursor = (place: string): readonly number[] => place.split('.').map(Number)

const placeOf = (name: string, maxBytes: number, what: string, fits: (place: string) => boolean): Schema<string> =>
  text(name, maxBytes, (place) => (fits(place) ? undefined : `a cursor of this list is ${what}`))

const isHeight = (digits: string): boolean => /^[1-9][0-9]{0,14}$/.test(digits) && Number(digits) <= HEIGHT_MAX

/** Position in a list of accounts. */
export const accountCursor = placeOf(
  'AccountPlace',
  ADDRESS_MAX_BYTES,
  'the address of an account',
  (place) => accountOfCursor(place) !== undefined,
)
/** Position in a list of balances. */
export const assetCursor = placeOf(
  'AssetPlace',
  ASSET_MAX_BYTES,
  'written name#domain#account',
  (place) => assetOfCursor(place) !== undefined,
)
/** Position in a list of heights. */
export const heightCursor = placeOf('HeightPlace', HEIGHT_DIGITS, 'a height', isHeight)
/** Position in a list of numbered items, such as lanes or the transactions of a block. */
export const numberCursor = placeOf('NumberPlace', 10, 'a number', (place) => /^(0|[1-9][0-9]{0,9})$/.test(place))
/** Epoch and account of a position in a list of rewards; epochs start at 0. */
export function rewardOfCursor(place: string): { readonly epoch: number; readonly account: AccountId } | undefined {
  const [epoch = '', address = '', ...rest] = place.split('.')
  const account = accountOfCursor(address)
  const isEpoch = epoch === '0' || isHeight(epoch)
  return account === undefined || rest.length > 0 || !isEpoch ? undefined : { epoch: Number(epoch), account }
}
/** Position in a list of rewards. */
export const rewardCursor = placeOf(
  'RewardPlace',
  HEIGHT_DIGITS + 1 + ADDRESS_MAX_BYTES,
  'written epoch.address',
  (place) => rewardOfCursor(place) !== undefined,
)
/** The two names of a position; the first one may be empty. */
export function pairOfCursor(place: string): readonly [string, string] | undefined {
  const [first = '', second = '', ...rest] = place.split(' ')
  const isPair =
    rest.length === 0 && (first === '' || nameFault(first) === undefined) && nameFault(second) === undefined
  return isPair ? [first, second] : undefined
}
/** Position in a list whose keys are two names. */
export const pairCursor = placeOf(
  'PairPlace',
  2 * NAME_MAX_BYTES + 1,
  'two names separated by a blank',
  (place) => pairOfCursor(place) !== undefined,
)
/** Position in a list of transactions or instructions. */
export const historyCursor = placeOf('HistoryPlace', CHAIN_MAX_BYTES, 'written height.transaction', (place) => {
  const [height = '', ...rest] = place.split('.')
  return isHeight(height) && rest.length > 0 && rest.length <= 2 && rest.every((one) => /^[0-9]{1,9}$/.test(one))
})
const indexKey = (name: string, digits: number): Schema<string> =>
  placeOf(name, digits, 'the key of the last item of the page before', (place) =>
    new RegExp(`^[0-9a-f]{${digits}}$`).test(place),
  )
/** Position in the movements of an account. */
export const movementCursor = indexKey('MovementPlace', MOVEMENT_DIGITS)
/** Position in the stake history of an account. */
export const stakeCursor = indexKey('StakePlace', STAKE_DIGITS)
/** Position in a list of holders of a permission: kind and id, in hex. */
export const holderCursor = placeOf(
  'HolderPlace',
  HOLDER_MAX_DIGITS,
  'the key of the last item of the page before',
  (place) => /^0[01](?:[0-9a-f]{2})+$/.test(place),
)
/** Position in the list of proven faults: heights of record and fault, view, key. */
export const faultCursor = placeOf(
  'FaultPlace',
  FAULT_MAX_BYTES,
  'the key of the last item of the page before',
  (place) => /^[0-9]{1,15}\.[0-9]{1,15}\.[0-9]{1,10}\.([0-9a-f]{2})+$/.test(place),
)
