/**
 * Findings of the doctor about a running node, from the responses of its gateway: its place in the network, its peers,
 * its clock.
 */

import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type {
  ConsensusKeyView,
  ConsensusStatus,
  MissingAbi,
  NodeStatus,
  PeerRecord,
  TimeStatus,
} from '../../../src/api/index.js'
import type { NodeServices } from '../../../src/api/services.js'
import { API_TOKEN_ENV } from '../../../src/client/index.js'
import { apiTokenOf } from '../../../src/client/options.js'
import { generateKeyPair, type KeyPair } from '../../../src/crypto/index.js'
import { checkIdentity } from '../../../src/doctor/identity.js'
import type { DiagnosticContext, Finding, Level } from '../../../src/doctor/index.js'
import { askNode, NO_ACCESS } from '../../../src/doctor/live.js'
import { checkPeers } from '../../../src/doctor/peers.js'
import { checkRunning } from '../../../src/doctor/running.js'
import { writeKeyFile } from '../../../src/files/key-file.js'
import { Gateway, type GatewayConfig, readGatewayTls } from '../../../src/gateway/index.js'
import { keyString, LedgerError, type ValidatorKey } from '../../../src/model/index.js'
import { linkIdentity } from '../../../src/network/certificate.js'
import { STANDBY_ACTIVE } from '../../../src/network/index.js'
import type { NodeConfig } from '../../../src/node/config/index.js'
import { CORE } from '../../support/served-routes.js'
import { consensusRecord, FakeNode } from '../gateway/support.js'

const HEIGHT = 400
const HOLDER: DiagnosticContext['holder'] = { pid: process.pid, use: 'node', isElsewhere: false, isJoining: false }
const validator = await generateKeyPair('bls', Buffer.from('doctor'))
const next = await generateKeyPair('bls', Buffer.from('doctor next'))
const network = await generateKeyPair('ed25519', Buffer.from('doctor network'))
const ownKey = keyString(validator.publicKey.bytes)

/** Responses of the node of a case; all others are those of a sound node. */
interface Answers {
  readonly status?: Partial<NodeStatus>
  readonly consensus?: Partial<ConsensusStatus>
  readonly time?: Partial<TimeStatus>
  readonly peers?: readonly PeerRecord[]
  readonly keys?: readonly ConsensusKeyView[]
  readonly telemetryProfile?: GatewayConfig['telemetryProfile']
  /** Serves by HTTPS: seeds of the certificate that it has, and of the one that its configuration names. */
  readonly tls?: { readonly served: Buffer; readonly configured: Buffer }
  /** Wants this API token. */
  readonly apiToken?: string
}

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  vi.unstubAllEnvs()
  for (const close of closers.splice(0)) await close()
})

const peer = (id: string, changes: Partial<PeerRecord> = {}): PeerRecord => ({
  id: id.padEnd(60, id),
  address: `127.0.0.1:${id.charCodeAt(0)}`,
  role: 'validator',
  connected: true,
  height: HEIGHT,
  lastError: undefined,
  ...changes,
})

const keyRow = (key: ValidatorKey, changes: Partial<ConsensusKeyView> = {}): ConsensusKeyView => ({
  key,
  peer: ownKey,
  pop: Buffer.alloc(96),
  status: 'active',
  activeFrom: 1,
  replacedFrom: undefined,
  disabledFrom: undefined,
  ...changes,
})

function servicesOf(node: FakeNode, answers: Answers): NodeServices {
  const { services } = node
  const { keys = [keyRow(ownKey)] } = answers
  const items = answers.peers ?? [peer('a'), peer('b')]
  const healthy = { healthy: true, minSamplesOk: true, offsetOk: true, confidenceOk: true }
  return {
    ...services,
    status: (operator) => ({ ...services.status(operator), ...answers.status }),
    consensus: () => consensusRecord({ stall: undefined, ...answers.consensus }),
    peers: () => ({ items, total: items.length }),
    timeStatus: () => ({ ...services.timeStatus(), samplesUsed: 3, health: healthy, ...answers.time }),
    query: (async (def: { readonly kind: string }) => {
      if (def.kind === 'consensusKeys') return { items: keys, height: HEIGHT }
      throw new Error(`no query ${def.kind} here`)
    }) as NodeServices['query'],
  }
}

