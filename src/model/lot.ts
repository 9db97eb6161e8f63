/** Owns lots of real-world assets: their ids, bounds, and the records shared by tables and views. */
import {
  bool,
  bounded,
  enumOf,
  hash32,
  type Infer,
  list,
  map,
  numeric,
  option,
  type Schema,
  struct,
  text,
  unitEnum,
  varint,
} from '../codec/index.js'
import { accountId } from './address.js'
import { range } from './definition.js'
import { NAME_MAX_BYTES } from './limits.js'
import { assetDefinitionFault, assetDefinitionId, NAME_PATTERN, name } from './names.js'

/** Ids of real-world assets: feature 15, 1700 to 1799. */
export const RWA_IDS = range(15)

/** Digits of the largest number of a lot, 2^53 - 1. */
const NUMBER_DIGITS = 16
const NUMBER = /^[1-9][0-9]{0,15}$/

/** Fault of a lot id `name#domain/number`, or undefined if valid. */
export function lotFault(value: string): string | undefined {
  const at = value.lastIndexOf('/')
  const number = value.slice(at + 1)
  if (at < 0 || !NUMBER.test(number) || !Number.isSafeInteger(Number(number))) {
    return 'a lot is written name#domain/number'
  }
  return assetDefinitionFault(value.slice(0, at))
}

/** Lot id `name#domain/number`: the class and the number of the lot in it. */
export const lotId: Schema<string> = text(
  'LotId',
  2 * NAME_MAX_BYTES + 2 + NUMBER_DIGITS,
  lotFault,
  `^${NAME_PATTERN}#${NAME_PATTERN}/[1-9][0-9]{0,${NUMBER_DIGITS - 1}}$`,
)

/** Class of a lot and its number in the class: the key of its row. */
export interface LotKey extends Infer<typeof lotKey> {}
export const lotKey = struct('RwaLotKey', { definition: assetDefinitionId, number: varint })

export const formatLot = ({ definition, number }: LotKey): string => `${definition}/${number}`
/** Parts of a valid lot id. */
export function parseLot(lot: string): LotKey {
  const at = lot.lastIndexOf('/')
  return { definition: lot.slice(0, at), number: Number(lot.slice(at + 1)) }
}

/** Maximum number of lots in one instruction, and of parents of one lot. */
export const LOTS_MAX = 16
/** Maximum number of holds on one lot. */
export const HOLDS_MAX = 8
/** Maximum number of attributes of a lot, bytes of one value, bytes of all attributes. */
const ATTRIBUTES_MAX = 64
const ATTRIBUTE_MAX_BYTES = 512
export const ATTRIBUTES_MAX_BYTES = 4_096
/** Longest URI of the terms of a class, in bytes. */
export const TERMS_URI_MAX_BYTES = 256

/** Text without control characters. */
const line = (name: string, maxBytes: number): Schema<string> =>
  text(
    name,
    maxBytes,
    (value) => (/\p{Cc}/u.test(value) ? 'expected a text without control characters' : undefined),
    '^[^\\u0000-\\u001f\\u007f-\\u009f]*$',
  )

export const lotList: Schema<readonly string[]> = list(lotId, LOTS_MAX)
/** Reason for a freeze, a hold, a release or a forced transfer. */
export const lotReason = line('LotReason', 128)

/** Powers of the issuer of a class over its lots. A cleared power cannot be set again. */
export interface RwaFlags extends Infer<typeof rwaFlags> {}
export const rwaFlags = struct('RwaFlags', {
  /** Freezes lots. */
  freeze: bool,
  /** Holds parts of lots. */
  hold: bool,
  /** Transfers lots without their holders. */
  force: bool,
  /** Redeems lots that their holders offer. */
  redeem: bool,
  /** Only eligible accounts receive lots. */
  eligibleOnly: bool,
})

/** One of the powers. */
export type RwaFlag = Infer<typeof flag_>
const flag_ = unitEnum('RwaFlag', { freeze: 0, hold: 1, force: 2, redeem: 3, eligibleOnly: 4 })
export const rwaFlagList = list(flag_, 5)

const ISIN = /^[A-Z]{2}[A-Z0-9]{9}[0-9]$/

/** Fault of an ISIN, or undefined: its form, and the check digit of ISO 6166. */
function isinFault(value: string): string | undefined {
  if (!ISIN.test(value)) return 'expected an ISIN: two letters, nine letters or digits, a check digit'
  const digits = [...value].map((one) => Number.parseInt(one, 36)).join('')
  const sum = [...digits].reverse().reduce((total, digit, at) => {
    const twice = Number(digit) * (at % 2 === 0 ? 1 : 2)
    return total + Math.floor(twice / 10) + (twice % 10)
  }, 0)
  return sum % 10 === 0 ? undefined : 'the check digit of the ISIN is wrong'
}
/** International securities identification number. */
const isin: Schema<string> = text('Isin', 12, isinFault, ISIN.source)

/** Terms of a class; they never change. */
export const rwaTerms = {
  kind: line('RwaKind', 32),
  unit: line('RwaUnit', 16),
  termsHash: option(hash32),
  termsUri: option(line('RwaTermsUri', TERMS_URI_MAX_BYTES)),
  isin: option(isin),
  /** Maximum number of holders at a time; absent: no limit. */
  holdersMax: option(varint),
}

/** Papers of a lot: description of the real-world asset. */
export const lotPapers = {
  grade: line('LotGrade', 32),
  reference: line('LotReference', 64),
  documentHash: option(hash32),
  expiresMs: option(varint),
  attributes: bounded(map(name, line('LotAttribute', ATTRIBUTE_MAX_BYTES), ATTRIBUTES_MAX), ATTRIBUTES_MAX_BYTES),
}

/** Quantity that a lot came from. */
export const lotParent = struct('LotParent', { number: varint, quantity: numeric })

export type LotHoldKind = Infer<typeof lotHoldKind>
export const lotHoldKind = unitEnum('LotHoldKind', { legal: 0, redemption: 1 })
/** Quantity of a lot that cannot move. */
export interface LotHold extends Infer<typeof lotHold> {}
export const lotHold = struct('LotHold', {
  id: varint,
  kind: lotHoldKind,
  quantity: numeric,
  /** Time at which the hold ends; absent: it lasts until it is released. */
  untilMs: option(varint),
  reason: lotReason,
})

/** Cause of the end of a lot. */
export type LotCause = Infer<typeof lotCause>
export const lotCause = unitEnum('LotCause', { split: 0, merged: 1, redeemed: 2 })

/** Live lot. */
export interface LiveLot extends Infer<typeof liveLot_> {}
const liveLot_ = struct('LiveLot', {
  holder: accountId,
  /** Owner of a lot in a vault: the account that delivered it and receives its income; absent: not in a vault. */
  beneficiary: option(accountId),
  quantity: numeric,
  frozen: bool,
  ...lotPapers,
  parents: list(lotParent, LOTS_MAX),
  holds: list(lotHold, HOLDS_MAX),
  nextHold: varint,
  /** Income index of its class at its last settlement, in 10^-18 units of cash. */
  incomeIndex: numeric,
})
/** Lot without a remaining quantity. */
const spentLot_ = struct('SpentLot', {
  parents: list(lotParent, LOTS_MAX),
  reference: lotPapers.reference,
  height: varint,
  cause: lotCause,
})
export type Lot = Infer<typeof lotRecord>
export const lotRecord = enumOf('RwaLot', { live: [0, liveLot_], spent: [1, spentLot_] })
