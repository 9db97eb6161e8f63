/** Owns what is said of things that a request names and that are not there. */

/** What lists are asked about, by parameter. */
const NAMED = {
  domain: 'domain',
  definition: 'asset definition',
  account: 'account',
  owner: 'account',
  authority: 'account',
} as const

/** Says that what a list is asked about is offline. */
export function noSuch(asked: { readonly [name in keyof typeof NAMED]?: string | undefined }): string {
  const names = (Object.keys(NAMED) as (keyof typeof NAMED)[]).filter((name) => asked[name] !== undefined)
  return names.map((name) => `${name}: no such ${NAMED[name]}`).join('; or ')
}

/** What is said of an account, as it was named, that is not registered. */
export const noAccount = (text: string): string => `there is no account ${text}`
