/** `doctor --files` ends as `node start` would: the same code for every fault that files can have, and nothing is started. */
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Finding } from '../../src/doctor/index.js'
import { linkIdentity } from '../../src/network/certificate.js'
import { type FreshPeer, freshPeer } from '../support/fresh-peer.js'
import { needs } from '../support/needs.js'
import { until } from '../support/ports.js'
import { causewayHere } from './in-process.js'
import { causeway, startCauseway, UNPRIVILEGED, unprivilegedMissing } from './run.js'

const own = linkIdentity(Buffer.alloc(32, 7))
const other = linkIdentity(Buffer.alloc(32, 8))

let root: string
let peer: FreshPeer
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'causeway-check-'))
})
afterAll(() => rm(root, { recursive: true, force: true }))
beforeEach(async () => {
  peer = await freshPeer(root, Date.now())
})

interface Fault {
  readonly code: string
  readonly message: string
  readonly exit: number
}

/** Result of a check and of a start; fails if they differ. */
async function refused(): Promise<Fault> {
  const check = await causewayHere(['doctor', '--files', '--config', peer.config, '--json'])
  const start = await causewayHere(['node', 'start', '--config', peer.config, '--json'])
  const { error } = JSON.parse(check.stdout) as { error: Fault }
  expect(start.json()).toEqual({ error })
  expect([check.code, start.code]).toEqual([error.exit, error.exit])
  return error
}

async function tls(key: string, mode: number): Promise<string> {
  const path = join(peer.folder, 'b.key')
  await writeFile(join(peer.folder, 'a.crt'), own.certificate)
  await writeFile(path, key)
  await chmod(path, mode)
  await peer.set('tls_cert', '"a.crt"')
  await peer.set('tls_key', '"b.key"')
  return path
}

test('doctor --files accepts valid files and creates nothing', async () => {
  await tls(own.privateKey, 0o600)
  const run = await causewayHere(['doctor', '--files', '--config', peer.config, '--json'])
  expect([run.code, run.json()['ready']]).toEqual([0, true])
  expect(await readdir(peer.folder)).not.toContain('data')
})

test('doctor --files refuses a TLS key that others can read', async () => {
  const path = await tls(own.privateKey, 0o644)
  const { code, message } = await refused()
  expect(code).toBe('key_file_loose')
  expect(message).toContain(path)
})

test('doctor --files refuses a TLS key of another certificate', async () => {
  const path = await tls(other.privateKey, 0o600)
  const { code, message } = await refused()
  expect(code).toBe('config_invalid')
  expect(message).toContain(path)
})

test('doctor --files reports the first of two invalid files in node startup order', async () => {
  await rm(join(peer.folder, 'keys', 'network.json'))
  await peer.set('hash', `"${'ab'.repeat(32)}"`)
  expect((await refused()).code).toBe('genesis_mismatch')
})

test('doctor --files refuses a data directory with an unknown format or without a format file', async () => {
  const data = join(peer.folder, 'data')
  await mkdir(join(data, 'blocks'), { recursive: true })
  expect((await refused()).code).toBe('data_dir_format')
  await writeFile(join(data, 'format.json'), JSON.stringify({ format: 99, chain: 'a', genesis_hash: 'b' }))
  expect((await refused()).code).toBe('data_dir_format')
})

test('doctor --files refuses a data directory that is a file or is inside a file', async () => {
  await writeFile(join(peer.folder, 'data'), '')
  expect((await causewayHere(['doctor', '--files', '--config', peer.config])).code).toBe(3)
  await peer.set('data_dir', '"data/inner"')
  expect((await causewayHere(['doctor', '--files', '--config', peer.config])).code).toBe(3)
})

test(
  'doctor --files refuses a data directory that the node cannot write to',
  needs(unprivilegedMissing()),
  async () => {
    const data = join(peer.folder, 'data')
    await chmod(root, 0o755)
    for (const path of [peer.folder, join(peer.folder, 'keys'), peer.config, join(peer.folder, 'genesis.signed')]) {
      await chown(path, UNPRIVILEGED.uid, UNPRIVILEGED.gid)
    }
    for (const name of await readdir(join(peer.folder, 'keys'))) {
      await chown(join(peer.folder, 'keys', name), UNPRIVILEGED.uid, UNPRIVILEGED.gid)
    }
    await chmod(join(peer.folder, '..'), 0o755)
    await mkdir(data, { mode: 0o755 })
    const files = ['doctor', '--files', '--config', peer.config, '--json']
    const check = await causeway(files, UNPRIVILEGED)
    const start = await causeway(['node', 'start', '--config', peer.config, '--json'], UNPRIVILEGED)
    expect([check.code, start.code]).toEqual([3, 3])
    expect((JSON.parse(check.stdout) as { error: Fault }).error.message).toContain(data)
    const doctor = await causeway(['doctor', '--config', peer.config, '--json'], UNPRIVILEGED)
    const findings = (JSON.parse(doctor.stdout) as { findings: Finding[] }).findings
    const found = findings.find((one) => one.check === 'data_dir' && one.level === 'fail')
    expect(found?.text).toContain('permission denied')
    await chown(data, UNPRIVILEGED.uid, UNPRIVILEGED.gid)
    expect((await causeway(files, UNPRIVILEGED)).code).toBe(0)
  },
)

test('doctor --bundle creates a file that is private to its owner', async () => {
  const bundle = join(peer.folder, 'bundle.json')
  await causewayHere(['doctor', '--config', peer.config, '--bundle', bundle])
  expect((await stat(bundle)).mode & 0o777).toBe(0o600)
})

test('genesis verify, genesis pin and doctor report a genesis dated in the future, and the node waits for it', async () => {
  const early = await mkdtemp(join(tmpdir(), 'causeway-ahead-'))
  try {
    const ahead = await freshPeer(early, Date.now() + 3 * 86_400_000)
    const genesis = join(ahead.folder, 'genesis.signed')
    for (const words of [
      ['genesis', 'verify', genesis],
      ['genesis', 'pin', genesis, '--config', ahead.config],
      ['doctor', '--files', '--config', ahead.config],
    ]) {
      const run = await causewayHere(words)
      expect([run.code, run.stderr], words.join(' ')).toEqual([0, expect.stringContaining('genesis is dated')])
    }
    const doctor = await causewayHere(['doctor', '--config', ahead.config, '--json'])
    const { findings } = doctor.json() as unknown as { findings: readonly Finding[] }
    expect(findings).toContainEqual(expect.objectContaining({ check: 'genesis', level: 'warn' }))
    const node = startCauseway(['node', 'start', '--first-start', '--config', ahead.config])
    const ended = new Promise((resolve) => node.once('exit', resolve))
    const status = await until('the status of the node', async () => {
      const answer = await fetch(`http://127.0.0.1:${ahead.ports}/status`).catch(() => undefined)
      return answer?.ok === true ? ((await answer.json()) as { waits_until_ms?: number }) : undefined
    })
    node.kill('SIGTERM')
    await ended
    expect(status.waits_until_ms).toBeGreaterThan(Date.now())
    expect(await readFile(join(ahead.folder, 'node.log'), 'utf8')).toContain('nodes decide no block before')
  } finally {
    await rm(early, { recursive: true, force: true })
  }
})
