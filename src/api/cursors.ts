/** Owns cursors of lists: the key of the last item of a page, from which the next page continues. */

import { type Schema, text } from '../codec/index.js'
import { type AccountId, type AssetId, assetDefinitionFault, HEIGHT_MAX, parseAddress } from '../model/index.js'

/** Longest address, in bytes (src/model/address.ts), and longest balance: a definition and an address. */
const ADDRESS_MAX_BYTES = 90
const ASSET_MAX_BYTES = 257 + 1 + ADDRESS_MAX_BYTES
/** Longest place in the chain, in bytes: three numbers of fifteen digits. */
const CHAIN_MAX_BYTES = 3 * 15 + 2
/** Longest place among proven faults, in bytes: three numbers and the key of a fault in hex. */
const FAULT_MAX_BYTES = 256
/** Digits of the longest holder: its kind and a name. */
const HOLDER_MAX_DIGITS = 2 * (1 + 128)
/** Digits of the place of a movement: time, height and number of its index key, in hex. */
const MOVEMENT_DIGITS = 32

/** Account at a place. The prefix is free: a place names an id. */
export const accountOfCursor = (place: string): AccountId | undefined =>
  parseAddress(place, place.slice(0, place.lastIndexOf('1')))

/** Balance at a place. */
export function assetOfCursor(place: string): AssetId | undefined {
  const end = place.lastIndexOf('#')
  const definition = place.slice(0, Math.max(0, end))
  const account = accountOfCursor(place.slice(end + 1))
  return account === undefined || assetDefinitionFault(definition) !== undefined ? undefined : { definition, account }
}

/** Numbers of a position in the chain: height, transaction, instruction, as many as are given. */
export const numbersOfCursor = (place: string): readonly number[] => place.split('.').map(Number)

const placeOf = (name: string, maxBytes: number, what: string, fits: (place: string) => boolean): Schema<string> =>
  text(name, maxBytes, (place) => (fits(place) ? undefined : `a cursor of this list is ${what}`))

const isHeight = (digits: string): boolean => /^[1-9][0-9]{0,14}$/.test(digits) && Number(digits) <= HEIGHT_MAX

/** Place in a list of accounts. */
export const accountCursor = placeOf(
  'AccountPlace',
  ADDRESS_MAX_BYTES,
  'the address of an account',
  (place) => accountOfCursor(place) !== undefined,
)
/** Place in a list of balances. */
export const assetCursor = placeOf(
  'AssetPlace',
  ASSET_MAX_BYTES,
  'written name#domain#account',
  (place) => assetOfCursor(place) !== undefined,
)
/** Place in a list of heights. */
export const heightCursor = placeOf('HeightPlace', 15, 'a height', isHeight)
/** Position in a list of numbered items, such as lanes or the transactions of a block. */
export const numberCursor = placeOf('NumberPlace', 10, 'a number', (place) => /^(0|[1-9][0-9]{0,9})$/.test(place))
/** Place in a list of transactions or instructions. */
export const historyCursor = placeOf('HistoryPlace', CHAIN_MAX_BYTES, 'written height.transaction', (place) => {
  const [height = '', ...rest] = place.split('.')
  return isHeight(height) && rest.length > 0 && rest.length <= 2 && rest.every((one) => /^[0-9]{1,9}$/.test(one))
})
/** Place in the movements of an account. */
export const movementCursor = placeOf(
  'MovementPlace',
  MOVEMENT_DIGITS,
  'the key of the last item of the page before',
  (place) => new RegExp(`^[0-9a-f]{${MOVEMENT_DIGITS}}$`).test(place),
)
/** Place in a list of holders of a permission: kind and id, in hex. */
export const holderCursor = placeOf(
  'HolderPlace',
  HOLDER_MAX_DIGITS,
  'the key of the last item of the page before',
  (place) => /^0[01](?:[0-9a-f]{2})+$/.test(place),
)
/** Place in the list of proven faults: heights of record and fault, view, key. */
export const faultCursor = placeOf(
  'FaultPlace',
  FAULT_MAX_BYTES,
  'the key of the last item of the page before',
  (place) => /^[0-9]{1,15}\.[0-9]{1,15}\.[0-9]{1,10}\.([0-9a-f]{2})+$/.test(place),
)
