/** Owns the tables of classes of real-world assets, of lots and of their holders. */
import { bool, type Infer, numeric, option, struct, varint } from '../codec/index.js'
import {
  type AssetId,
  assetDefinitionId,
  assetId,
  incarnation,
  type Lot,
  type LotKey,
  lotKey,
  lotRecord,
  RWA_IDS,
  rwaFlags,
  rwaTerms,
} from '../model/index.js'
import type { TableDef } from '../state/index.js'

/** Class of real-world assets: a definition whose stored mintability is `lots`. */
export interface RwaClass extends Infer<typeof rwaClass_> {}
const rwaClass_ = struct('RwaClass', {
  ...rwaTerms,
  flags: rwaFlags,
  paused: bool,
  /** Number of accounts that own lots. */
  holders: varint,
  /** Number of the next lot; numbers are never reused. */
  nextLot: varint,
  /** Income of the lots of the class, held in a vault of the class; absent until the first declaration. */
  income: option(
    struct('RwaIncome', {
      cash: assetDefinitionId,
      /** Income per unit of quantity so far, and the remainder of the last division, in 10^-18 units of cash. */
      index: numeric,
      carry: numeric,
    }),
  ),
})
export const rwaClasses: TableDef<string, RwaClass> = {
  id: RWA_IDS.first,
  name: 'rwa_class',
  bound: {
    holds: 'one class',
    filledBy: 'RegisterRwaClass',
    atBound: 'leaves with UnregisterAssetDefinition; stays once a lot was issued',
  },
  key: assetDefinitionId,
  value: rwaClass_,
}

export const rwaLots: TableDef<LotKey, Lot> = {
  id: RWA_IDS.first + 1,
  name: 'rwa_lot',
  bound: {
    holds: 'one lot: 4 KiB of attributes, 16 parents, 8 holds',
    filledBy: 'IssueRwa, parts of lots, MergeRwa',
    atBound: 'the decoder refuses more; stays: a spent lot keeps its parents',
  },
  key: lotKey,
  value: lotRecord,
}

/** Account as an owner of lots of a class. */
export interface RwaHolder extends Infer<typeof rwaHolder_> {}
const rwaHolder_ = struct('RwaHolder', {
  eligible: option(
    struct('RwaEligibility', {
      /** Time at which the eligibility of the account ends. */
      untilMs: varint,
      /** Registrations of the class and the account; eligibility does not carry over to later registrations. */
      class: incarnation,
      account: incarnation,
    }),
  ),
  /** Number of lots that it owns, including those in vaults. */
  lots: varint,
  /** Settled but unclaimed income, in 10^-18 units of cash. */
  owed: numeric,
})
export const rwaHolders: TableDef<AssetId, RwaHolder> = {
  id: RWA_IDS.first + 2,
  name: 'rwa_holder',
  bound: {
    holds: 'a count, an amount, an eligibility',
    filledBy: 'SetRwaHolder, instructions that move lots',
    atBound: 'removed when all of them are empty',
  },
  key: assetId,
  value: rwaHolder_,
}

export const LOT_TABLES = [rwaClasses, rwaLots, rwaHolders]
