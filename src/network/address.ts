/** Owns `host:port` texts. */
import { LedgerError } from '../model/index.js'

export interface HostPort {
  readonly host: string
  readonly port: number
}

/** Parse `host:port`, with an IPv6 host in brackets; undefined if malformed. */
export function parseAddress(text: string): HostPort | undefined {
  const match = /^(?:\[([0-9A-Fa-f:.%a-z]+)\]|([^[\]:\s]+)):(\d{1,5})$/.exec(text)
  if (match === null) return undefined
  const port = Number(match[3])
  const host = match[1] ?? match[2]
  return host === undefined || port > 65_535 ? undefined : { host, port }
}

/** The text of an address. */
export const formatAddress = ({ host, port }: HostPort): string =>
  host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`

/** Reason why a server could not listen, as an error for users. */
export function listenError(error: NodeJS.ErrnoException, address: string): Error {
  if (error.code !== 'EADDRINUSE') return error
  return new LedgerError('address_in_use', `${address} is in use by another program`, { details: { address } })
}
