/** Owns the names of error numbers in rows, for all features of this release. */
import type { CodecContext } from '../codec/index.js'
import { FEATURE_SCHEMAS } from '../features/composed.js'
import { KERNEL_ERROR_NUMBERS, numbersOf } from '../model/error-catalogue.js'
import type { Naming } from './ledger-rows.js'

/** Naming context of rows on a chain. */
export function sinkNaming(codec: CodecContext): Naming {
  const names = new Map<number, string>(
    [...KERNEL_ERROR_NUMBERS, ...FEATURE_SCHEMAS.flatMap(({ errors }) => numbersOf(errors))].map(([code, number]) => [
      number,
      code,
    ]),
  )
  return { codec, errorName: (code) => names.get(code) }
}
