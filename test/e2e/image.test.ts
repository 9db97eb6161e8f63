/**
 * The container image of `templates/docker/Dockerfile`, built by buildah on a base made of Debian packages: four
 * containers agree on a payment, a killed one catches up, and each is replaced by an image of the next release.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import {
  chown,
  copyFile,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeLocalnet } from '../../src/cli/localnet/write.js'
import { NEWEST_ABI } from '../../src/features/abi.js'
import { provision, templatePath } from '../../src/node/genesis/index.js'
import { causewayHere } from '../cli/in-process.js'
import { ROOT } from '../cli/run.js'
import { needs } from '../support/needs.js'
import { freePorts, getJson, until } from './localnet.js'

/** Base of the image, as the Dockerfile names it, and the release of Debian that it is made of. */
const BASE = 'docker.io/library/node:24-bookworm-slim'
const DEBIAN = 'bookworm'
/** Program of the base: Node 24 of `test/heavy/runtimes`. */
const NODE = join(ROOT, 'test', 'heavy', 'runtimes', 'node_modules', `node-24-linux-${process.arch}`, 'bin', 'node')
/** Script that installs the folders below `test/heavy`. */
const HEAVY = join(ROOT, 'scripts', 'heavy.mjs')
const CERTIFICATES = 'etc/ssl/certs/ca-certificates.crt'
/** User `node` of the base, which runs the program. */
const USER = 1_000
const PEERS = 4
/** Version of the second image. */
const NEXT_VERSION = '0.2.1'
/** Variable by which the processes of a container are found. */
const CONTAINER = 'CAUSEWAY_TEST_CONTAINER'

const lacks = (program: string): boolean => spawnSync(program, ['--version']).error !== undefined
const MISSING =
  process.getuid?.() !== 0
    ? 'only root makes a base image of Debian packages'
    : lacks('buildah') || lacks('debootstrap')
      ? 'buildah or debootstrap is not installed'
      : undefined

/** Environment of buildah: it changes the root folder of a container and needs no further privileges. */
const ENVIRONMENT = { ...process.env, STORAGE_DRIVER: 'vfs', BUILDAH_ISOLATION: 'chroot' }

/** Runs a program to its end and returns its standard output; throws with all output if it fails. */
function run(program: string, words: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, { env: ENVIRONMENT, stdio: ['ignore', 'pipe', 'pipe'] })
    const [out, all]: [Buffer[], Buffer[]] = [[], []]
    child.stdout.on('data', (part: Buffer) => out.push(part))
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => all.push(part))
    child.once('error', reject)
    child.once('close', (code) => {
      if (code === 0) resolve(Buffer.concat(out).toString('utf8').trim())
      else
        reject(new Error(`${program} ${words.join(' ')} ended with ${code}:\n${Buffer.concat(all).toString('utf8')}`))
    })
  })
}

let root: string
/** Flags of buildah that keep images and containers in the folder of the test. */
const store = (): string[] => ['--root', join(root, 'images'), '--runroot', join(root, 'run')]
const buildah = (...words: string[]): Promise<string> => run('buildah', [...store(), ...words])

/** Makes the base: Debian with Node 24 and npm of this machine, which trusts the certificates of this machine. */
async function makeBase(): Promise<void> {
  const folder = join(root, 'base')
  await run(process.execPath, ['-e', `import(${JSON.stringify(HEAVY)}).then((heavy) => heavy.installRuntimes())`])
  await run('debootstrap', ['--variant=minbase', '--include=ca-certificates', DEBIAN, folder])
  const modules = join(folder, 'usr', 'local', 'lib', 'node_modules')
  await mkdir(modules, { recursive: true })
  await copyFile(NODE, join(folder, 'usr', 'local', 'bin', 'node'))
  const npm = join(dirname(await realpath(await run('which', ['npm']))), '..')
  await cp(npm, join(modules, 'npm'), { recursive: true })
  await symlink('../lib/node_modules/npm/bin/npm-cli.js', join(folder, 'usr', 'local', 'bin', 'npm'))
  await copyFile(join('/', CERTIFICATES), join(folder, CERTIFICATES))
  await run('chroot', [folder, 'useradd', '--create-home', '--uid', String(USER), 'node'])
  const container = await buildah('from', 'scratch')
  await buildah('add', '--quiet', container, folder, '/')
  await buildah('config', '--env', `NODE_EXTRA_CA_CERTS=/${CERTIFICATES}`, container)
  await buildah('commit', '--quiet', '--rm', container, BASE)
  await rm(folder, { recursive: true })
}

