/** Owns the instructions of names. */
import { enumOf, type Infer, list, struct } from '../../../codec/index.js'
import { accountId, assetDefinitionId, defineInstructions, type InstructionOf } from '../../../model/index.js'
import { NAME_IDS, nameInput } from './records.js'

const BASE = NAME_IDS.first

/** Aliases that one instruction asserts. */
export const ASSERTED_MAX = 256

/** An alias, and what it stood for when the transaction was made. */
export interface AssertedAlias extends Infer<typeof assertedAlias> {}
export const assertedAlias = struct('AssertedAlias', {
  /** A name, `iban:IBAN` or `ccy:EUR`. */
  text: nameInput,
  target: enumOf('AliasTarget', { account: [0, accountId], definition: [1, assetDefinitionId] }),
})

export type AssertAliases = InstructionOf<typeof instructions.assertAliases>

export const instructions = defineInstructions({
  assertAliases: {
    id: BASE + 14,
    label: 'name::assert',
    record: { items: list(assertedAlias, ASSERTED_MAX) },
  },
})
