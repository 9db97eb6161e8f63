/** Owns which rules of release 0.1.0 are kept for ABI 1 alone: nodes of that release and of later ones run it side by side. */
const FIRST_ABI = 1

/** What the hash of an ABI says of it. */
export const ruleLines = (number: number): readonly string[] => (number === FIRST_ABI ? [] : ['rules mended'])

/** Whether the rules are those of ABI 1, where later ones were mended (docs/decisions/0072). */
export const hasFirstRules = ({ abi }: { readonly abi: { readonly number: number } }): boolean =>
  abi.number === FIRST_ABI
