/** Owns the error texts for objects in a request that do not exist. */

/** Object kinds of the filters of lists, by parameter. */
const NAMED = {
  domain: 'domain',
  definition: 'asset definition',
  account: 'account',
  owner: 'account',
  authority: 'account',
} as const

/** Text of `not_found` for a list whose filters name objects that do not exist. */
export function noSuch(asked: { readonly [name in keyof typeof NAMED]?: string | undefined }): string {
  const names = (Object.keys(NAMED) as (keyof typeof NAMED)[]).filter((name) => asked[name] !== undefined)
  return names.map((name) => `${name}: no such ${NAMED[name]}`).join('; or ')
}

/** Text of `not_found` for an account that is not registered, with the text that named it. */
export const noAccount = (text: string): string => `account ${text} does not exist`