/** Builds the image from the sources of this tree, under another version if one is given. */
async function buildImage(tag: string, version?: string): Promise<void> {
  const folder = join(root, 'sources')
  await mkdir(folder)
  const names = await run('git', [
    '-C',
    ROOT,
    'ls-files',
    '--cached',
    '--others',
    '--exclude-standard',
    '--deduplicate',
  ])
  for (const name of names.split('\n')) await cp(join(ROOT, name), join(folder, name)).catch(ignoreMissing)
  if (version !== undefined)
    for (const name of ['package.json', 'package-lock.json']) {
      const path = join(folder, name)
      const own = JSON.parse(await readFile(path, 'utf8')) as { packages?: Record<string, object> }
      const packages = own.packages && { ...own.packages, '': { ...own.packages[''], version } }
      await writeFile(path, JSON.stringify({ ...own, version, ...(packages && { packages }) }))
    }
  const file = join(folder, 'templates', 'docker', 'Dockerfile')
  await buildah('build', '--quiet', '--pull-never', '--layers=false', '--format=docker', '-f', file, '-t', tag, folder)
  await rm(folder, { recursive: true })
}

/** A file that git lists may have been removed from the tree. */
function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}

/** One node in a container: its folders stay when the container is replaced. */
class Peer {
  private child: ChildProcess | undefined
  private output = ''
  private starts = 0

  constructor(
    readonly name: string,
    readonly gateway: string,
    private readonly folder: string,
    private readonly data: string,
  ) {}

  /** Starts a new container of an image with the command of the image, plus these words. */
  async start(image: string, ...words: string[]): Promise<void> {
    this.starts += 1
    const container = await buildah('from', '--name', `${this.name}-${this.starts}`, '--pull-never', image)
    const inspect = (field: string): Promise<string> =>
      buildah('inspect', '--format', `{{range .Docker.Config.${field}}}{{.}} {{end}}`, container)
    const command = `${await inspect('Entrypoint')} ${await inspect('Cmd')}`.split(' ').filter((word) => word !== '')
    // Below the volume of the image: buildah gives each container a volume of its own at that path.
    const mounts = [`${this.folder}:/etc/causeway`, `${this.data}:/var/lib/causeway/data`]
    this.output = ''
    this.child = spawn(
      'buildah',
      [
        ...[...store(), 'run', '--user', 'node'],
        ...['--env', `${CONTAINER}=${this.data}`, ...mounts.flatMap((mount) => ['--volume', mount])],
        ...[container, '--', ...command, ...words],
      ],
      { env: ENVIRONMENT, stdio: ['ignore', 'pipe', 'pipe'] },
    )
    for (const stream of [this.child.stdout, this.child.stderr])
      stream?.on('data', (part: Buffer) => {
        this.output = (this.output + part.toString('utf8')).slice(-4_000)
      })
    await until(`the start of ${this.name}`, async () => {
      if (this.child?.exitCode !== null)
        throw new Error(`${this.name} ended with ${this.child?.exitCode}: ${this.output}`)
      const health = await getJson<{ status: string }>(this.gateway, '/health').catch(() => undefined)
      return health === undefined || health.status === 'starting' ? undefined : true
    })
  }

  /** Sends a signal to the node, and returns the exit code of the container. */
  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
    const { child } = this
    if (child === undefined) return null
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
    for (const pid of await processesIn(this.data)) process.kill(pid, signal)
    const code = await ended
    this.child = undefined
    await buildah('rm', `${this.name}-${this.starts}`)
    return code
  }
}

