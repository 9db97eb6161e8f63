/** Owns a local network of real processes for one test file: made, asked, killed, and gone at the end whatever happened. */
import { spawnSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type LocalnetStatus, localnetStatus } from '../../src/cli/localnet/status.js'
import { requireLocalnet } from '../../src/cli/settings/localnet-record.js'
import { causewayHere } from '../cli/in-process.js'
import { causeway, type Run } from '../cli/run.js'
import { freePorts, until } from '../support/ports.js'

export { freePorts, PATIENCE_MS, pause, until } from '../support/ports.js'

const PEERS = 4
/** Ports for gateways, and as many for links and for their proxies: those of four validators and some observers. */
const PORTS = 8
/** Another program may take a probed port before the nodes do. */
const TRIES = 5
/** Command line arguments of every process by id; a zombie has none. */
async function commandLines(): Promise<Map<number, readonly string[]>> {
  const found = new Map<number, readonly string[]>()
  if (process.platform !== 'linux') {
    const { stdout } = spawnSync('ps', ['-axww', '-o', 'pid=,command='], { encoding: 'utf8' })
    for (const line of stdout.split('\n')) {
      const [pid, ...words] = line.trim().split(/\s+/)
      found.set(Number(pid), words)
    }
    return found
  }
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue
    const line = await readFile(`/proc/${entry}/cmdline`, 'utf8').catch(() => '')
    found.set(Number(entry), line.split('\0'))
  }
  return found
}

/** Ids of the processes that were started with a path of or below `folder`. */
export async function processesOf(folder: string): Promise<number[]> {
  const below = (word: string): boolean => word === folder || word.startsWith(`${folder}/`)
  return [...(await commandLines())].filter(([, words]) => words.some(below)).map(([pid]) => pid)
}

/** True while threads of a process run: it has no command line any more, but may still hold files and their locks. */
async function hasThreads(pid: number): Promise<boolean> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => [])
  const states = await Promise.all(
    threads.map(async (id) => {
      const stat = await readFile(`/proc/${pid}/task/${id}/stat`, 'latin1').catch(() => '')
      return stat.slice(stat.lastIndexOf(')') + 2).charAt(0)
    }),
  )
  return states.some((state) => state !== '' && state !== 'Z' && state !== 'X')
}

/** Kills a process and waits until its id stands for nothing that runs. */
async function killHard(pids: readonly number[], folder: string): Promise<void> {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
  await until(`the end of ${pids.join(', ')}`, async () => {
    const left = await processesOf(folder)
    const running = await Promise.all(pids.map(async (pid) => left.includes(pid) || (await hasThreads(pid))))
    return running.includes(true) ? undefined : true
  })
}

