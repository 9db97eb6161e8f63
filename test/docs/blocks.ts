/** Owns the running of documentation: the shell blocks of a page, one after another, in an empty folder. */
import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePorts } from '../support/ports.js'

const ROOT = process.cwd()
/** Ports that the pages write: gateways from 8080, links from 7400. A run gets free ones in their place. */
const GATEWAYS = { first: 8080, count: 10 }
const LINKS = { first: 7400, count: 10 }
/** A page that takes longer hangs, in ms. */
const PATIENCE_MS = 240_000

/** Pages whose shell blocks make up one session, from an empty folder on. */
export const SESSIONS = [
  'docs/start/local.md',
  'docs/start/watch.md',
  'docs/start/payments.md',
  'docs/start/bootstrap.md',
  'docs/operate/snapshots.md',
  'docs/operate/divergence.md',
]

/** Texts of the blocks of a page that are fenced with a language. */
export const blocksOf = (page: string, language: string): string[] =>
  [...page.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)].flatMap(([, fence, text = '']) =>
    fence === language ? [text] : [],
  )

/** What a page printed, and how it ended. */
export interface PageRun {
  readonly code: number | null
  readonly output: string
}

/** What a page takes for granted. */
export interface PageOptions {
  /** Commands before the first block. */
  readonly before?: string
  /** Blocks that are run; all of them by default. */
  readonly runs?: (block: string) => boolean
}

/** Runs all blocks of a page in one shell; what they start is ended, and the folder removed, whatever happened. */
export async function runPage(path: string, { before = '', runs = () => true }: PageOptions = {}): Promise<PageRun> {
  const page = await readFile(join(ROOT, path), 'utf8')
  const base = await freePorts(GATEWAYS.count + LINKS.count)
  const script = [before, ...blocksOf(page, 'sh').filter(runs)]
    .join('\n')
    .replace(/\b(80[89]\d|74\d\d)\b/g, (text) => {
      const port = Number(text)
      return String(port >= GATEWAYS.first ? base + port - GATEWAYS.first : base + GATEWAYS.count + port - LINKS.first)
    })
    .replace('localnet up', `localnet up --gateway-port ${base} --p2p-port ${base + GATEWAYS.count}`)
  const folder = await mkdtemp(join(tmpdir(), 'causeway-docs-'))
  // A program rather than a function, so that what runs in the background is the node itself.
  const bin = join(folder, '.bin')
  await mkdir(bin)
  const program = `#!/bin/sh\nexec "${process.execPath}" "${join(ROOT, 'bin', 'run.js')}" "$@"\n`
  await writeFile(join(bin, 'causeway'), program, { mode: 0o755 })
  await writeFile(join(bin, 'npx'), '#!/bin/sh\nexec "$@"\n', { mode: 0o755 })
  await symlink(join(ROOT, 'templates'), join(folder, 'templates'))
  const prelude = [
    'set -euo pipefail',
    // Whatever runs is ended and waited for; the exit code is that of the page.
    "trap 'code=$?; set +e; causeway localnet down >/dev/null 2>&1; kill $(jobs -p) 2>/dev/null; wait; exit $code' EXIT",
  ].join('\n')
  try {
    return await run(`${prelude}\n${script}`, folder, bin)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function run(script: string, folder: string, bin: string): Promise<PageRun> {
  return new Promise((resolve, reject) => {
    const child = spawn('bash', ['-c', script], {
      cwd: folder,
      env: { PATH: `${bin}:${process.env.PATH ?? ''}`, HOME: folder },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    const parts: Buffer[] = []
    child.stdout.on('data', (part: Buffer) => parts.push(part))
    child.stderr.on('data', (part: Buffer) => parts.push(part))
    const timer = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), PATIENCE_MS)
    child.once('error', reject)
    child.once('close', (code) => {
      clearTimeout(timer)
      resolve({ code, output: Buffer.concat(parts).toString('utf8') })
    })
  })
}
