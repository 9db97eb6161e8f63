/** Owns the health state of the chain, for the header of each page and its title. */

/** State label, and its mark. */
export interface Health {
  readonly text: 'Live' | 'Connecting' | 'Offline' | 'Halted' | 'Stalled' | 'Catching up'
  readonly tone: 'good' | 'warn' | 'bad'
}

/** Inputs of the state. */
export interface Observed {
  readonly link: 'connecting' | 'live' | 'lost'
  readonly isSynced: boolean
  /** Consensus status, as far as the node exposes it. */
  readonly status: { readonly [name in 'halted' | 'divergence' | 'stall']?: unknown } | undefined
}

/** Most severe known state; the last status counts only while the node responds. */
export function healthOf({ link, status, isSynced }: Observed): Health {
  if (link === 'lost') return { text: 'Offline', tone: 'bad' }
  if (link === 'connecting') return { text: 'Connecting', tone: 'warn' }
  if (isPresent(status?.halted) || isPresent(status?.divergence)) return { text: 'Halted', tone: 'bad' }
  if (isPresent(status?.stall)) return { text: 'Stalled', tone: 'bad' }
  return isSynced ? { text: 'Live', tone: 'good' } : { text: 'Catching up', tone: 'warn' }
}

const isPresent = (value: unknown): boolean => value !== undefined && value !== null

/** Title of a page in the browser tab: the state first, unless healthy. */
export const titleOf = (page: string, { text }: Health): string =>
  text === 'Live' ? `${page} · Causeway` : `${text}: ${page} · Causeway`
