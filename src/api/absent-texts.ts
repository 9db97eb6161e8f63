/** Owns the error texts for objects in a request that do not exist. */

/** Object kinds of the filters of lists, by parameter. */
const NAMED = {
  domain: 'domain',
  definition: 'asset definition',
  account: 'account',
  owner: 'account',
  authority: 'account',
} as const

/**
 * Text of `not_found` for a list whose filters name objects that do not exist. `asked`: the texts of the request by
 * parameter.
 */
export function absentText(asked: { readonly [name in keyof typeof NAMED]?: string | undefined }): string {
  const names = Object.keys(NAMED) as (keyof typeof NAMED)[]
  return names
    .flatMap((name) => (asked[name] === undefined ? [] : [`${NAMED[name]} ${asked[name]} does not exist`]))
    .join('; or ')
}

/** Text of `not_found` for an account that is not registered; it quotes the text of the request. */
export const noAccount = (text: string): string => absentText({ account: text })
