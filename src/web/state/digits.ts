/** Owns the fraction digits of assets, used to pad amounts. Each is read once, and cached while the page is open. */
import type { DefinitionView } from '../../features/assets/schema/views.js'
import type { JsonOf } from '../json.js'
import { ApiError, get } from './api.js'
import { Store } from './store.js'

/** Maximum cached assets; beyond that amounts are shown unpadded. */
const ASSETS_MAX = 200

/** Fraction digits by asset; 0 for an asset without fixed digits, and while the request is pending. */
export const digits = new Store<ReadonlyMap<string, number>>(new Map())

const put = (id: string, value: number): void => digits.set(new Map(digits.value).set(id, value))

/** Request the digits of an asset unless they are known; `digits` changes when they arrive. */
export function wantDigits(id: string): void {
  if (digits.value.has(id) || digits.value.size >= ASSETS_MAX) return
  put(id, 0)
  get<JsonOf<DefinitionView>>(`/v1/assets/definitions/${encodeURIComponent(id)}`).then(
    ({ scale }) => put(id, scale ?? 0),
    (error: unknown) => {
      // If the node is busy or unreachable, the next amount requests them again.
      if (error instanceof ApiError && error.status === 404) return
      digits.set(new Map([...digits.value].filter(([known]) => known !== id)))
    },
  )
}
