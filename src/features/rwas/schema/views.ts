/** Owns the queries of real-world assets and their views. */
import { accountCursor } from '../../../api/cursors.js'
import { pageOf } from '../../../api/paging.js'
import { byDefinitionQuery, pageQueryFields, pageQueryOf } from '../../../api/query-inputs.js'
import {
  bool,
  hash32,
  type Infer,
  list,
  numeric,
  option,
  struct,
  text,
  u8,
  unitEnum,
  varint,
} from '../../../codec/index.js'
import {
  accountId,
  assetDefinitionId,
  dataEvent,
  defineQueries,
  HOLDS_MAX,
  LOTS_MAX,
  lotCause,
  lotHold,
  lotId,
  lotPapers,
  RWA_IDS,
  rwaFlags,
  rwaTerms,
} from '../../../model/index.js'

const BASE = RWA_IDS.first
/** Read indexes: live lots by class, account and reference; changes by lot. */
export const RWA_INDEXES = { live: BASE, byAccount: BASE + 1, byReference: BASE + 2, history: BASE + 3 } as const

/** Maximum ancestors of a lot in one page. */
export const ANCESTORS_MAX = 256

export interface ClassView extends Infer<typeof classView> {}
export const classView = struct('RwaClassView', {
  id: assetDefinitionId,
  ownedBy: accountId,
  scale: u8,
  ...rwaTerms,
  flags: rwaFlags,
  paused: bool,
  totalQuantity: numeric,
  holders: varint,
  /** Number of lots of the class so far, including spent ones. */
  lots: varint,
  /** Income of the class: its cash, its vault, and the balance of the vault. */
  income: option(struct('RwaIncomeView', { cash: assetDefinitionId, vault: accountId, unclaimed: numeric })),
})
export const classPage = pageOf('RwaClassPage', classView)

const lotStatus = unitEnum('LotStatus', { live: 0, spent: 1 })
const parent_ = struct('LotParentView', { lot: lotId, quantity: numeric })

const lotFields = {
  id: lotId,
  class: assetDefinitionId,
  number: varint,
  status: lotStatus,
  reference: lotPapers.reference,
  parents: list(parent_, LOTS_MAX),
  /** Height at which the lot ended, and the cause; absent: the lot is live. */
  spentHeight: option(varint),
  cause: option(lotCause),
  /** This field and all following ones are absent for a spent lot. */
  holder: option(accountId),
  /** Account that delivered it to the vault that holds it. */
  beneficiary: option(accountId),
  quantity: option(numeric),
  /** Quantity that is not on hold. */
  free: option(numeric),
  frozen: option(bool),
  grade: option(lotPapers.grade),
  documentHash: option(hash32),
  expiresMs: option(varint),
  attributes: option(lotPapers.attributes),
  holds: list(lotHold, HOLDS_MAX),
  /** Income that is not settled, in whole units. */
  earned: option(numeric),
}
export interface LotItem extends Infer<typeof lotItem_> {}
const lotItem_ = struct('LotItem', lotFields)
export const lotPage = pageOf('LotPage', lotItem_)
export interface LotView extends Infer<typeof lotView> {}
export const lotView = struct('LotView', { ...lotFields, height: varint })

export interface HolderView extends Infer<typeof holderView_> {}
const holderView_ = struct('RwaHolderView', {
  account: accountId,
  /** Number of lots that the account owns, including lots in vaults. */
  lots: varint,
  eligible: bool,
  eligibleUntilMs: option(varint),
  /** Settled income that it is owed, in whole units; unsettled income of its lots is not included. */
  owed: numeric,
})
export const holderPage = pageOf('RwaHolderPage', holderView_)

export interface AncestorView extends Infer<typeof ancestorView_> {}
const ancestorView_ = struct('LotAncestor', {
  lot: lotId,
  status: lotStatus,
  reference: lotPapers.reference,
  parents: list(parent_, LOTS_MAX),
  cause: option(lotCause),
  spentHeight: option(varint),
})
export const ancestorPage = pageOf('LotAncestorPage', ancestorView_, ANCESTORS_MAX)

export interface ChangeView extends Infer<typeof changeView_> {}
const changeView_ = struct('LotChange', {
  height: varint,
  timeMs: varint,
  /** Hash of its transaction or run. */
  transaction: hash32,
  event: dataEvent,
})
export const changePage = pageOf('LotChangePage', changeView_)

export interface LotsQuery extends Infer<typeof lotsQuery_> {}
const lotsQuery_ = struct('LotsQuery', {
  class: option(assetDefinitionId),
  /** Holder of the lot, or its owner while a vault holds it. */
  holder: option(accountId),
  reference: option(lotPapers.reference),
  frozen: option(bool),
  ...pageQueryFields(lotId),
})
export interface LotQuery extends Infer<typeof lotQuery_> {}
const lotQuery_ = struct('LotQuery', { class: assetDefinitionId, number: varint })
export interface HoldersQuery extends Infer<typeof holdersQuery_> {}
const holdersQuery_ = struct('RwaHoldersQuery', { id: assetDefinitionId, ...pageQueryFields(accountCursor) })
export interface AncestorsQuery extends Infer<typeof ancestorsQuery_> {}
const ancestorsQuery_ = struct('LotAncestorsQuery', {
  class: assetDefinitionId,
  number: varint,
  ...pageQueryFields(lotId),
})

const CHANGE = /^(0|[1-9][0-9]{0,13})\.(0|[1-9][0-9]{0,9})$/
/** Height and index of a change; undefined if malformed. */
export function changeOfCursor(place: string): { readonly height: number; readonly index: number } | undefined {
  const [, height, index] = CHANGE.exec(place) ?? []
  if (height === undefined || index === undefined || Number(index) > 0xffff_ffff) return undefined
  return { height: Number(height), index: Number(index) }
}
const changePlace = text('LotChangePlace', 26, (place) =>
  changeOfCursor(place) === undefined ? 'a cursor of this list is written height.place' : undefined,
)
export interface ChangesQuery extends Infer<typeof changesQuery_> {}
const changesQuery_ = struct('LotChangesQuery', {
  class: assetDefinitionId,
  number: varint,
  ...pageQueryFields(changePlace),
})

export const queries = defineQueries({
  rwaLots: { id: BASE, input: lotsQuery_, output: lotPage, isLong: true },
  rwaLot: { id: BASE + 1, input: lotQuery_, output: lotView },
  rwaClasses: { id: BASE + 2, input: pageQueryOf('RwaClassesQuery', assetDefinitionId), output: classPage },
  rwaClass: { id: BASE + 3, input: byDefinitionQuery, output: classView },
  rwaHolders: { id: BASE + 4, input: holdersQuery_, output: holderPage },
  rwaAncestors: { id: BASE + 5, input: ancestorsQuery_, output: ancestorPage, isLong: true },
  rwaChanges: { id: BASE + 6, input: changesQuery_, output: changePage },
})