/** Findings about a node that answers so. */
async function examine(answers: Answers = {}, nextValidator?: KeyPair): Promise<readonly Finding[]> {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-doctor-'))
  closers.push(() => rm(folder, { recursive: true, force: true }))
  const keys = { validator, network, ...(nextValidator === undefined ? {} : { nextValidator }) }
  const files = Object.entries(keys).map(([name, pair]) => [name, join(folder, name), pair] as const)
  for (const [, path, pair] of files) await writeKeyFile(path, pair, {})
  const { telemetryProfile = 'full', apiToken } = answers
  const modules = { services: servicesOf(new FakeNode(), answers), ...CORE }
  const served = answers.tls && (await tlsFiles(folder, 'served', answers.tls.served))
  const requireApiToken = apiToken !== undefined
  const gateway = new Gateway(
    {
      address: '127.0.0.1:0',
      rateLimit: undefined,
      telemetryProfile,
      tls: served && (await readGatewayTls(served)),
      requireApiToken,
      apiTokens: apiToken === undefined ? [] : [{ sha256: createHash('sha256').update(apiToken).digest('hex') }],
    },
    modules,
  )
  closers.push(() => gateway.close())
  const { host, port } = await gateway.listen()
  const tls = answers.tls && (await tlsFiles(folder, 'configured', answers.tls.configured))
  const config = {
    gateway: { listen: { host, port }, tls, requireApiToken },
    keys: { ...Object.fromEntries(files.map(([name, path]) => [name, path])), features: [] },
  } as unknown as NodeConfig
  const access = { tokenFor: () => apiTokenOf(process.env), insecure: false }
  const live = await askNode(config, access).catch((error: Error) => error)
  const asked = { config, live, access }
  const patient: DiagnosticContext = { configFile: '', genesis: undefined, holder: HOLDER, running: true, ...asked }
  return [...(await checkIdentity(patient)), ...checkRunning(patient), ...(await checkPeers(patient))]
}

/** Files of a certificate that names no address of this machine. */
async function tlsFiles(folder: string, name: string, seed: Buffer) {
  const { certificate, privateKey } = linkIdentity(seed)
  const [certFile, keyFile] = [join(folder, `${name}.crt`), join(folder, `${name}.key`)]
  await writeFile(certFile, certificate)
  await writeFile(keyFile, privateKey, { mode: 0o600 })
  return { certFile, keyFile }
}

const of = (findings: readonly Finding[], check: string, level: Level): Finding | undefined =>
  findings.find((one) => one.check === check && one.level === level)

it('doctor reports no fault on a healthy node', async () => {
  const findings = await examine()
  expect(findings.filter(({ level }) => level !== 'ok')).toEqual([])
  expect(findings.map(({ check }) => check)).toEqual([
    'key.validator',
    'key.network',
    'topology',
    'gateway',
    'synced',
    'quorum',
    'upgrades',
    'progress',
    'clock',
    'peers',
    'peers',
  ])
})