/** Ids of the program's processes in the container with these data. */
async function processesIn(data: string): Promise<number[]> {
  const found: number[] = []
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue
    const read = (file: string): Promise<string> => readFile(`/proc/${entry}/${file}`, 'utf8').catch(() => '')
    const [environment, words] = [await read('environ'), (await read('cmdline')).split('\0')]
    if (environment.split('\0').includes(`${CONTAINER}=${data}`) && words[0]?.endsWith('node') === true)
      found.push(Number(entry))
  }
  return found
}

describe('the container image', needs(MISSING), () => {
  const peers: Peer[] = []
  let folder: string
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'causeway-image-'))
    await makeBase()
    await buildImage('localhost/causeway:this')
    await buildImage('localhost/causeway:next', NEXT_VERSION)
    folder = join(root, 'net')
    const base = await freePorts(2 * PEERS)
    const made = { abi: NEWEST_ABI, folder, template: templatePath(ROOT, 'iso-demo'), chain: 'image', logLevel: 'info' }
    const options = { ...made, validators: PEERS, gatewayPort: base, p2pPort: base + PEERS, nowMs: Date.now() }
    await provision(options, writeLocalnet)
    for (let index = 0; index < PEERS; index += 1) {
      const name = `val-${index}`
      const data = join(root, 'data', name)
      await mkdir(data, { recursive: true })
      await chown(data, USER, USER)
      await run('chown', ['-R', `${USER}:${USER}`, join(folder, name)])
      peers.push(new Peer(name, `http://127.0.0.1:${base + index}`, join(folder, name), data))
    }
  })
  afterAll(async () => {
    for (const peer of peers) await peer.end('SIGKILL')
    if (root !== undefined) await rm(root, { recursive: true, force: true })
  })

  /** Pays one euro from alice to bob at a gateway, until it is committed. */
  async function pay(peer: Peer): Promise<void> {
    const key = join(folder, 'dev-only-keys', 'alice.json')
    const words = ['--to', 'bob@bank', '--asset', 'eur#bank', '--amount', '1', '--key-file', key, '--yes', '--json']
    const paid = await causewayHere(['asset', 'transfer', ...words, '--gateway', peer.gateway, '--timeout', '120s'], {
      cwd: root,
    })
    expect(paid.code, paid.stdout + paid.stderr).toBe(0)
  }

  /** Waits until all peers report one height, block and state root, and bob has this many euros more than at first. */
  async function agree(euros: number): Promise<void> {
    await until('one state of all peers', async () => {
      const states = await Promise.all(
        peers.map(async ({ gateway }) => {
          const status = await getJson<Record<string, unknown>>(gateway, '/v1/consensus/status')
          return JSON.stringify([status['height'], status['block_hash'], status['state_root']])
        }),
      )
      return new Set(states).size === 1 ? true : undefined
    })
    for (const { gateway, name } of peers) {
      const { balances } = await getJson<{ balances: { definition: string; amount: string }[] }>(
        gateway,
        '/v1/accounts/bob@bank',
      )
      const held = Number(balances.find((one) => one.definition === 'eur#bank')?.amount)
      expect(held, name).toBe(1_000_000 + euros)
    }
  }

  it('runs four validators that commit a payment with one state root', async () => {
    await Promise.all(peers.map((peer) => peer.start('localhost/causeway:this', '--first-start')))
    await pay(peers[0]!)
    await agree(1)
  })

  it('catches up after a node was killed and its container was replaced', async () => {
    const [first, killed] = peers as [Peer, Peer]
    await killed.end('SIGKILL')
    await pay(first)
    await killed.start('localhost/causeway:this')
    await pay(killed)
    await agree(3)
  })

  it('is upgraded node by node with the data of each, while the others commit payments', async () => {
    for (const [index, peer] of peers.entries()) {
      expect(await peer.end('SIGTERM'), peer.name).toBe(0)
      await pay(peers[(index + 1) % PEERS]!)
      await peer.start('localhost/causeway:next')
      expect(await getJson(peer.gateway, '/health')).toMatchObject({ version: NEXT_VERSION })
    }
    await pay(peers[0]!)
    await agree(8)
  })
})