/** Response to `GET` of a JSON route. */
export async function getJson<T>(gateway: string, path: string): Promise<T> {
  const answer = await fetch(`${gateway}${path}`, { headers: { accept: 'application/json' } })
  if (!answer.ok) throw new Error(`${path} answers ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as T
}

/** Temporary folders that were made and not removed yet. */
const roots = new Set<string>()

/** A network in a temporary folder. */
export class TestNet {
  private constructor(
    /** Temporary folder of the test; everything of it is below. */
    readonly root: string,
    /** Folder of the network. */
    readonly folder: string,
    readonly gateways: readonly string[],
    /** Links, `host:port`. */
    readonly links: readonly string[],
    private readonly executable: string | undefined,
  ) {}

  /** Makes and starts a network, `words` being further flags; nothing of it is left when that fails. */
  static start(manifest = 'iso-demo', ...words: string[]): Promise<TestNet> {
    return TestNet.startOf(undefined, manifest, ...words)
  }

  /** As `start`, by `causeway quickstart`, which settles a payment too. */
  static quickstart(): Promise<TestNet> {
    return TestNet.begin(undefined, (net, ports) => net.cli('quickstart', '--dir', net.folder, '--json', ...ports))
  }

  /** As `start`, with another build of the program. */
  static startOf(executable: string | undefined, manifest: string, ...words: string[]): Promise<TestNet> {
    return TestNet.begin(executable, (net, ports) => net.up('--manifest', manifest, ...ports, ...words))
  }

  private static async begin(
    executable: string | undefined,
    start: (net: TestNet, ports: readonly string[]) => Promise<Run>,
  ): Promise<TestNet> {
    const root = await mkdtemp(join(tmpdir(), 'causeway-e2e-'))
    roots.add(root)
    try {
      for (let attempt = 1; ; attempt += 1) {
        const gatewayPort = await freePorts(3 * PORTS)
        const p2pPort = gatewayPort + PORTS
        const from = (base: number) => Array.from({ length: PEERS }, (_, index) => `127.0.0.1:${base + index}`)
        const gateways = from(gatewayPort).map((address) => `http://${address}`)
        const net = new TestNet(root, join(root, `net-${attempt}`), gateways, from(p2pPort), executable)
        const ports = ['--gateway-port', String(gatewayPort), '--p2p-port', String(p2pPort)]
        const run = await start(net, ports)
        if (run.code === 0) return net
        if (attempt === TRIES || !run.stdout.includes('address_in_use')) throw new Error(run.stdout + run.stderr)
      }
    } catch (error) {
      await destroy(root)
      throw error
    }
  }

  /** The same network, its commands and the peers that they start run by another build of the program. */
  by(executable: string | undefined): TestNet {
    return new TestNet(this.root, this.folder, this.gateways, this.links, executable)
  }

  /** Folder and environment of commands of this network. */
  get surroundings() {
    return {
      cwd: this.root,
      env: { CAUSEWAY_LOCALNET: this.folder, CAUSEWAY_TIMEOUT: '60s', XDG_CONFIG_HOME: join(this.root, '.config') },
    }
  }

  /** Runs `causeway` against this network, through the gateway of the first peer unless the arguments name another. */
  cli(...words: string[]): Promise<Run> {
    return this.executable === undefined ? causewayHere(words, this.surroundings) : this.program(...words)
  }

  /** As `cli`, in a process of its own: the files that a failed command left open are closed with it. */
  program(...words: string[]): Promise<Run> {
    const { executable } = this
    return causeway(words, { ...this.surroundings, ...(executable === undefined ? {} : { executable }) })
  }

  up(...words: string[]): Promise<Run> {
    return this.cli('localnet', 'up', '--dir', this.folder, '--json', ...words)
  }

  async status(): Promise<LocalnetStatus> {
    return localnetStatus(await requireLocalnet(this.folder))
  }

  /** The status once `running` peers run and all of them say the same, at this height or above. */
  agreed(running = PEERS, height = 1): Promise<LocalnetStatus> {
    return until(`${running} peers that agree at height ${height} or above`, async () => {
      const status = await this.status()
      const whole = status.peers.filter((one) => one.running).every((one) => one.height !== null)
      return status.agreed && whole && status.running === running && (status.height ?? 0) >= height ? status : undefined
    })
  }

  /** Kills these peers with SIGKILL, all when none is named. */
  async kill(...names: string[]): Promise<void> {
    const { peers } = await this.status()
    const wanted = peers.filter((one) => names.length === 0 || names.includes(one.name))
    await killHard(
      wanted.map(({ name, pid }) => {
        if (pid === null) throw new Error(`${name} does not run`)
        return pid
      }),
      this.folder,
    )
  }

  /** Key file of an account of the network. */
  keyFile(name: string): string {
    return join(this.folder, 'dev-only-keys', `${name}.json`)
  }

  /** Ends every process of every network of this file, also of one whose start failed or is under way. */
  static async closeAll(): Promise<void> {
    await Promise.all([...roots].map(destroy))
  }
}

/** Ends every process that was started with a path below the folder, then removes the folder. */
async function destroy(root: string): Promise<void> {
  // A command that is under way may start another one meanwhile.
  for (let left = await processesOf(root); left.length > 0; left = await processesOf(root)) await killHard(left, root)
  await rm(root, { recursive: true, force: true, maxRetries: 5 })
  roots.delete(root)
}
