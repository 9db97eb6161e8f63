/** Owns the instructions of real-world assets. */
import { numeric, option, u8 } from '../../../codec/index.js'
import {
  accountId,
  assetDefinitionId,
  defineInstructions,
  type InstructionOf,
  lotId,
  lotPapers,
  RWA_IDS,
  rwaFlags,
  rwaTerms,
} from '../../../model/index.js'

const BASE = RWA_IDS.first

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
      /** Absent: the whole lot. A part becomes a lot of its own. */
      quantity: option(numeric),
      to: accountId,
    },
  },
})

export interface RegisterRwaClass extends InstructionOf<typeof instructions.registerRwaClass> {}
export interface IssueRwa extends InstructionOf<typeof instructions.issueRwa> {}
