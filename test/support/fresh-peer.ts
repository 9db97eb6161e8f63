/** Owns a peer that never ran, one of four of a network, and changes of its configuration by a test. */
import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeLocalnet } from '../../src/cli/localnet/write.js'
import { NEWEST_ABI } from '../../src/features/abi.js'
import { templatePath } from '../../src/node/genesis/index.js'
import { provision } from '../../src/node/genesis/provision.js'
import { freePorts } from './ports.js'

const ROOT = new URL('../..', import.meta.url).pathname
/** Name of the chain. */
export const FRESH_CHAIN = 'fresh'

/** The first peer of a network of four. */
export interface FreshPeer {
  readonly folder: string
  /** Its configuration file. */
  readonly config: string
  readonly genesisHash: string
  /** First of eight ports: four for gateways, then four for links, this peer's first. */
  readonly ports: number
  /** Set a key of the configuration to a value in TOML. */
  set(key: string, value: string): Promise<void>
}

/** Parameters of a network below a folder. */
interface Network {
  readonly folder: string
  readonly ports: number
  readonly genesisHash: string
}

/** Networks by folder: creating keys and proofs takes longer than the tests that use them. */
const networks = new Map<string, Promise<Network>>()
let copies = 0

async function networkBelow(root: string, nowMs: number): Promise<Network> {
  const ports = await freePorts(8)
  const folder = join(root, 'network')
  let genesisHash = ''
  await provision(
    {
      abi: NEWEST_ABI,
      folder,
      template: templatePath(ROOT, 'permissioned-4'),
      chain: FRESH_CHAIN,
      validators: 4,
      gatewayPort: ports,
      p2pPort: ports + 4,
      logLevel: 'warn',
      nowMs,
    },
    async (draft, made) => {
      genesisHash = made.genesisHash
      await writeLocalnet(draft, made)
    },
  )
  return { folder, ports, genesisHash }
}

/** Peer of a copy of the network below `root`; `nowMs`: time of its genesis. */
export async function freshPeer(root: string, nowMs: number): Promise<FreshPeer> {
  const made = networks.get(root) ?? networkBelow(root, nowMs)
  networks.set(root, made)
  const { folder: template, ports, genesisHash } = await made
  copies += 1
  const net = join(root, `net-${copies}`)
  await cp(template, net, { recursive: true })
  const folder = join(net, 'val-0')
  const config = join(folder, 'node.toml')
  return {
    folder,
    config,
    genesisHash,
    ports,
    set: async (key, value) => {
      const text = await readFile(config, 'utf8')
      await writeFile(
        config,
        text.replace(new RegExp(`^#?${key} = .*$`, 'm'), () => `${key} = ${value}`),
      )
    },
  }
}
