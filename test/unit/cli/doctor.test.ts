import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer as createTlsServer } from 'node:tls'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { formatPublicKey } from '../../../src/crypto/index.js'
import { bundleOf, CHECKS, examineNode, type Finding, NO_ACCESS } from '../../../src/doctor/index.js'
import { MACHINE, type Machine } from '../../../src/doctor/machine.js'
import { restoredHint } from '../../../src/doctor/vote-log.js'
import { readKeyFile } from '../../../src/files/key-file.js'
import { readGatewayTls } from '../../../src/gateway/index.js'
import { keyString, type Peer } from '../../../src/model/index.js'
import { linkIdentity } from '../../../src/network/certificate.js'
import { serverOptions } from '../../../src/network/tls.js'
import type { NodeConfig } from '../../../src/node/config/index.js'
import { joiningFolder, openDataDir } from '../../../src/storage/index.js'
import { IntegrationStore } from '../../../src/storage/integration-store.js'
import { FRESH_CHAIN, type FreshPeer, freshPeer } from '../../support/fresh-peer.js'

const NOW_MS = Date.UTC(2026, 0, 1)

let root = ''
let peer: FreshPeer
let folder = ''
let config = ''

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'causeway-doctor-'))
})
afterAll(() => rm(root, { recursive: true, force: true }))

beforeEach(async () => {
  peer = await freshPeer(root, NOW_MS)
  ;({ folder, config } = peer)
})

const examineOn = async (machine: Partial<Machine>): Promise<readonly Finding[]> =>
  (await examineNode(config, NOW_MS, NO_ACCESS, { ...MACHINE, ...machine })).findings
const examine = (): Promise<readonly Finding[]> => examineOn({})
const of = (findings: readonly Finding[], check: string, level: Finding['level']): Finding | undefined =>
  findings.find((one) => one.check === check && one.level === level)
const failures = (findings: readonly Finding[]): string[] =>
  findings.filter((one) => one.level === 'fail').map((one) => one.check)

const openData = (genesisHash: Uint8Array = Buffer.from(peer.genesisHash, 'hex'), chain = FRESH_CHAIN) =>
  openDataDir(join(folder, 'data'), { chain, genesisHash })
/** Holds the data directory, or a folder that stands for it, as a process of its use does while `work` runs. */
async function used<T>(use: 'node' | 'command', work: () => Promise<T>, place = join(folder, 'data')): Promise<T> {
  const dir = await openDataDir(place, { chain: FRESH_CHAIN, genesisHash: Buffer.from(peer.genesisHash, 'hex') }, use)
  try {
    return await work()
  } finally {
    await dir.close()
  }
}

/** Holds a port while `work` runs. */
async function holding<T>(port: number, work: () => Promise<T>, onConnect?: (socket: Socket) => void): Promise<T> {
  const server = await new Promise<Server>((resolve) => {
    const one = createServer(onConnect)
    one.listen(port, '127.0.0.1', () => resolve(one))
  })
  try {
    return await work()
  } finally {
    await new Promise((resolve) => server.close(resolve))
  }
}

describe('doctor for a peer that is ready to start', () => {
  it('finds no failure, and reports that the other peers are not running', async () => {
    const findings = await examine()
    expect(failures(findings)).toEqual([])
    expect(findings.filter((one) => one.check === 'peers' && one.level === 'warn')).toHaveLength(3)
    expect(of(findings, 'topology', 'ok')).toBeDefined()
    expect(of(findings, 'gateway', 'skip')?.text).toContain('is not running')
  })

  it('reaches a running peer, and identifies it by its key', async () => {
    const findings = await listening(await networkKeyOf('val-1'), examine)
    const reached = findings.filter((one) => one.check === 'peers' && one.level === 'ok')
    expect(reached.map(({ text }) => text)).toEqual([expect.stringContaining(`127.0.0.1:${peer.ports + 5}`)])
  })
})

/** The network key of another peer of the same network. */
const networkKeyOf = async (name: string): Promise<Buffer> =>
  (await readKeyFile(join(folder, '..', name, 'keys', 'network.json'))).secret

/** Listens at the address of the second peer, with a network key, while `work` runs. */
async function listening<T>(seed: Uint8Array, work: () => Promise<T>): Promise<T> {
  const server = createTlsServer(serverOptions(linkIdentity(seed)))
  server.on('tlsClientError', () => undefined)
  await new Promise<void>((resolve) => server.listen(peer.ports + 5, '127.0.0.1', resolve))
  try {
    return await work()
  } finally {
    await new Promise((resolve) => server.close(resolve))
  }
}

