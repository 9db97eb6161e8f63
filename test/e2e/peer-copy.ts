/** Owns copies of a peer's folder, each with one thing wrong, and the try to start a node on them. */
import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeLocalnet } from '../../src/cli/localnet/write.js'
import { NEWEST_ABI } from '../../src/features/abi.js'
import { provision, templatePath } from '../../src/node/genesis/index.js'
import { causewayHere } from '../cli/in-process.js'
import { causeway, type Run } from '../cli/run.js'
import { freePorts, type TestNet } from './localnet.js'

/** Makes the files of a second network with the chain id of the first, which never starts; gives its folder. */
export async function otherNetwork(net: TestNet): Promise<string> {
  const folder = join(net.root, 'other-network')
  const gatewayPort = await freePorts(4)
  const options = {
    abi: NEWEST_ABI,
    folder,
    template: templatePath(process.cwd(), 'iso-demo'),
    chain: 'causeway-local',
  }
  const made = { ...options, validators: 4, logLevel: 'info', nowMs: Date.now() }
  await provision({ ...made, gatewayPort, p2pPort: gatewayPort + 4 }, writeLocalnet)
  return folder
}

/** A copy of the folder of a peer that does not run, on ports of its own. */
export class PeerCopy {
  private constructor(
    readonly folder: string,
    readonly config: string,
  ) {}

  /** The data comes along, votes included: a node without them could sign twice. */
  static async of(net: TestNet, source: string, name: string): Promise<PeerCopy> {
    const folder = join(net.root, name)
    await cp(source, folder, { recursive: true })
    const copy = new PeerCopy(folder, join(folder, 'node.toml'))
    const port = await freePorts(2)
    await copy.set('[gateway]', 'listen', `127.0.0.1:${port}`)
    await copy.set('[network]', 'listen', `127.0.0.1:${port + 1}`)
    return copy
  }

  /** Path of a file of the copy. */
  path(...parts: string[]): string {
    return join(this.folder, ...parts)
  }

  /** Changes a key of a section of the configuration; no name: those before the first section. */
  async set(section: string, key: string, value: string): Promise<void> {
    const text = await readFile(this.config, 'utf8')
    const from = text.indexOf(section)
    const at = text.indexOf(`\n${key} = `, from)
    if (from < 0 || at < 0) throw new Error(`the configuration has no ${section} ${key}`)
    const end = text.indexOf('\n', at + 1)
    await writeFile(this.config, `${text.slice(0, at)}\n${key} = ${JSON.stringify(value)}${text.slice(end)}`)
  }

  /** Runs the node until it ends by itself. */
  start(...words: string[]): Promise<Run> {
    return causeway(['node', 'start', '--config', this.config, ...words], { cwd: this.folder })
  }

  /** As `start`, in this process, for what a start says that fails. */
  startHere(...words: string[]): Promise<Run> {
    return causewayHere(['node', 'start', '--config', this.config, ...words], { cwd: this.folder })
  }
}
