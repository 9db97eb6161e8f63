/** Owns names of peers derived from their addresses, for `watch`, commands and the explorer. */

/** Host and port of `host:port` or of a URL. */
export function placeOf(address: string): { readonly host: string; readonly port: string } {
  const [, host = address, port = ''] = /^(?:https?:\/\/)?\[?([^/\]]+?)\]?(?::(\d+))?\/?$/.exec(address) ?? []
  return { host, port }
}

/** True if a host is an IP address. */
export const isIpAddress = (host: string): boolean => /^(?:\d{1,3}\.){3}\d{1,3}$|:/.test(host)

/** Distinguishing part of each address: a label of its host, the host, or the port on one machine. */
export function namesOfPlaces(addresses: readonly string[]): ReadonlyMap<string, string> {
  const places = [...new Set(addresses)].map((address) => ({ address, ...placeOf(address) }))
  const counted = (texts: readonly string[]): ReadonlyMap<string, number> =>
    texts.reduce((found, text) => found.set(text, (found.get(text) ?? 0) + 1), new Map<string, number>())
  const labelOf = (host: string): string => (isIpAddress(host) ? host : (host.split('.')[0] ?? host))
  const hosts = counted(places.map(({ host }) => host))
  const labels = counted(places.map(({ host }) => labelOf(host)))
  return new Map(
    places.map(({ address, host, port }) => {
      if (hosts.get(host) !== 1) return [address, `:${port}`]
      const label = labelOf(host)
      return [address, labels.get(label) === 1 ? label : host]
    }),
  )
}