describe('doctor reports', () => {
  it('an unknown configuration key, with a suggestion', async () => {
    await writeFile(config, (await readFile(config, 'utf8')).replace('data_dir =', 'data_dri ='))
    const findings = await examine()
    expect(of(findings, 'config', 'fail')?.text).toContain('did you mean data_dir?')
    expect(of(findings, 'genesis', 'skip')).toBeDefined()
  })

  it('a missing configuration file', async () => {
    await rm(config)
    expect(of(await examine(), 'config', 'fail')?.text).toContain(config)
  })

  it('an unpinned genesis', async () => {
    await peer.set('hash', `"${'0'.repeat(64)}"`)
    expect(of(await examine(), 'genesis', 'fail')?.try).toContain('genesis pin')
  })

  it('a genesis file with another hash', async () => {
    await peer.set('hash', `"${'ab'.repeat(32)}"`)
    expect(of(await examine(), 'genesis', 'fail')?.text).toContain(peer.genesisHash)
  })

  it('a genesis file with one changed byte', async () => {
    const path = join(folder, 'genesis.signed')
    const bytes = await readFile(path)
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
    await writeFile(path, bytes)
    expect(failures(await examine())).toContain('genesis')
  })

  it('a key file readable by others, and can fix it', async () => {
    const path = join(folder, 'keys', 'network.json')
    await chmod(path, 0o644)
    const found = of(await examine(), 'key.network', 'fail')
    expect(found?.text).toContain('644')
    await found?.fix?.()
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect(failures(await examine())).toEqual([])
  })

  it('a folder in place of a key file, without changing its mode', async () => {
    const path = join(folder, 'keys', 'validator.json')
    await rm(path)
    await mkdir(path, { mode: 0o755 })
    const found = of(await examine(), 'key.validator', 'fail')
    expect(found).toBeDefined()
    expect(found?.fix).toBeUndefined()
  })

  it('a missing key file', async () => {
    await rm(join(folder, 'keys', 'validator.json'))
    const findings = await examine()
    expect(of(findings, 'key.validator', 'fail')?.text).toContain('validator.json')
    expect(of(findings, 'topology', 'skip')).toBeDefined()
  })

  it('a key of the wrong kind', async () => {
    await peer.set('validator', '"keys/network.json"')
    expect(of(await examine(), 'key.validator', 'fail')?.text).toContain('expected a bls key')
  })

  it('keys of a peer that is not in the genesis', async () => {
    await rm(join(folder, 'keys', 'validator.json'))
    const { makeKeyFile } = await import('../../../src/cli/settings/key-view.js')
    await makeKeyFile('bls', join(folder, 'keys', 'validator.json'), 'cw')
    expect(of(await examine(), 'topology', 'warn')?.text).toContain('the topology has no peer')
  })

  it('a data directory of another network', async () => {
    const dir = await openData(Buffer.alloc(32, 7), 'other')
    await dir.close()
    expect(of(await examine(), 'data_dir', 'fail')?.text).toContain('07'.repeat(32))
  })

  it('a data directory that is a file', async () => {
    await writeFile(join(folder, 'data'), '')
    expect(of(await examine(), 'data_dir', 'fail')?.text).toContain('is not a folder')
  })

  it('a store of integrations that does not open', async () => {
    const dir = await openData()
    await dir.close()
    expect(of(await examine(), 'integrations', 'ok')?.text).toContain('no webhook, device or passkey is stored')
    await writeFile(join(folder, 'data', 'integrations'), '')
    expect(of(await examine(), 'integrations', 'fail')).toBeDefined()
  })

  it('the store of another user as skipped, without changing it', async () => {
    const dir = await openData()
    await dir.close()
    const store = join(folder, 'data', 'integrations')
    const made = new IntegrationStore(store, Buffer.alloc(32))
    await made.write([['webhook:h:1', Buffer.from([1])]], true)
    await made.close()
    const files = async () => (await readdir(store)).sort()
    const before = await files()
    const uid = vi.spyOn(process as { getuid: () => number }, 'getuid').mockReturnValue(4_242)
    try {
      expect(of(await examine(), 'integrations', 'skip')?.text).toContain('another user')
    } finally {
      uid.mockRestore()
    }
    expect(await files()).toEqual(before)
    expect(of(await examine(), 'integrations', 'ok')?.text).toContain('1 records')
  })

  it('a missing vote log', async () => {
    const dir = await openData()
    await dir.close()
    expect(of(await examine(), 'data_dir', 'warn')?.text).toContain('vote log')
  })

  it('no missing vote log with a signer, or for an observer', async () => {
    await openData().then((dir) => dir.close())
    const keys = { validator: join(folder, 'keys', 'validator.json') } as NodeConfig['keys']
    const { publicKey } = await readKeyFile(keys.validator)
    const own = { key: keyString(publicKey.bytes) } as Peer
    const hint = (role: Peer['role']) => restoredHint({ keys, signer: undefined }, [{ ...own, role }])
    expect(await hint('validator')).toContain('as a validator it abstains')
    expect(await hint('observer')).toMatch(/it syncs the missing blocks\.$/)
    const signer = `[signer]\nsocket = "signer.sock"\nvalidator = "${formatPublicKey(publicKey)}"\n`
    await writeFile(config, (await readFile(config, 'utf8')).replace(/^#?\[signer\]$/m, signer))
    expect(of(await examine(), 'data_dir', 'ok')?.text).toContain('not in use')
  })

  it('a missing bridge key and a missing rotated key', async () => {
    await peer.set('bridge', '"keys/none.json"')
    await peer.set('next_validator', '"keys/next.json"')
    const findings = await examine()
    expect(of(findings, 'key.bridge', 'fail')?.text).toContain('none.json')
    expect(of(findings, 'key.next_validator', 'fail')?.text).toContain('next.json')
  })

  it('an outdated runtime, and native libraries that do not load', async () => {
    const found = await examineOn({ nodeVersion: '18.20.0', bls: async () => 'noble', fastEd25519: async () => false })
    expect(of(found, 'node', 'fail')?.try).toContain('20.19')
    expect(of(found, 'bls', 'warn')?.text).toContain('JavaScript')
    expect(of(found, 'ed25519', 'ok')?.text).toContain('runtime')
  })

  it('a nearly full disk', async () => {
    const mib = 2 ** 20
    expect(of(await examineOn({ freeBytes: async () => 100 * mib }), 'disk', 'fail')?.text).toContain('100 MiB')
    expect(of(await examineOn({ freeBytes: async () => 1_000 * mib }), 'disk', 'warn')?.text).toContain('1000 MiB')
    expect(of(await examineOn({ freeBytes: async () => 9_000 * mib }), 'disk', 'ok')).toBeDefined()
  })

  it('a slow disk and a read-only disk', async () => {
    await openData().then((dir) => dir.close())
    expect(of(await examineOn({ syncMs: async () => 80 }), 'fsync', 'warn')?.text).toContain('80.0 ms')
    const full = Object.assign(new Error('no space'), { code: 'ENOSPC' })
    expect(of(await examineOn({ syncMs: () => Promise.reject(full) }), 'fsync', 'fail')?.text).toContain('full')
    expect(of(await examine(), 'fsync', 'ok')).toBeDefined()
    expect((await readdir(join(folder, 'data'))).filter((name) => name.includes('doctor'))).toEqual([])
  })

  it('too few open files', async () => {
    const limits = async () =>
      'Limit  Soft  Hard\nMax open files            1024                 4096                 files\n'
    expect(of(await examineOn({ limits }), 'open_files', 'warn')?.try).toContain('ulimit')
    expect(of(await examineOn({ limits: async () => '' }), 'open_files', 'ok')).toBeUndefined()
  })

  it('a peer address that is unreachable, or used by another peer or program', async () => {
    const others = (await examine()).filter(({ check }) => check === 'peers')
    expect(others.map(({ level }) => level)).toEqual(['warn', 'warn', 'warn'])
    expect(of(others, 'peers', 'warn')?.text).toContain(`127.0.0.1:${peer.ports + 5}: ECONNREFUSED`)
    const mute = await holding(peer.ports + 5, examine, (socket) => socket.resume().end())
    expect(mute.map(({ text }) => text)).toContainEqual(expect.stringContaining('closed the connection'))
    const impostor = await listening(await networkKeyOf('val-2'), examine)
    expect(of(impostor, 'peers', 'fail')?.text).toContain('its network key differs')
    const outsider = await holding(peer.ports + 5, examine, (socket) => {
      socket.on('error', () => undefined).resume()
      socket.end('220 mail\r\n')
    })
    expect(of(outsider, 'peers', 'fail')?.text).toContain('does not use the peer protocol')
  })

  it('a port used by another program', async () => {
    const findings = await holding(peer.ports, examine)
    expect(of(findings, 'ports', 'fail')?.text).toContain(`gateway.listen 127.0.0.1:${peer.ports}`)
  })

  it('a data directory in use by a node whose gateway does not answer', async () => {
    expect(of(await used('node', examine), 'gateway', 'fail')).toBeDefined()
  })

  it('no port conflict for the node that fills its data directory from a snapshot', async () => {
    const joining = joiningFolder(join(folder, 'data'))
    const held = () => used('node', examine, joining)
    const findings = await holding(peer.ports, held, (socket) => void socket.destroy())
    expect(of(findings, 'ports', 'fail')).toBeUndefined()
    expect(of(findings, 'data_dir', 'ok')?.text).toContain('being filled from a snapshot')
  })

  it('a command as the user of the data directory, and opens no store', async () => {
    const findings = await used('command', async () => {
      await mkdir(join(folder, 'data', 'integrations'))
      await writeFile(join(folder, 'data', 'votes.log'), '')
      return examine()
    })
    expect(of(findings, 'data_dir', 'ok')?.text).toContain(`a command, process ${process.pid}`)
    expect(of(findings, 'gateway', 'skip')?.text).toContain('is not running')
    expect(of(findings, 'integrations', 'skip')?.text).toContain('a command')
  })

  it('data without its format file', async () => {
    await mkdir(join(folder, 'data', 'blocks'), { recursive: true })
    expect(of(await examine(), 'data_dir', 'fail')?.text).toContain('format.json')
  })

  describe('gateway TLS files with', () => {
    const identity = linkIdentity(Buffer.alloc(32, 7))
    async function tls(certificate: string, key: string, mode = 0o600): Promise<void> {
      await mkdir(join(folder, 'tls'))
      await writeFile(join(folder, 'tls', 'gateway.crt'), certificate)
      await writeFile(join(folder, 'tls', 'gateway.key'), key, { mode })
      await peer.set('tls_cert', '"tls/gateway.crt"')
      await peer.set('tls_key', '"tls/gateway.key"')
    }

    it('invalid content', async () => {
      await tls('no certificate', 'no key')
      expect(of(await examine(), 'tls', 'fail')?.text).toContain('gateway.crt')
    })

    it('a key readable by others', async () => {
      await tls(identity.certificate, identity.privateKey, 0o644)
      const found = of(await examine(), 'tls', 'fail')
      expect(found?.text).toContain('gateway.key')
      expect(found?.text).toContain('0644')
      expect(found?.try).toContain('chmod 600')
    })

    it('a key of another certificate', async () => {
      await tls(identity.certificate, linkIdentity(Buffer.alloc(32, 8)).privateKey)
      expect(of(await examine(), 'tls', 'fail')?.text).toContain('does not match the first certificate')
    })

    it('a certificate that has expired or expires soon, but not with a valid one', async () => {
      await tls(identity.certificate, identity.privateKey)
      const { expiresAtMs } = await readGatewayTls({
        certFile: join(folder, 'tls', 'gateway.crt'),
        keyFile: join(folder, 'tls', 'gateway.key'),
      })
      const at = async (nowMs: number) => (await examineNode(config, nowMs, NO_ACCESS)).findings
      const day = 86_400_000
      expect(of(await at(expiresAtMs + day), 'tls', 'fail')?.text).toContain('expired')
      expect(of(await at(expiresAtMs - 10 * day), 'tls', 'warn')?.text).toContain('10 days')
      expect(of(await at(expiresAtMs - 100 * day), 'tls', 'ok')).toBeDefined()
    })
  })
})

describe('the doctor bundle', () => {
  it('contains findings and configuration, but no secret and no token', async () => {
    await peer.set('api_tokens', `[{ name = "bank", sha256 = "${'cd'.repeat(32)}" }]`)
    const { patient, findings } = await examineNode(config, NOW_MS, NO_ACCESS)
    const text = await bundleOf(patient, findings, '0.0.0')
    const secrets = await Promise.all(
      ['validator', 'network'].map(async (name) => {
        const key = JSON.parse(await readFile(join(folder, 'keys', `${name}.json`), 'utf8')) as { private_key: string }
        return key.private_key
      }),
    )
    for (const secret of secrets) expect(text).not.toContain(secret)
    expect(text).not.toContain('cd'.repeat(32))
    expect(JSON.parse(text)).toMatchObject({ causeway: '0.0.0', findings: expect.any(Array), answers: {} })
  })
})

it('every doctor check has a test that breaks its subject and expects the finding', async () => {
  const here = import.meta.dirname
  const names = (await readdir(here)).filter((name) => /^doctor.*\.test\.ts$/.test(name))
  const tests = (await Promise.all(names.map((name) => readFile(join(here, name), 'utf8')))).join('\n')
  // A runtime that verifies signatures itself is slower and no fault.
  const findingOf = (check: string): RegExp =>
    new RegExp(`'${check.replace('.', '\\.')}', '(${check === 'ed25519' ? 'ok' : 'fail|warn'})'`)
  expect(CHECKS.filter((check) => !findingOf(check).test(tests))).toEqual([])
})