describe('doctor reports', () => {
  it('a syncing node', async () => {
    expect(of(await examine({ status: { synced: false } }), 'synced', 'warn')).toBeDefined()
  })

  it('too few peers for a quorum', async () => {
    const found = of(await examine({ status: { inQuorum: false, peers: 1 } }), 'quorum', 'fail')
    expect(found?.text).toContain('1 peers connected')
  })

  it('a halted node and a stalled node', async () => {
    expect(of(await examine({ consensus: { halted: 'other roots' } }), 'progress', 'fail')?.text).toContain(
      'other roots',
    )
    const { stall } = consensusRecord()
    expect(stall).toBeDefined()
    expect(of(await examine({ consensus: { stall } }), 'progress', 'fail')?.text).toBe(stall?.text)
  })

  it('a cancelled change of the consensus mode, with its reason as text', async () => {
    const cancelledMode = { mode: 'npos', height: 400, reason: 'tooFewCandidates' }
    expect(of(await examine({ status: { cancelledMode } }), 'mode', 'warn')?.text).toBe(
      'the change to npos at height 400 was cancelled: too few candidates were in sync',
    )
  })

  it('a clock that is behind and a clock that is ahead', async () => {
    const health = { healthy: false, minSamplesOk: true, offsetOk: false, confidenceOk: true }
    expect(of(await examine({ time: { offsetMs: 4_000, health } }), 'clock', 'fail')?.text).toContain('4000 ms behind')
    expect(of(await examine({ time: { offsetMs: -4_000, health } }), 'clock', 'fail')?.text).toContain('4000 ms ahead')
  })

  it('diverging clocks of peers, but no missing clocks', async () => {
    const health = { healthy: false, minSamplesOk: true, offsetOk: true, confidenceOk: false }
    expect(of(await examine({ time: { confidenceMs: 900, health } }), 'clock', 'warn')?.text).toContain('900 ms apart')
    expect(of(await examine({ time: { samplesUsed: 0 } }), 'clock', 'skip')).toBeDefined()
  })

  it('a standby acting as its validator, but no wrong key', async () => {
    const lastError = `127.0.0.1:7400 is refused: ${STANDBY_ACTIVE} ea01`
    const standby = peer('s', { role: 'observer', connected: false, height: undefined, lastError })
    const findings = await examine({ peers: [peer('a'), standby] })
    expect(of(findings, 'peers', 'warn')).toBeUndefined()
    expect(findings.find(({ text }) => text.includes(STANDBY_ACTIVE))?.level).toBe('ok')
  })

  it('a peer that joined later and is not linked, with the last error of its link', async () => {
    const joined = peer('j', { connected: false, height: undefined, lastError: 'ECONNREFUSED' })
    const found = of(await examine({ peers: [peer('a'), joined] }), 'peers', 'warn')
    expect(found?.text).toContain(joined.address)
    expect(found?.text).toContain('ECONNREFUSED')
  })
})

describe('doctor reports the registration of the peer:', () => {
  const away = { connected: false, height: undefined }
  const refused = peer('a', {
    ...away,
    lastError: '127.0.0.1:7400 refuses this node: network key ed0120AB is not registered',
  })

  it('a peer that joined later is in the ledger', async () => {
    const findings = await examine({ keys: [keyRow(ownKey, { activeFrom: 44 })] })
    expect(of(findings, 'topology', 'ok')?.text).toContain('from height 44 on')
  })

  it('an unregistered peer', async () => {
    expect(of(await examine({ keys: [], peers: [refused] }), 'topology', 'warn')?.try).toContain('peer register')
  })

  it('a removed peer, with its height', async () => {
    const keys = [keyRow(ownKey, { status: 'disabled', disabledFrom: 312 })]
    const found = of(await examine({ keys, peers: [refused] }), 'topology', 'fail')
    expect(found?.text).toContain('removed')
    expect(found?.text).toContain('height 312')
  })

  it('a removal that is pending on the ledger while peers already refuse the node', async () => {
    const keys = [keyRow(ownKey, { disabledFrom: HEIGHT + 2 })]
    expect(of(await examine({ keys, peers: [refused] }), 'topology', 'fail')?.text).toContain(`height ${HEIGHT + 2}`)
  })

  it('a peer that was removed while offline, which only its peers report', async () => {
    const found = of(await examine({ peers: [refused] }), 'topology', 'fail')
    expect(found?.text).toContain('removed')
    expect(found?.text).toContain(`height ${HEIGHT}`)
  })

  it('no removal if peers are only offline', async () => {
    const peers = [peer('a', { ...away, lastError: 'ECONNREFUSED' })]
    expect(of(await examine({ peers }), 'topology', 'ok')).toBeDefined()
  })

  it('an observer whose key is disabled', async () => {
    const keys = [keyRow(ownKey, { status: 'disabled', disabledFrom: 312 })]
    expect(of(await examine({ keys }), 'topology', 'warn')?.text).toContain('follows without a vote')
  })

  it('a rotated key with and without a key file', async () => {
    const keys = [
      keyRow(ownKey, { status: 'disabled', replacedFrom: 200 }),
      keyRow(keyString(next.publicKey.bytes), { activeFrom: 200 }),
    ]
    expect(of(await examine({ keys }), 'topology', 'warn')?.try).toContain('keys.next_validator')
    expect(of(await examine({ keys }, next), 'topology', 'ok')?.text).toContain('from height 200 on')
  })
})

