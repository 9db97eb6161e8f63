/** Owns lots of real-world assets: their ids, the records that tables and views share, their bounds. */
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

/** Lots that one instruction names, and parents of one lot. */
export const LOTS_MAX = 16
/** Holds on one lot. */
export const HOLDS_MAX = 8
/** Attributes of a lot, the longest value of one, and all together in bytes. */
const ATTRIBUTES_MAX = 64
const ATTRIBUTE_MAX_BYTES = 512
export const ATTRIBUTES_MAX_BYTES = 4_096
/** Longest URI of the terms of a class, in bytes. */
export const TERMS_URI_MAX_BYTES = 256

/** Text of a line: without control characters. */
const line = (name: string, maxBytes: number): Schema<string> =>
  text(
    name,
    maxBytes,
    (value) => (/\p{Cc}/u.test(value) ? 'a control character in a text of one line' : undefined),
    '^[^\\u0000-\\u001f\\u007f-\\u009f]*$',
  )

export const lotList: Schema<readonly string[]> = list(lotId, LOTS_MAX)
/** Why an authority freezes, holds, releases or takes a lot. */
export const lotReason = line('LotReason', 128)

/** Powers of the issuer of a class over its lots. They are only ever cleared. */
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
  if (!ISIN.test(value)) return 'an ISIN has two letters, nine letters or digits and a check digit'
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
  /** Accounts that may hold lots at a time; absent: any number. */
  holdersMax: option(varint),
}

/** Papers of a lot: what is known of the thing itself. */
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
  /** First time at which it no longer counts; absent: it counts until it is released. */
  untilMs: option(varint),
  reason: lotReason,
})

/** Why a lot is spent. */
export type LotCause = Infer<typeof lotCause>
export const lotCause = unitEnum('LotCause', { split: 0, merged: 1, redeemed: 2 })

/** A lot that somebody holds. */
export interface LiveLot extends Infer<typeof liveLot_> {}
const liveLot_ = struct('LiveLot', {
  holder: accountId,
  /** Account that delivered it to the vault that holds it, to which its income belongs; absent: no vault holds it. */
  beneficiary: option(accountId),
  quantity: numeric,
  frozen: bool,
  ...lotPapers,
  parents: list(lotParent, LOTS_MAX),
  holds: list(lotHold, HOLDS_MAX),
  nextHold: varint,
  /** Income of a unit of its class, in 10^-18 units of cash, up to which it was settled. */
  incomeIndex: numeric,
})
/** A lot of which nothing is left. */
const spentLot_ = struct('SpentLot', {
  parents: list(lotParent, LOTS_MAX),
  reference: lotPapers.reference,
  height: varint,
  cause: lotCause,
})
export type Lot = Infer<typeof lotRecord>
export const lotRecord = enumOf('RwaLot', { live: [0, liveLot_], spent: [1, spentLot_] })
