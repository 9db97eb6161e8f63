import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { writeLocalnet } from '../../../src/cli/localnet/write.js'
import { bundleOf, examineNode, type Finding } from '../../../src/doctor/index.js'
import { ABI_1 } from '../../../src/features/index.js'
import { templatePath } from '../../../src/node/genesis/index.js'
import { provision } from '../../../src/node/genesis/provision.js'
import { openDataDir } from '../../../src/storage/index.js'
import { freePorts } from '../../support/ports.js'

const ROOT = new URL('../../..', import.meta.url).pathname
const NOW_MS = Date.UTC(2026, 0, 1)

let root = ''
let folder = ''
let config = ''
let genesisHash = ''
let ports = 0

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'causeway-doctor-'))
})
afterAll(() => rm(root, { recursive: true, force: true }))

/** A peer that never ran, in a folder of its own. */
beforeEach(async () => {
  ports = await freePorts(8)
  const net = join(root, `net-${ports}`)
  await provision(
    {
      abi: ABI_1,
      folder: net,
      template: templatePath(ROOT, 'permissioned-4'),
      chain: 'doctor',
      validators: 4,
      gatewayPort: ports,
      p2pPort: ports + 4,
      logLevel: 'warn',
      nowMs: NOW_MS,
    },
    async (draft, made) => {
      genesisHash = made.genesisHash
      await writeLocalnet(draft, made)
    },
  )
  folder = join(net, 'val-0')
  config = join(folder, 'node.toml')
})

const examine = async (): Promise<readonly Finding[]> => (await examineNode(config, NOW_MS)).findings
const of = (findings: readonly Finding[], check: string, level: Finding['level']): Finding | undefined =>
  findings.find((one) => one.check === check && one.level === level)
const failures = (findings: readonly Finding[]): string[] =>
  findings.filter((one) => one.level === 'fail').map((one) => one.check)

async function setLine(key: string, value: string): Promise<void> {
  const text = await readFile(config, 'utf8')
  await writeFile(config, text.replace(new RegExp(`^#?${key} = .*$`, 'm'), `${key} = ${value}`))
}

/** Holds a port while `work` runs. */
async function holding<T>(port: number, work: () => Promise<T>): Promise<T> {
  const server = await new Promise<Server>((resolve) => {
    const one = createServer()
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

  it('reaches the peers that run', async () => {
    const findings = await holding(ports + 5, examine)
    expect(findings.filter((one) => one.check === 'peers' && one.level === 'ok')).toHaveLength(1)
  })
})

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
    await setLine('hash', `"${'0'.repeat(64)}"`)
    expect(of(await examine(), 'genesis', 'fail')?.try).toContain('genesis pin')
  })

  it('a genesis file with another hash', async () => {
    await setLine('hash', `"${'ab'.repeat(32)}"`)
    expect(of(await examine(), 'genesis', 'fail')?.text).toContain(genesisHash)
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

  it('a key file that is not there', async () => {
    await rm(join(folder, 'keys', 'validator.json'))
    const findings = await examine()
    expect(of(findings, 'key.validator', 'fail')?.text).toContain('validator.json')
    expect(of(findings, 'topology', 'skip')).toBeDefined()
  })

  it('a key of the wrong kind', async () => {
    await setLine('validator', '"keys/network.json"')
    expect(of(await examine(), 'key.validator', 'fail')?.text).toContain('expected a bls key')
  })

  it('keys of a peer that the genesis does not know', async () => {
    await rm(join(folder, 'keys', 'validator.json'))
    const { makeKeyFile } = await import('../../../src/cli/key-view.js')
    await makeKeyFile('bls', join(folder, 'keys', 'validator.json'), 'cw')
    expect(of(await examine(), 'topology', 'warn')?.text).toContain('no peer of the topology')
  })

  it('a data directory of another network', async () => {
    const dir = await openDataDir(join(folder, 'data'), { chain: 'other', genesisHash: Buffer.alloc(32, 7) })
    await dir.close()
    expect(of(await examine(), 'data_dir', 'fail')?.text).toContain('07'.repeat(32))
  })

  it('a data directory that is a file', async () => {
    await writeFile(join(folder, 'data'), '')
    expect(of(await examine(), 'data_dir', 'fail')?.text).toContain('not a folder')
  })

  it('a vote log that is missing', async () => {
    const dir = await openDataDir(join(folder, 'data'), {
      chain: 'doctor',
      genesisHash: Buffer.from(genesisHash, 'hex'),
    })
    await dir.close()
    await rm(join(folder, 'data', 'votes.log'))
    expect(of(await examine(), 'data_dir', 'warn')?.text).toContain('vote log')
  })

  it('a port that another program has', async () => {
    const findings = await holding(ports, examine)
    expect(of(findings, 'ports', 'fail')?.text).toContain(`gateway.listen 127.0.0.1:${ports}`)
  })

  it('a data directory in use by a node whose gateway does not answer', async () => {
    const dir = await openDataDir(join(folder, 'data'), {
      chain: 'doctor',
      genesisHash: Buffer.from(genesisHash, 'hex'),
    })
    try {
      expect(of(await examine(), 'gateway', 'fail')).toBeDefined()
    } finally {
      await dir.close()
    }
  })

  it('TLS files that are none', async () => {
    await mkdir(join(folder, 'tls'))
    await writeFile(join(folder, 'tls', 'gateway.crt'), 'no certificate')
    await writeFile(join(folder, 'tls', 'gateway.key'), 'no key', { mode: 0o600 })
    await setLine('tls_cert', '"tls/gateway.crt"')
    await setLine('tls_key', '"tls/gateway.key"')
    expect(of(await examine(), 'tls', 'fail')).toBeDefined()
  })
})

describe('the bundle of the doctor', () => {
  it('holds findings and configuration, but no secret and no token', async () => {
    await setLine('api_tokens', `[{ name = "bank", sha256 = "${'cd'.repeat(32)}" }]`)
    const { patient, findings } = await examineNode(config, NOW_MS)
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