describe('doctor over HTTPS with a required token', () => {
  const mine = Buffer.alloc(32, 1)
  const other = Buffer.alloc(32, 2)

  it('accepts the certificate of the configuration, whatever names it contains', async () => {
    const findings = await examine({ tls: { served: mine, configured: mine } })
    expect(of(findings, 'gateway', 'ok')?.text).toContain('https://127.0.0.1:')
    expect(findings.filter(({ level }) => level !== 'ok')).toEqual([])
  })

  it('refuses any other certificate, because it belongs to another server', async () => {
    expect(of(await examine({ tls: { served: other, configured: mine } }), 'gateway', 'fail')).toBeDefined()
  })

  it('names the variable of a missing token without a failure, and runs all checks with a token', async () => {
    vi.stubEnv(API_TOKEN_ENV, undefined)
    const barred = await examine({ apiToken: 'open sesame' })
    expect(of(barred, 'gateway', 'skip')?.text).toContain(API_TOKEN_ENV)
    expect(barred.filter(({ level }) => level === 'fail')).toEqual([])
    vi.stubEnv(API_TOKEN_ENV, 'open sesame')
    expect((await examine({ apiToken: 'open sesame' })).filter(({ level }) => level !== 'ok')).toEqual([])
  })

  it('reports a wrong token as refused', async () => {
    vi.stubEnv(API_TOKEN_ENV, 'open barley')
    const findings = await examine({ apiToken: 'open sesame' })
    expect(of(findings, 'gateway', 'skip')?.text).toContain('that the configuration lists')
  })
})

it('checks that the telemetry profile hides are skipped without a failure', async () => {
  const findings = await examine({ telemetryProfile: 'disabled' })
  expect(findings.filter(({ level }) => level === 'fail')).toEqual([])
  expect(of(findings, 'synced', 'skip')).toBeDefined()
  expect(of(findings, 'progress', 'skip')).toBeDefined()
})

it('a starting node has no failed check', () => {
  const live = new LedgerError('node_starting', 'the node is starting')
  const findings = checkRunning({
    configFile: '',
    config: {} as NodeConfig,
    genesis: undefined,
    holder: HOLDER,
    running: true,
    live,
    access: NO_ACCESS,
  })
  expect(findings).toEqual([{ check: 'gateway', level: 'warn', text: 'the node is starting' }])
})

describe('upgrades', () => {
  const missing: MissingAbi = {
    upgrade: 'second',
    abiVersion: 2,
    abiHash: Buffer.alloc(32, 2),
    decided: false,
    fromHeight: 900,
  }

  it('are reported as a warning if a proposed ABI is missing, and as a failure if the ABI is activated', async () => {
    const proposed = of(await examine({ status: { missingAbi: missing } }), 'upgrades', 'warn')
    expect(proposed?.text).toContain('ABI 2')
    expect(proposed?.text).toContain('height 900')
    const activated = of(await examine({ status: { missingAbi: { ...missing, decided: true } } }), 'upgrades', 'fail')
    expect(activated?.text).toContain('stops before height 900')
  })
})
