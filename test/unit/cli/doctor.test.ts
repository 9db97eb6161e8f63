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
async function holding<T>(port: number, work: () => Promise<T>, greet?: (socket: Socket) => void): Promise<T> {
  const server = await new Promise<Server>((resolve) => {
    const one = createServer(greet)
    one.listen(port, '127.0.0.1', () => resolve(one))
  })
  try {
    return await work()
  } finally {
    await new Promise((resolve) => server.close(resolve))
  }
}

describe('doctor, of a peer that is ready to start', () => {
  it('finds nothing that failed, and says that the others do not run yet', async () => {
    const findings = await examine()
    expect(failures(findings)).toEqual([])
    expect(findings.filter((one) => one.check === 'peers' && one.level === 'warn')).toHaveLength(3)
    expect(of(findings, 'topology', 'ok')).toBeDefined()
    expect(of(findings, 'gateway', 'skip')?.text).toContain('does not run')
  })

  it('reaches a peer that runs, and knows it by its key', async () => {
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

describe('doctor, of a peer with something broken, names it', () => {
  it('a key of the configuration that does not exist, with what may be meant', async () => {
    await writeFile(config, (await readFile(config, 'utf8')).replace('data_dir =', 'data_dri ='))
    const findings = await examine()
    expect(of(findings, 'config', 'fail')?.text).toContain('did you mean data_dir?')
    expect(of(findings, 'genesis', 'skip')).toBeDefined()
  })

  it('a configuration file that is not there', async () => {
    await rm(config)
    expect(of(await examine(), 'config', 'fail')?.text).toContain(config)
  })

  it('a genesis that is not pinned yet', async () => {
    await peer.set('hash', `"${'0'.repeat(64)}"`)
    expect(of(await examine(), 'genesis', 'fail')?.try).toContain('genesis pin')
  })

  it('a genesis file with another hash', async () => {
    await peer.set('hash', `"${'ab'.repeat(32)}"`)
    expect(of(await examine(), 'genesis', 'fail')?.text).toContain(peer.genesisHash)
  })

  it('a genesis file of which one byte is another', async () => {
    const path = join(folder, 'genesis.signed')
    const bytes = await readFile(path)
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
    await writeFile(path, bytes)
    expect(failures(await examine())).toContain('genesis')
  })

  it('a key file that others may read, and mends it', async () => {
    const path = join(folder, 'keys', 'network.json')
    await chmod(path, 0o644)
    const found = of(await examine(), 'key.network', 'fail')
    expect(found?.text).toContain('644')
    await found?.fix?.()
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect(failures(await examine())).toEqual([])
  })

  it('a folder in the place of a key file, whose mode it leaves as it is', async () => {
    const path = join(folder, 'keys', 'validator.json')
    await rm(path)
    await mkdir(path, { mode: 0o755 })
    const found = of(await examine(), 'key.validator', 'fail')
    expect(found).toBeDefined()
    expect(found?.fix).toBeUndefined()
  })

  it('a key file that is not there', async () => {
    await rm(join(folder, 'keys', 'validator.json'))
    const findings = await examine()
    expect(of(findings, 'key.validator', 'fail')?.text).toContain('validator.json')
    expect(of(findings, 'topology', 'skip')).toBeDefined()
  })

  it('a key of the wrong kind', async () => {
    await peer.set('validator', '"keys/network.json"')
    expect(of(await examine(), 'key.validator', 'fail')?.text).toContain('expected a bls key')
  })

  it('keys of a peer that the genesis does not know', async () => {
    await rm(join(folder, 'keys', 'validator.json'))
    const { makeKeyFile } = await import('../../../src/cli/settings/key-view.js')
    await makeKeyFile('bls', join(folder, 'keys', 'validator.json'), 'cw')
    expect(of(await examine(), 'topology', 'warn')?.text).toContain('no peer of the topology')
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
    expect(of(await examine(), 'integrations', 'ok')?.text).toContain('nothing is kept')
    await writeFile(join(folder, 'data', 'integrations'), '')
    expect(of(await examine(), 'integrations', 'fail')).toBeDefined()
  })

  it('no store of another user, which it does not touch', async () => {
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

  it('a vote log that is missing', async () => {
    const dir = await openData()
    await dir.close()
    expect(of(await examine(), 'data_dir', 'warn')?.text).toContain('vote log')
  })

  it('no vote log that is missing where a signer knows the votes, or where nobody votes', async () => {
    await openData().then((dir) => dir.close())
    const keys = { validator: join(folder, 'keys', 'validator.json') } as NodeConfig['keys']
    const { publicKey } = await readKeyFile(keys.validator)
    const own = { key: keyString(publicKey.bytes) } as Peer
    const hint = (role: Peer['role']) => restoredHint({ keys, signer: undefined }, [{ ...own, role }])
    expect(await hint('validator')).toContain('as a validator it abstains')
    expect(await hint('observer')).toMatch(/it syncs the rest\.$/)
    const signer = `[signer]\nsocket = "signer.sock"\nvalidator = "${formatPublicKey(publicKey)}"\n`
    await writeFile(config, (await readFile(config, 'utf8')).replace(/^#?\[signer\]$/m, signer))
    expect(of(await examine(), 'data_dir', 'ok')?.text).toContain('not in use')
  })

  it('a bridge key and a rotated key that are not there', async () => {
    await peer.set('bridge', '"keys/none.json"')
    await peer.set('next_validator', '"keys/next.json"')
    const findings = await examine()
    expect(of(findings, 'key.bridge', 'fail')?.text).toContain('none.json')
    expect(of(findings, 'key.next_validator', 'fail')?.text).toContain('next.json')
  })

  it('a runtime that is too old, and libraries that do not load', async () => {
    const found = await examineOn({ nodeVersion: '18.20.0', bls: async () => 'noble', fastEd25519: async () => false })
    expect(of(found, 'node', 'fail')?.try).toContain('20.19')
    expect(of(found, 'bls', 'warn')?.text).toContain('JavaScript')
    expect(of(found, 'ed25519', 'ok')?.text).toContain('runtime')
  })

  it('a disk that is nearly full', async () => {
    const mib = 2 ** 20
    expect(of(await examineOn({ freeBytes: async () => 100 * mib }), 'disk', 'fail')?.text).toContain('100 MiB')
    expect(of(await examineOn({ freeBytes: async () => 1_000 * mib }), 'disk', 'warn')?.text).toContain('1000 MiB')
    expect(of(await examineOn({ freeBytes: async () => 9_000 * mib }), 'disk', 'ok')).toBeDefined()
  })

  it('a disk that is slow, and one that takes nothing', async () => {
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

  it('an address of a peer where nobody listens, another peer answers, or something else does', async () => {
    const others = (await examine()).filter(({ check }) => check === 'peers')
    expect(others.map(({ level }) => level)).toEqual(['warn', 'warn', 'warn'])
    expect(of(others, 'peers', 'warn')?.text).toContain(`127.0.0.1:${peer.ports + 5}: ECONNREFUSED`)
    const mute = await holding(peer.ports + 5, examine, (socket) => socket.resume().end())
    expect(mute.map(({ text }) => text)).toContainEqual(expect.stringContaining('closed the connection'))
    const impostor = await listening(await networkKeyOf('val-2'), examine)
    expect(of(impostor, 'peers', 'fail')?.text).toContain('another network key')
    const stranger = await holding(peer.ports + 5, examine, (socket) => {
      socket.on('error', () => undefined).resume()
      socket.end('220 mail\r\n')
    })
    expect(of(stranger, 'peers', 'fail')?.text).toContain('does not use the peer protocol')
  })

  it('a port that another program has', async () => {
    const findings = await holding(peer.ports, examine)
    expect(of(findings, 'ports', 'fail')?.text).toContain(`gateway.listen 127.0.0.1:${peer.ports}`)
  })

  it('a data directory in use by a node whose gateway does not answer', async () => {
    expect(of(await used('node', examine), 'gateway', 'fail')).toBeDefined()
  })

  it('no port while the node that has it fills its data directory by a snapshot', async () => {
    const joining = joiningFolder(join(folder, 'data'))
    const held = () => used('node', examine, joining)
    const findings = await holding(peer.ports, held, (socket) => void socket.destroy())
    expect(of(findings, 'ports', 'fail')).toBeUndefined()
    expect(of(findings, 'data_dir', 'ok')?.text).toContain('fills it by a snapshot')
  })

  it('no node in a command that works on the data directory, and opens no store beside it', async () => {
    const findings = await used('command', async () => {
      await mkdir(join(folder, 'data', 'integrations'))
      await writeFile(join(folder, 'data', 'votes.log'), '')
      return examine()
    })
    expect(of(findings, 'data_dir', 'ok')?.text).toContain(`a command, process ${process.pid}`)
    expect(of(findings, 'gateway', 'skip')?.text).toContain('does not run')
    expect(of(findings, 'integrations', 'skip')?.text).toContain('a command')
  })

  it('data without its format file', async () => {
    await mkdir(join(folder, 'data', 'blocks'), { recursive: true })
    expect(of(await examine(), 'data_dir', 'fail')?.text).toContain('format.json')
  })

  describe('TLS files of the gateway', () => {
    const identity = linkIdentity(Buffer.alloc(32, 7))
    async function tls(certificate: string, key: string, mode = 0o600): Promise<void> {
      await mkdir(join(folder, 'tls'))
      await writeFile(join(folder, 'tls', 'gateway.crt'), certificate)
      await writeFile(join(folder, 'tls', 'gateway.key'), key, { mode })
      await peer.set('tls_cert', '"tls/gateway.crt"')
      await peer.set('tls_key', '"tls/gateway.key"')
    }

    it('that are none', async () => {
      await tls('no certificate', 'no key')
      expect(of(await examine(), 'tls', 'fail')?.text).toContain('gateway.crt')
    })

    it('a key that others may read', async () => {
      await tls(identity.certificate, identity.privateKey, 0o644)
      const found = of(await examine(), 'tls', 'fail')
      expect(found?.text).toContain('gateway.key')
      expect(found?.text).toContain('0644')
      expect(found?.try).toContain('chmod 600')
    })

    it('a key of another certificate', async () => {
      await tls(identity.certificate, linkIdentity(Buffer.alloc(32, 8)).privateKey)
      expect(of(await examine(), 'tls', 'fail')?.text).toContain('is not the private key')
    })

    it('a certificate that has ended, or ends soon; not one that lasts', async () => {
      await tls(identity.certificate, identity.privateKey)
      const { expiresAtMs } = await readGatewayTls({
        certFile: join(folder, 'tls', 'gateway.crt'),
        keyFile: join(folder, 'tls', 'gateway.key'),
      })
      const at = async (nowMs: number) => (await examineNode(config, nowMs, NO_ACCESS)).findings
      const day = 86_400_000
      expect(of(await at(expiresAtMs + day), 'tls', 'fail')?.text).toContain('ended')
      expect(of(await at(expiresAtMs - 10 * day), 'tls', 'warn')?.text).toContain('10 days')
      expect(of(await at(expiresAtMs - 100 * day), 'tls', 'ok')).toBeDefined()
    })
  })
})

describe('the bundle of the doctor', () => {
  it('holds findings and configuration, but no secret and no token', async () => {
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

it('every check has a test that breaks what it looks at and sees it named', async () => {
  const here = import.meta.dirname
  const names = (await readdir(here)).filter((name) => /^doctor.*\.test\.ts$/.test(name))
  const tests = (await Promise.all(names.map((name) => readFile(join(here, name), 'utf8')))).join('\n')
  // A runtime that verifies signatures itself is slower and no fault.
  const told = (check: string): RegExp =>
    new RegExp(`'${check.replace('.', '\\.')}', '(${check === 'ed25519' ? 'ok' : 'fail|warn'})'`)
  expect(CHECKS.filter((check) => !told(check).test(tests))).toEqual([])
})
