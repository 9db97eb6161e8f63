/** A validator whose key is at a signer: two nodes over it, of which one acts, whatever is killed. */
import { type ChildProcess, spawn } from 'node:child_process'
import { copyFile, mkdir, open, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { formatPublicKey } from '../../src/crypto/index.js'
import { readKeyFile } from '../../src/files/key-file.js'
import { EXIT } from '../../src/model/errors.js'
import { EXECUTABLE, environmentOf } from '../cli/run.js'
import { getJson, TestNet, until } from './localnet.js'

/** The node that acts first, the one that stands by, and a validator that is stopped so that every vote counts. */
const [ACTIVE, STANDBY, STOPPED] = ['val-0', 'obs-0', 'val-3'] as const
/** An observer whose keys the first one takes, to stand by in its turn. */
const SPARE = 'obs-1'

let net: TestNet
let signer: ChildProcess | undefined
let validator: string

const fileOf = (name: string, ...words: string[]) => join(net.folder, name, ...words)
const logOf = (name: string) => readFile(fileOf(name, 'node.log'), 'utf8')
const signerLog = () => readFile(fileOf('signer', 'signer.log'), 'utf8').catch(() => '')

async function startSigner(...flags: string[]): Promise<void> {
  const log = await open(fileOf('signer', 'signer.log'), 'a')
  const started = (text: string): number => text.split('signer started').length
  const before = started(await signerLog())
  const words = [EXECUTABLE, 'signer', 'start', '--config', fileOf('signer', 'signer.toml'), ...flags]
  signer = spawn(process.execPath, words, { stdio: ['ignore', log.fd, log.fd], cwd: net.root, env: environmentOf({}) })
  await log.close()
  await until('the signer', async () => (started(await signerLog()) > before ? true : undefined))
}

async function killSigner(): Promise<void> {
  const ended = new Promise((resolve) => signer?.once('exit', resolve))
  signer?.kill('SIGKILL')
  await ended
}

/** Sets texts of the configuration of a node, by section and key. */
async function configure(name: string, values: readonly (readonly [section: string, key: string, value: string])[]) {
  const file = fileOf(name, 'node.toml')
  let section = ''
  const lines = (await readFile(file, 'utf8')).split('\n').map((line) => {
    section = /^\[(.+)\]$/.exec(line)?.[1] ?? section
    const found = values.find(([own, key]) => own === section && new RegExp(`^#?${key} = `).test(line))
    return found === undefined ? line : `${found[1]} = ${JSON.stringify(found[2])}`
  })
  await writeFile(file, lines.join('\n'))
}

const pay = (peer = 1) =>
  net.cli(
    ...['asset', 'transfer', '--key-file', net.keyFile('alice'), '--to', 'bob@bank'],
    ...['--asset', 'eur#bank', '--amount', '0.01', '--json', '--gateway', net.gateways[peer] ?? ''],
  )
async function paid(): Promise<void> {
  const run = await pay()
  expect(run.code, run.stdout + run.stderr).toBe(0)
}
/** A command about webhooks of the node that stands by at first. */
const hooks = async (...words: string[]) => {
  const gateway = (await net.status()).peers.find(({ name }) => name === STANDBY)?.gateway ?? ''
  return net.cli('webhook', ...words, '--key-file', net.keyFile('alice'), '--gateway', gateway, '--json')
}
const heightOf = async (gateway: string) =>
  (await getJson<{ height: number }>(gateway, '/v1/consensus/status').catch(() => undefined))?.height
const gatewayOf = async (name: string) => (await net.status()).peers.find((one) => one.name === name)?.gateway ?? ''
/** Status of the signer of a node. */
const signerOf = async (name: string) =>
  (await getJson<{ signer?: object }>(await gatewayOf(name), '/v1/consensus/status')).signer
const evidence = async () => getJson<{ items: unknown[] }>(net.gateways[1] ?? '', '/v1/consensus/evidence')

beforeAll(async () => {
  net = await TestNet.start('permissioned-4', '--observers', '2')
  await paid()
  await net.kill(ACTIVE, STANDBY, SPARE)
  const pair = await readKeyFile(fileOf(ACTIVE, 'keys', 'validator.json'))
  validator = formatPublicKey(pair.publicKey)
  await mkdir(fileOf('signer'), { mode: 0o700 })
  for (const file of ['validator.json', 'validator.json.voted']) {
    await rename(fileOf(ACTIVE, 'keys', file), fileOf('signer', file))
  }
  await copyFile(fileOf(ACTIVE, 'keys', 'network.json'), fileOf(STANDBY, 'keys', 'shared-network.json'))
  const verified = await net.cli('genesis', 'verify', fileOf(ACTIVE, 'genesis.signed'), '--json')
  const { chain_hash: chainHash } = verified.json()
  await writeFile(
    fileOf('signer', 'signer.toml'),
    [
      `chain_hash = "${chainHash}"`,
      'data_dir = "data"',
      'validator = "validator.json"',
      'socket = "signer.sock"',
      'lease_ms = 1000',
      '',
    ].join('\n'),
  )
  const place = [
    ['signer', 'socket', fileOf('signer', 'signer.sock')],
    ['signer', 'validator', validator],
  ] as const
  await configure(ACTIVE, place)
  await configure(STANDBY, [
    ...place,
    ['keys', 'network', 'keys/shared-network.json'],
    ['standby', 'validator', 'keys/validator.json'],
    ['standby', 'network', 'keys/network.json'],
  ])
  // The node may have voted for the block after its last one.
  const resumeAbove = 1 + ((await heightOf(net.gateways[1] ?? '')) ?? 0)
  await startSigner('--resume-above', String(resumeAbove))
  await paid()
  await paid()
  for (const name of [ACTIVE, STANDBY]) {
    const up = await net.up('--only', name)
    expect(up.code, up.stdout + up.stderr).toBe(0)
  }
  await net.kill(STOPPED)
})
afterAll(() => TestNet.closeAll())

describe('a validator with two nodes and one signer', () => {
  it('votes with the key of the signer, so that three of four nodes commit', async () => {
    await paid()
    expect(await signerLog()).toContain('this node acts for the validator')
    expect(await logOf(STANDBY)).toContain('takes over when the lease expires')
    expect(await signerOf(ACTIVE)).toMatchObject({
      connected: true,
      acts: true,
      lease_until_ms: expect.any(Number),
      last_signature_ms: expect.any(Number),
    })
    expect(await signerOf(STANDBY)).toMatchObject({ connected: true, acts: false })
  })

  it('decrypts its records on both nodes, including webhooks added while a node was the standby', async () => {
    const added = await hooks('create', 'http://127.0.0.1:9/', '--secret-out', join(net.root, 'hook.secret'))
    expect(added.code, added.stdout + added.stderr).toBe(0)
    expect((await hooks('list')).json()).toMatchObject({ items: [{ state: 'Active' }] })
  })

  it('votes through the other node when the active one is killed', async () => {
    await net.kill(ACTIVE)
    const killedAtMs = performance.now()
    await paid()
    if (process.env.SIGNER_VERBOSE !== undefined)
      console.log(`paid ${Math.round(performance.now() - killedAtMs)} ms after the kill`)
    expect(await logOf(STANDBY)).toContain('the lease of the other node expired: this node acts for the validator')
    expect(await signerOf(STANDBY)).toMatchObject({ connected: true, acts: true })
    const report = await net.cli('doctor', '--config', fileOf('val-1', 'node.toml'))
    expect(report.stdout).not.toContain('network key differs')
    expect((await hooks('list')).json()).toMatchObject({ items: [{ state: 'Active' }] })
  })

  it('refuses to start another node while one is active, and reports the reason', async () => {
    const up = await net.up('--only', ACTIVE)
    expect(up.code).not.toBe(0)
    expect(up.stdout + up.stderr).toContain('another node acts for this validator')
    await paid()
  })

  it('is handed over from a suspended node, which becomes the standby when it resumes', async () => {
    for (const role of ['validator', 'network']) {
      await copyFile(fileOf(SPARE, 'keys', `${role}.json`), fileOf(ACTIVE, 'keys', `spare-${role}.json`))
    }
    await configure(ACTIVE, [
      ['standby', 'validator', 'keys/spare-validator.json'],
      ['standby', 'network', 'keys/spare-network.json'],
    ])
    const up = await net.up('--only', ACTIVE)
    expect(up.code, up.stdout + up.stderr).toBe(0)
    const pid = (await net.status()).peers.find(({ name }) => name === STANDBY)?.pid ?? 0
    process.kill(pid, 'SIGSTOP')
    await paid()
    expect(await logOf(ACTIVE)).toContain('the lease of the other node expired: this node acts for the validator')
    process.kill(pid, 'SIGCONT')
    await until('the word of the node that stood still', async () =>
      (await logOf(STANDBY)).includes('this node is a standby') ? true : undefined,
    )
    await paid()
    expect(await evidence()).toMatchObject({ items: [] })
  })

  it('reports a disconnected signer, and votes again when it is back', async () => {
    await killSigner()
    await until('the word of the node', async () =>
      (await logOf(ACTIVE)).includes('the signer is not connected: this node follows') ? true : undefined,
    )
    // It gives up its lease meanwhile, and its gateway does not answer for a moment.
    await until('the status of the node', async () => {
      const { code, stdout } = await net.cli('status', '--check', '--gateway', await gatewayOf(ACTIVE))
      return code === EXIT.checkFailed && stdout.includes('its signer does not respond') ? true : undefined
    })
    const up = await net.up('--only', STOPPED)
    expect(up.code, up.stdout + up.stderr).toBe(0)
    // The other three are a quorum.
    await paid()
    await net.kill(STOPPED)
    await startSigner()
    await paid()
    expect(await evidence()).toMatchObject({ items: [] })
  })

  it('has the same chain on every running node', async () => {
    const up = await net.up('--only', STOPPED)
    expect(up.code, up.stdout + up.stderr).toBe(0)
    await paid()
    const height = await heightOf(net.gateways[1] ?? '')
    await net.agreed(5, height ?? 1)
  })
})
