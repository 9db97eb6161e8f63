/** Owns the nodes that a dashboard can switch between: the nodes of the local network, else of the profiles. */
import type { CausewayClient } from '../../client/index.js'
import { LedgerError } from '../../model/errors.js'
import type { NodeIdentity } from '../gateway/node-names.js'
import { localnetFolder, readLocalnet } from '../settings/localnet-record.js'
import { readProfiles } from '../settings/profiles.js'

/** Watched node. */
export interface Looked {
  readonly client: CausewayClient
  readonly node: NodeIdentity
}

/** Gateways to switch between, including the current one. */
export async function gatewaysAround(current: string, dir: string | undefined): Promise<readonly string[]> {
  try {
    const local = (await readLocalnet(localnetFolder(dir)))?.peers.map(({ gateway }) => gateway) ?? []
    if (local.includes(current)) return local
    const { profiles } = await readProfiles()
    const known = Object.values(profiles).flatMap(({ gateway }) => (gateway === undefined ? [] : [gateway]))
    return [...new Set([current, ...known.map((gateway) => gateway.replace(/\/+$/, ''))])]
  } catch (error) {
    // Other nodes are optional: an unreadable file must not prevent watching this one.
    if (error instanceof LedgerError) return [current]
    throw error
  }
}

/** Switcher between nodes; the previous node is closed. */
export class NodeRing {
  private at: number
  private own: CausewayClient | undefined
  /** Previous client, whose last requests may still be pending. */
  private stale: CausewayClient | undefined

  constructor(
    private readonly gateways: readonly string[],
    current: string,
    private readonly open: (gateway: string) => Promise<CausewayClient>,
    private readonly identify: (client: CausewayClient, gateway: string) => Promise<NodeIdentity>,
  ) {
    this.at = Math.max(0, gateways.indexOf(current))
  }

  /** Next node, or the reason why there is none; a further call tries the one after it. */
  async next(): Promise<Looked | string> {
    if (this.gateways.length < 2) return 'no other node is known: add profiles, or watch a local network'
    this.at = (this.at + 1) % this.gateways.length
    const gateway = this.gateways[this.at] ?? ''
    const client = await this.open(gateway)
    try {
      const node = await this.identify(client, gateway)
      await this.stale?.close()
      this.stale = this.own
      this.own = client
      return { client, node }
    } catch (error) {
      await client.close()
      if (!(error instanceof LedgerError)) throw error
      return `${gateway} does not respond; n tries the next one`
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.own?.close(), this.stale?.close()])
  }
}
