/** Owns mintability of an asset definition. */
import { enumOf, type Infer, varint } from '../codec/index.js'

/** `limited` counts the mints that are left. */
export type Mintable = Infer<typeof mintable>
export const mintable = enumOf('Mintable', {
  infinitely: [0, undefined],
  once: [1, undefined],
  not: [2, undefined],
  limited: [3, varint],
})
