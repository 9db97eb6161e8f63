/** Owns the network of a drill: its page is followed section by section, and its nodes are asked between them. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { Reader } from '../../docs/blocks.js'
import { getJson, processesOf, until } from '../localnet.js'

const NETWORK = '.causeway/localnet'

/** Runs the drills of the pages on a local network in a temporary folder. */
export class Drill {
  private constructor(private readonly reader: Reader) {}

  /** Nothing runs yet: the first page starts the network. */
  static async start(): Promise<Drill> {
    return new Drill(await Reader.start())
  }

  /** Follows sections of a page of `docs/operate/drills`; what they printed. They must succeed. */
  async follow(page: string, ...headings: string[]): Promise<string> {
    const { code, output } = await this.reader.readSections(`docs/operate/drills/${page}.md`, headings)
    expect(code, `${page}, ${headings.join(', ')}: ${output.slice(-4_000)}`).toBe(0)
    return output
  }

  /** Runs a script as a page would; what it printed and its exit code. */
  shell(script: string): Promise<{ readonly code: number | null; readonly output: string }> {
    return this.reader.shell(script)
  }

  /** Path of a file of the folder of the drill. */
  path(...words: string[]): string {
    return join(this.reader.folder, ...words)
  }

  /** Path of a file of a peer. */
  of(peer: string, ...words: string[]): string {
    return this.path(NETWORK, peer, ...words)
  }

  /** The log of a peer. */
  log(peer: string): Promise<string> {
    return readFile(this.of(peer, 'node.log'), 'utf8')
  }

  /** Waits for a text in the log of a peer. */
  logged(peer: string, text: string): Promise<true> {
    return until(`"${text}" in the log of ${peer}`, async () =>
      (await this.log(peer)).includes(text) ? true : undefined,
    )
  }

  /** URL of the gateway of `val-<index>`. */
  gateway(index: number): string {
    return this.reader.mapped(`http://127.0.0.1:808${index}`)
  }

  /** Response to `GET` of a route of `val-<index>`. */
  get<T>(index: number, path: string): Promise<T> {
    return getJson<T>(this.gateway(index), path)
  }

  /** Pays one cent through `val-<index>`. */
  async pay(index = 0): Promise<void> {
    const { code, output } = await this.tryPay(index)
    expect(code, output).toBe(0)
  }

  /** As `pay`, whatever comes of it. */
  tryPay(index = 0, ...words: string[]): Promise<{ readonly code: number | null; readonly output: string }> {
    return this.shell(
      [
        `causeway asset transfer --key-file ${NETWORK}/dev-only-keys/alice.json --gateway http://127.0.0.1:808${index}`,
        `--to bob@bank --asset eur#bank --amount 0.01`,
        ...words,
      ].join(' '),
    )
  }

  /** Waits until these peers say the same height and state root, at this height or above. */
  agreed(peers: readonly number[], height = 1): Promise<{ readonly height: number }> {
    return until(`val-${peers.join(', val-')} to agree at ${height} or above`, async () => {
      const outputs = await Promise.all(
        peers.map((index) =>
          this.get<{ height: number; state_root: string }>(index, '/v1/consensus/status').catch(() => undefined),
        ),
      )
      const [first] = outputs
      if (first === undefined || first.height < height) return undefined
      return outputs.every((one) => one?.height === first.height && one.state_root === first.state_root)
        ? first
        : undefined
    })
  }

  /** Equivocations that the network knows. */
  async evidence(index = 0): Promise<readonly unknown[]> {
    return (await this.get<{ items: readonly unknown[] }>(index, '/v1/consensus/evidence')).items
  }

  /** Sets values, in TOML, of the configuration of a peer, by section and key. */
  async configure(
    peer: string,
    values: readonly (readonly [section: string, key: string, value: string])[],
  ): Promise<void> {
    const file = this.of(peer, 'node.toml')
    let section = ''
    const lines = (await readFile(file, 'utf8')).split('\n').map((line) => {
      section = /^\[(.+)\]$/.exec(line)?.[1] ?? section
      const found = values.find(([own, key]) => own === section && new RegExp(`^#?${key} = `).test(line))
      return found === undefined ? line : `${found[1]} = ${found[2]}`
    })
    await writeFile(file, lines.join('\n'))
  }

  /** Ends all that was started in the folder, and removes it. */
  async end(): Promise<void> {
    for (const pid of await processesOf(this.reader.folder)) {
      try {
        process.kill(pid, 'SIGKILL')
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
      }
    }
    await this.reader.end()
  }
}
