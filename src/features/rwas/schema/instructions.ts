/** Owns the instructions of real-world assets. */
import { bool, list, numeric, option, struct, u8, varint } from '../../../codec/index.js'
import { hash } from '../../../crypto/index.js'
import {
  type AccountId,
  accountId,
  assetDefinitionId,
  defineInstructions,
  type InstructionOf,
  keyBytes,
  LOTS_MAX,
  lotId,
  lotList,
  lotPapers,
  lotReason,
  name,
  RWA_IDS,
  rwaFlagList,
  rwaFlags,
  rwaTerms,
} from '../../../model/index.js'
import { settlementLeg } from '../../lanes/schema/instructions.js'

const BASE = RWA_IDS.first

/** Delivery leg of a settlement; its source is the holder of the lot. */
const lotDelivery_ = struct('LotDelivery', {
  lot: lotId,
  /** Required, so that a reduced lot is not delivered at the price of the whole lot. */
  quantity: numeric,
  to: accountId,
})

export const instructions = defineInstructions({
  registerRwaClass: {
    id: BASE,
    label: 'rwa::register_class',
    record: {
      id: assetDefinitionId,
      /** Fraction digits of quantities. */
      scale: u8,
      ...rwaTerms,
      /** Powers of the issuer. */
      flags: rwaFlags,
    },
  },
  issueRwa: {
    id: BASE + 1,
    label: 'rwa::issue',
    record: { class: assetDefinitionId, to: accountId, quantity: numeric, ...lotPapers },
  },
  transferRwa: {
    id: BASE + 2,
    label: 'rwa::transfer',
    record: {
      lot: lotId,
      /** Absent: the whole lot. A part becomes a separate lot. */
      quantity: option(numeric),
      to: accountId,
    },
  },
  splitRwa: {
    id: BASE + 3,
    label: 'rwa::split',
    record: {
      lot: lotId,
      /** Parts that become separate lots; the rest stays in the lot. */
      quantities: list(numeric, LOTS_MAX),
    },
  },
  mergeRwa: { id: BASE + 4, label: 'rwa::merge', record: { lots: lotList } },
  freezeRwa: { id: BASE + 5, label: 'rwa::freeze', record: { lot: lotId, frozen: bool, reason: lotReason } },
  holdRwa: {
    id: BASE + 6,
    label: 'rwa::hold',
    record: {
      lot: lotId,
      quantity: numeric,
      /** Time at which the hold ends; absent: it lasts until it is released. */
      untilMs: option(varint),
      reason: lotReason,
    },
  },
  releaseRwa: { id: BASE + 7, label: 'rwa::release', record: { lot: lotId, hold: varint, reason: lotReason } },
  forceTransferRwa: {
    id: BASE + 8,
    label: 'rwa::force_transfer',
    record: { lots: lotList, to: accountId, reason: lotReason },
  },
  requestRwaRedemption: {
    id: BASE + 9,
    label: 'rwa::request_redemption',
    record: { lot: lotId, quantity: numeric },
  },
  settleRwaRedemption: {
    id: BASE + 10,
    label: 'rwa::settle_redemption',
    record: {
      lot: lotId,
      hold: varint,
      /** True burns the held quantity, false releases it. */
      accept: bool,
    },
  },
  setRwaHolder: {
    id: BASE + 11,
    label: 'rwa::set_holder',
    record: {
      class: assetDefinitionId,
      account: accountId,
      /** Time at which the eligibility of the account ends; absent: the account is not eligible. */
      eligibleUntilMs: option(varint),
    },
  },
  setRwaClass: {
    id: BASE + 12,
    label: 'rwa::set_class',
    record: {
      class: assetDefinitionId,
      paused: option(bool),
      /** Powers that the issuer clears permanently. */
      clear: rwaFlagList,
    },
  },
  declareRwaIncome: {
    id: BASE + 13,
    label: 'rwa::declare_income',
    record: { class: assetDefinitionId, cash: assetDefinitionId, amount: numeric },
  },
  claimRwaIncome: {
    id: BASE + 14,
    label: 'rwa::claim_income',
    record: {
      class: assetDefinitionId,
      /** Lots whose owners are paid. */
      lots: lotList,
      /** Accounts to pay the income of lots that they no longer own. */
      accounts: list(accountId, LOTS_MAX),
    },
  },
  settleRwaDvp: {
    id: BASE + 15,
    label: 'rwa::settle_dvp',
    record: {
      /** Unique among the settlements of lots on this chain. */
      id: name,
      delivery: lotDelivery_,
      /** Payment leg; its definition is the unit of settlement. */
      payment: settlementLeg,
    },
  },
})

export interface RegisterRwaClass extends InstructionOf<typeof instructions.registerRwaClass> {}
export interface IssueRwa extends InstructionOf<typeof instructions.issueRwa> {}
export interface SettleRwaDvp extends InstructionOf<typeof instructions.settleRwaDvp> {}

/** Object of CanSettle: the id, the hash of both legs, and the account that agrees to them. */
export const lotSettlementObject = (
  { id, delivery, payment }: Pick<SettleRwaDvp, 'id' | 'delivery' | 'payment'>,
  account: AccountId,
): string => {
  const terms = hash('lot-settlement-terms', lotDelivery_.encode(delivery), settlementLeg.encode(payment))
  return `${id}:${terms.toString('hex')}#${keyBytes(account).toString('hex')}`
}
