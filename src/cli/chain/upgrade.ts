/** Owns the look before a network is sent to another ABI: nothing leads back from the switch, and a chain whose ABI no release has ends there. */
import { LedgerError } from '../../model/errors.js'
import { getView, optionalView, textOf, type View, viewsOf } from '../gateway/gateway.js'
import type { Drafting } from '../ledger/command.js'

/** An ABI as an upgrade names it. */
export interface NamedAbi {
  readonly number: number
  /** 32 bytes in hex. */
  readonly hash: string
}

/** What the look needs of a draft. */
type Looking = Pick<Drafting, 'client' | 'remark'>

/** What a node answers that has no such route, or does not serve it. */
const UNSERVED: ReadonlySet<string> = new Set(['route_not_found', 'route_not_enabled'])

const plain = (hash: string): string => hash.replace(/^0x/i, '').toLowerCase()

/** ABIs of the release of the node that is asked; undefined where it does not tell, as 0.1.0 does not. */
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
 * Says, before anything is signed, what the node that is asked knows of an ABI.
 *
 * @throws LedgerError `abi_missing` where its release has this ABI with another hash: then the hash is a slip, or that of another build
 */
export async function lookAtAbi({ client, remark }: Looking, { number, hash }: NamedAbi): Promise<void> {
  const abis = await supported(client)
  if (abis === undefined) return remark('The release of the node that was asked does not tell which ABIs it has.')
  const own = textOf(abis.find((one) => one.abi_version === number)?.abi_hash)
  if (own === undefined)
    return remark(`The release of the node that was asked has no ABI ${number}: it ends at the switch.`)
  if (own === plain(hash)) return
  throw new LedgerError('abi_missing', `ABI ${number} has the hash ${own} in the release of this node, not ${hash}`, {
    hint: 'A network that switches to an ABI that no release has ends there. `causeway runtime abis` shows the hashes.',
  })
}

/** The ABI of a proposed upgrade; undefined where nobody proposed it, which the ledger says better. */
export async function abiOfUpgrade(client: Looking['client'], id: string): Promise<NamedAbi | undefined> {
  const { items } = await getView(client, ({ upgrades }) => upgrades.upgrades)
  const found = viewsOf(items).find((one) => textOf(one.id) === plain(id))
  const manifest = optionalView(found?.manifest)
  return manifest && { number: Number(manifest.abi_version), hash: textOf(manifest.abi_hash) ?? '' }
}
