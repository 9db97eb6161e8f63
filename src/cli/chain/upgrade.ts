/**
 * Owns the check before an upgrade proposal: a switch cannot be undone, and a chain stops at an ABI that no release
 * supports.
 */
import { LedgerError } from '../../model/errors.js'
import { getView, optionalView, textOf, type View, viewsOf } from '../gateway/gateway.js'
import type { Drafting } from '../ledger/command.js'

/** ABI as named by an upgrade. */
export interface NamedAbi {
  readonly number: number
  /** Hash in hex, 32 bytes. */
  readonly hash: string
}

/** Parts of a draft that the check needs. */
type Looking = Pick<Drafting, 'client' | 'remark'>

/** Error codes of a node that lacks the route, or does not serve it. */
const UNSERVED: ReadonlySet<string> = new Set(['route_not_found', 'route_not_enabled'])

const plain = (hash: string): string => hash.replace(/^0x/i, '').toLowerCase()

/** ABIs of the node's release; undefined if it does not report them, as with release 0.1.0. */
async function supported(client: Looking['client']): Promise<readonly View[] | undefined> {
  try {
    const { items } = await getView(client, ({ upgrades }) => upgrades.abis)
    return viewsOf(items)
  } catch (error) {
    if (error instanceof LedgerError && UNSERVED.has(error.code)) return undefined
    throw error
  }
}

/**
 * Report, before signing, whether the node supports an ABI.
 *
 * @throws LedgerError `abi_missing` if its release has this ABI with another hash, because of a typing error or another
 * build
 */
export async function lookAtAbi({ client, remark }: Looking, { number, hash }: NamedAbi): Promise<void> {
  const abis = await supported(client)
  if (abis === undefined) return remark('The node did not report the ABIs of its release.')
  const own = textOf(abis.find((one) => one.abi_version === number)?.abi_hash)
  if (own === undefined)
    return remark(`The release of the node does not support ABI ${number}: the node stops at the switch.`)
  if (own === plain(hash)) return
  throw new LedgerError('abi_missing', `ABI ${number} has the hash ${own} in the release of this node, not ${hash}`, {
    hint: 'A network that switches to an ABI that no release supports stops there. `causeway runtime abis` shows the hashes.',
  })
}

/** ABI of a proposed upgrade; undefined if it does not exist, which the ledger then reports. */
export async function abiOfUpgrade(client: Looking['client'], id: string): Promise<NamedAbi | undefined> {
  const { items } = await getView(client, ({ upgrades }) => upgrades.upgrades)
  const found = viewsOf(items).find((one) => textOf(one.id) === plain(id))
  const manifest = optionalView(found?.manifest)
  return manifest && { number: Number(manifest.abi_version), hash: textOf(manifest.abi_hash) ?? '' }
}
