/** Owns mintability of an asset definition. */
import { enumOf, type Schema, varint } from '../codec/index.js'

/** `limited` counts the mints that are left. */
export type Mintable =
  | { readonly kind: 'infinitely'; readonly value: undefined }
  | { readonly kind: 'once'; readonly value: undefined }
  | { readonly kind: 'not'; readonly value: undefined }
  | { readonly kind: 'limited'; readonly value: number }
const mintable_ = enumOf('Mintable', {
  infinitely: [0, undefined],
  once: [1, undefined],
  not: [2, undefined],
  limited: [3, varint],
})
export const mintable: Schema<Mintable> = mintable_
