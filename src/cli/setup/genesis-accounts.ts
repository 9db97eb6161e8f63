/** Owns the accounts of a manifest template given on the command line. */
import { usageError } from '../terminal/failure.js'

/**
 * Addresses by name, from texts `NAME=ADDRESS`. Throws `usage` for a name that is not in the template or is given
 * twice, because the intended account would keep another address.
 */
export function accountsGiven(texts: readonly string[], known: readonly string[]): Readonly<Record<string, string>> {
  const accounts = new Map<string, string>()
  for (const one of texts) {
    const at = one.indexOf('=')
    if (at < 1) throw usageError(`--account ${one}: expected NAME=ADDRESS`)
    const name = one.slice(0, at)
    if (!known.includes(name)) {
      const hint =
        known.length === 0 ? 'Omit --account: the template has no accounts.' : `Choose one of ${known.join(', ')}.`
      throw usageError(`--account ${one}: the template has no account ${name}`, hint)
    }
    if (accounts.has(name)) throw usageError(`--account ${one}: the account ${name} is given twice`)
    accounts.set(name, one.slice(at + 1))
  }
  return Object.fromEntries(accounts)
}
