/** Loads of the payment benchmark that are sent as fast as they are answered. */

/** Known loads, in the default order. */
const KINDS = ['bulk', 'four', 'one'] as const
type LoadKind = (typeof KINDS)[number]

/** Loads of BENCH_PAYMENT_LOADS: names separated by commas; all if it is not set. Throws for an unknown name. */
export function loadKinds(text: string | undefined): readonly LoadKind[] {
  if (text === undefined) return KINDS
  return text.split(',').map((name) => {
    const kind = KINDS.find((one) => one === name)
    if (kind !== undefined) return kind
    throw new Error(`BENCH_PAYMENT_LOADS: unknown load "${name}". Try ${KINDS.join(', ')}, separated by commas.`)
  })
}
