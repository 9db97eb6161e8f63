/** Owns the running of documentation: the shell blocks of pages, one after another. */
import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePorts } from '../support/ports.js'

const ROOT = process.cwd()
/** Ports that the pages write: gateways from 8080, links from 7400. A run gets free ones in their place. */
const GATEWAYS = { first: 8080, count: 10 }
const LINKS = { first: 7400, count: 10 }
/** A page that takes longer hangs, in ms: the longest one takes a minute and a half where nothing else runs. */
export const PATIENCE_MS = 600_000
/** Maximum wait for a command: a slow machine is not a fault of a page. */
const COMMAND_PATIENCE = '120s'

/**
 * Pages whose shell blocks are run, by the folder that they share: the first page finds it empty, and what is up when a page
 * ends is there for the next one, as for a reader who goes on.
 */
export const SESSIONS: readonly (readonly string[])[] = [
  [
    // The validator that it restores votes again some blocks later, which the next two pages make.
    'docs/operate/snapshots.md',
    'docs/start/payments.md',
    'README.md',
    'docs/start/watch.md',
    'docs/operate/divergence.md',
    'docs/start/local.md',
  ],
  ['docs/operate/pruning.md'],
  ['docs/start/bootstrap.md'],
  ['docs/start/conference.md'],
  ['docs/start/webhooks.md'],
  ['docs/start/explorer.md'],
  ['docs/start/warehouse.md'],
  ['docs/start/staking.md'],
  ['docs/start/spaces.md'],
  ['docs/start/names.md'],
  ['docs/start/contracts.md'],
  ['docs/start/finance.md'],
  ['docs/start/registry.md'],
  ['docs/start/governance.md'],
]

/** Texts of the blocks of a page that are fenced with a language. */
export const blocksOf = (page: string, language: string): string[] =>
  [...page.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)].flatMap(([, fence, text = '']) =>
    fence === language ? [text] : [],
  )

/** Text below a heading of a page, up to the next one. */
function sectionOf(page: string, heading: string): string {
  const [, section] = page.split(`\n## ${heading}\n`)
  if (section === undefined) throw new Error(`the page has no section "${heading}"`)
  return section.split(/\n## /)[0] ?? ''
}

/** Line of a page whose command is refused, with its exit code and a word of its output if the page gives them. */
const REFUSED = /^(.*\S) \|\| (echo "[^"]*\$\?")(?: +# ([0-9]+)(?:, (\S+))?)?$/gm

/** Script that ends with an error where a command that a page shows as refused succeeds or fails for another reason. */
export const withRefusals = (script: string): string =>
  script.replace(REFUSED, (_line, command: string, echo: string, code = '', word = '') =>
    [
      `if ${command} > .refused 2>&1; then cat .refused; echo 'the page shows this as refused' >&2; exit 1; else refused=$?; fi`,
      `cat .refused; (exit $refused) || ${echo}`,
      ...(code === '' ? [] : [`[ $refused = ${code} ]`]),
      ...(word === '' ? [] : [`grep -q ${word} .refused`]),
    ].join('\n'),
  )

/** Output and end of a page. */
export interface PageRun {
  readonly code: number | null
  readonly output: string
}

/** Runs the commands of pages in one folder, with the program on the path and free ports. */
export class Reader {
  /** True once a network has its ports, which it keeps. */
  private hasNetwork = false

  private constructor(
    /** Folder in which the pages are followed. */
    readonly folder: string,
    private readonly base: number,
  ) {}

  static async start(): Promise<Reader> {
    const folder = await mkdtemp(join(tmpdir(), 'causeway-docs-'))
    // A program rather than a function, so that what runs in the background is the node itself.
    const bin = join(folder, '.bin')
    await mkdir(bin)
    const program = `#!/bin/sh\nexec "${process.execPath}" "${join(ROOT, 'bin', 'run.js')}" "$@"\n`
    await writeFile(join(bin, 'causeway'), program, { mode: 0o755 })
    await writeFile(join(bin, 'npx'), '#!/bin/sh\nexec "$@"\n', { mode: 0o755 })
    await symlink(join(ROOT, 'templates'), join(folder, 'templates'))
    return new Reader(folder, await freePorts(GATEWAYS.count + LINKS.count))
  }

  /**
   * Runs all blocks of a page in one shell, but those that install the program: it is here. `goesOn`: the network that the
   * page would end is left to the next one.
   */
  async read(path: string, { goesOn }: { readonly goesOn: boolean }): Promise<PageRun> {
    const page = await readFile(join(ROOT, path), 'utf8')
    const blocks = blocksOf(page, 'sh').filter((block) => !block.includes('npm ci'))
    const script = blocks.join('\n')
    return this.shell(goesOn ? script.replace(/^(npx )?causeway localnet down$/gm, '') : script)
  }

  /** Runs the blocks below these headings of a page, one after another, in one shell. */
  async readSections(path: string, headings: readonly string[]): Promise<PageRun> {
    const page = await readFile(join(ROOT, path), 'utf8')
    return this.shell(headings.flatMap((heading) => blocksOf(sectionOf(page, heading), 'sh')).join('\n'))
  }

  /** Runs a script that is written as pages are, with the ports that they write. */
  shell(script: string): Promise<PageRun> {
    return this.run(this.withPorts(this.mapped(withRefusals(script))))
  }

  /** A text with the ports of this reader in the place of those that pages write. */
  mapped(text: string): string {
    const { base } = this
    return text.replace(/\b(80[89]\d|74\d\d)\b/g, (found) => {
      const port = Number(found)
      return String(port >= GATEWAYS.first ? base + port - GATEWAYS.first : base + GATEWAYS.count + port - LINKS.first)
    })
  }

  /** Ends what runs and removes the folder. */
  async end(): Promise<void> {
    await this.run('causeway localnet down')
    await rm(this.folder, { recursive: true, force: true })
  }

  private withPorts(script: string): string {
    if (this.hasNetwork || !script.includes('localnet up')) return script
    this.hasNetwork = true
    const ports = `--gateway-port ${this.base} --p2p-port ${this.base + GATEWAYS.count}`
    return script.replace('localnet up', `localnet up ${ports}`)
  }

  /** Runs a script; what it leaves in the background is ended and waited for, and the exit code is that of the script. */
  private run(script: string): Promise<PageRun> {
    const prelude = "set -euo pipefail\ntrap 'code=$?; set +e; kill $(jobs -p) 2>/dev/null; wait; exit $code' EXIT"
    return runShell(`${prelude}\n${script}`, this.folder)
  }
}

function runShell(script: string, folder: string): Promise<PageRun> {
  return new Promise((resolve, reject) => {
    const child = spawn('bash', ['-c', script], {
      cwd: folder,
      env: {
        PATH: `${join(folder, '.bin')}:${process.env.PATH ?? ''}`,
        HOME: folder,
        CAUSEWAY_TIMEOUT: COMMAND_PATIENCE,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    const parts: Buffer[] = []
    child.stdout.on('data', (part: Buffer) => parts.push(part))
    child.stderr.on('data', (part: Buffer) => parts.push(part))
    const { pid } = child
    const timer = setTimeout(() => {
      if (pid !== undefined) process.kill(-pid, 'SIGKILL')
    }, PATIENCE_MS)
    child.once('error', reject)
    child.once('close', (code) => {
      clearTimeout(timer)
      resolve({ code, output: Buffer.concat(parts).toString('utf8') })
    })
  })
}
