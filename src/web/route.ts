/** Owns the addresses of pages: the fragment after `#`, so that the node serves one page and a proxy needs no rule. */

/** Pages by first path segment. Pages of one object are followed by its id. */
export const PAGES = [
  'overview',
  'blocks',
  'block',
  'transactions',
  'transaction',
  'accounts',
  'account',
  'assets',
  'asset',
  'nfts',
  'nft',
  'lanes',
  'consensus',
  'payments',
  'payment',
  'validators',
  'governance',
  'proposal',
  'contracts',
  'contract',
  'calls',
  'operator',
  'search',
] as const
export type PageName = (typeof PAGES)[number]

/** Current page. */
export interface Route {
  /** Undefined if the page does not exist. */
  readonly page: PageName | undefined
  readonly id: string
  readonly query: Readonly<Record<string, string>>
}

/** Maximum length of an address; ids have several hundred characters at most. */
const HASH_MAX = 4_096

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Route of `location.hash`, for any text. */
export function routeOf(hash: string): Route {
  const [path = '', search = ''] = hash
    .slice(0, HASH_MAX)
    .replace(/^#?\/?/, '')
    .split('?', 2)
  const [name = '', ...rest] = path.split('/')
  const page = PAGES.find((one) => one === (name === '' ? 'overview' : name))
  const query = Object.fromEntries(new URLSearchParams(search))
  return { page, id: decoded(rest.join('/')), query }
}

type Texts = Readonly<Record<string, string | undefined>>

/** Address of a page; absent parameters are omitted. */
export function hrefOf(page: PageName, id = '', query: Texts = {}): string {
  const given = Object.entries(query).filter(
    (pair): pair is [string, string] => pair[1] !== undefined && pair[1] !== '',
  )
  const search = given.length === 0 ? '' : `?${new URLSearchParams(given)}`
  return `#/${page}${id === '' ? '' : `/${encodeURIComponent(id)}`}${search}`
}
