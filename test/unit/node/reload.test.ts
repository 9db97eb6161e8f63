/** A running node takes a changed configuration: what acts at once, what needs a restart, and that a faulty one changes nothing. */
import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, type TLSSocket } from 'node:tls'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { signRequest } from '../../../src/client/index.js'
import { formatPublicKey } from '../../../src/crypto/index.js'
import type { RunningService } from '../../../src/features/service.js'
import { readGatewayTls } from '../../../src/gateway/index.js'
import { LedgerError } from '../../../src/model/index.js'
import { linkIdentity } from '../../../src/network/certificate.js'
import { type NodeConfig, parseNodeConfig } from '../../../src/node/config/index.js'
import { type OpenedGateway, openGateway } from '../../../src/node/gateway.js'
import { Reload } from '../../../src/node/reload/reload.js'
import { freePorts } from '../../support/ports.js'
import { alice, bob, CHAIN, FakeNode, NETWORK_KEY } from '../gateway/support.js'

const HASH = 'ab'.repeat(32)
const TOKEN = 'a token of the desk'
const DIGEST = createHash('sha256').update(TOKEN).digest('hex')
const steps: (() => Promise<void>)[] = []
let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'causeway-reload-'))
})
afterEach(async () => {
  for (const step of steps.splice(0).reverse()) await step()
  await rm(folder, { recursive: true, force: true })
})

const configOf = (text: string): NodeConfig =>
  parseNodeConfig(`[genesis]\nhash = "${HASH}"\n${text}`, join(folder, 'node.toml'))
const logger = pino({ enabled: false })
const audited: string[] = []

async function running(text: string): Promise<OpenedGateway> {
  audited.length = 0
  logger.level = 'info'
  const config = configOf(text)
  const files = config.gateway.tls
  const opened = await openGateway(config, new FakeNode().services, {
    audit: { append: async ({ action, fields }) => void audited.push(`${action} ${String(fields['changed'])}`) },
    tls: files && (await readGatewayTls(files)),
    sealSecret: Buffer.alloc(32, 7),
    keys: new Map(),
    logger,
    onClose: (step) => steps.push(step),
  })
  steps.push(() => opened.gateway.close())
  return opened
}

/** Response to a request for a session signed by a key. */
async function sessionOf({ gateway }: OpenedGateway, pair: typeof alice): Promise<{ code: number; token: string }> {
  const target = '/v1/operator/auth/session'
  const headers = await signRequest({ chain: CHAIN, networkKey: NETWORK_KEY, method: 'POST', target }, pair)
  const answer = await gateway.inject({ method: 'POST', url: target, headers })
  return { code: answer.statusCode, token: (JSON.parse(answer.body) as { token?: string }).token ?? '' }
}
const operators = (...pairs: (typeof alice)[]): string =>
  `[gateway]\noperator_keys = [${pairs.map(({ publicKey }) => `"${formatPublicKey(publicKey)}"`).join(', ')}]`

describe('a changed configuration file', () => {
  it('updates names, pages, tokens, limits and the log level, and is logged', async () => {
    const opened = await running('')
    const { gateway, reload } = opened
    const from = { origin: 'https://desk.bank.example', host: 'node.bank.example' }
    expect((await gateway.inject({ url: '/v1/node/capabilities', headers: from })).statusCode).toBe(421)
    const next = configOf(`[log]\nlevel = "debug"
[gateway]
hosts = ["node.bank.example"]
cors_origins = ["https://desk.bank.example"]
api_tokens = [{ name = "desk", sha256 = "${DIGEST}" }]
require_api_token = true
rate_per_second = 1
rate_burst = 3`)
    expect(await reload.take(next)).toEqual({
      changed: [
        'gateway.api_tokens',
        'gateway.cors_origins',
        'gateway.hosts',
        'gateway.rate_burst',
        'gateway.rate_per_second',
        'gateway.require_api_token',
        'log.level',
      ],
      restart: [],
    })
    expect(audited).toEqual([expect.stringContaining('node_reload gateway.api_tokens')])
    expect(logger.level).toBe('debug')
    const url = '/v1/node/capabilities'
    expect((await gateway.inject({ url, headers: from })).statusCode).toBe(401)
    const allowed = await gateway.inject({ url, headers: { ...from, 'x-api-token': TOKEN } })
    expect([allowed.statusCode, allowed.headers['access-control-allow-origin']]).toEqual([200, from.origin])
    const codes: number[] = []
    for (let at = 0; at < 4; at += 1) {
      codes.push((await gateway.inject({ url, headers: { ...from, 'x-api-token': TOKEN } })).statusCode)
    }
    expect(codes).toContain(429)
  })

  it('removes the key of an operator together with all of its sessions', async () => {
    const opened = await running(operators(alice))
    const { gateway, reload } = opened
    const { code, token } = await sessionOf(opened, alice)
    expect(code).toBe(200)
    const end = (session: string) =>
      gateway.inject({ method: 'POST', url: '/v1/operator/auth/end', headers: { 'x-ledger-session': session } })
    await reload.take(configOf(operators(bob)))
    expect((await end(token)).statusCode).toBe(401)
    expect((await sessionOf(opened, alice)).code).toBe(403)
    const other = await sessionOf(opened, bob)
    expect([other.code, (await end(other.token)).statusCode]).toEqual([200, 200])
  })

  it('reports keys that need a restart, until the file matches the running node again', async () => {
    const { reload } = await running('')
    const moved = configOf('[queue]\ncapacity = 4000\n[log]\nlevel = "warn"')
    expect(await reload.take(moved)).toEqual({ changed: ['log.level'], restart: ['queue.capacity'] })
    expect(await reload.take(moved)).toEqual({ changed: [], restart: ['queue.capacity'] })
    expect(await reload.take(configOf(''))).toEqual({ changed: ['log.level'], restart: [] })
  })

  it('changes nothing if it contains an unknown account', async () => {
    const opened = await running(operators(alice))
    const faulty = configOf(`[log]\nlevel = "trace"
${operators(bob)}
api_tokens = [{ name = "desk", sha256 = "${DIGEST}", account = "nobody@nowhere" }]`)
    await expect(opened.reload.take(faulty)).rejects.toThrow('account does not exist')
    expect([logger.level, audited]).toEqual(['info', []])
    expect((await sessionOf(opened, alice)).code).toBe(200)
    expect((await sessionOf(opened, bob)).code).toBe(403)
  })
})

describe('a renewed certificate file', () => {
  const servedAt = (port: number): string =>
    `[gateway]\nlisten = "127.0.0.1:${port}"\ntls_cert = "gateway.crt"\ntls_key = "gateway.key"`
  const [old, renewed] = [7, 8].map((byte) => linkIdentity(Buffer.alloc(32, byte))) as [Identity, Identity]
  type Identity = ReturnType<typeof linkIdentity>
  const write = async ({ certificate }: Identity, { privateKey }: Identity): Promise<void> => {
    await writeFile(join(folder, 'gateway.crt'), certificate)
    await writeFile(join(folder, 'gateway.key'), privateKey, { mode: 0o600 })
  }
  const connected = (port: number): Promise<TLSSocket> =>
    new Promise((resolve, reject) => {
      const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false }, () => resolve(socket))
      socket.on('error', reject)
      steps.push(async () => void socket.destroy())
    })
  /** Key of the certificate that a new connection meets. */
  const shown = async (port: number): Promise<string | undefined> => {
    const key = (await connected(port)).getPeerX509Certificate()?.publicKey.export({ format: 'jwk' }).x
    return key && Buffer.from(key, 'base64url').toString('hex')
  }

  it('is used for new connections and reported, and open connections are kept', async () => {
    await write(old, old)
    const served = servedAt(await freePorts(1))
    const { gateway, reload } = await running(served)
    const { port } = await gateway.listen()
    const open = await connected(port)
    expect(await shown(port)).toBe(old.publicKey.toString('hex'))
    expect(await reload.take(configOf(served))).toEqual({ changed: [], restart: [] })
    await write(renewed, renewed)
    expect(await reload.take(configOf(served))).toEqual({ changed: ['gateway.tls_cert'], restart: [] })
    expect(audited.at(-1)).toBe('node_reload gateway.tls_cert')
    expect(await shown(port)).toBe(renewed.publicKey.toString('hex'))
    const answer = new Promise<string>((resolve) => open.once('data', (bytes: Buffer) => resolve(bytes.toString())))
    open.write('GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n')
    expect(await answer).toContain('200 OK')
    expect(await reload.take(configOf(served))).toEqual({ changed: [], restart: [] })
  })

  it('changes nothing if it does not match its key; other file names apply after a restart', async () => {
    await write(old, old)
    const served = servedAt(await freePorts(1))
    const { gateway, reload } = await running(served)
    const { port } = await gateway.listen()
    await write(renewed, old)
    await expect(reload.take(configOf(`${served}\nrate_burst = 3`))).rejects.toMatchObject({ code: 'config_invalid' })
    expect([await shown(port), audited]).toEqual([old.publicKey.toString('hex'), []])
    const moved = configOf(served.replaceAll('"gateway.', '"other.'))
    expect(await reload.take(moved)).toEqual({ changed: [], restart: ['gateway.tls_cert', 'gateway.tls_key'] })
  })
})

describe('a reload of several services', () => {
  it('prepares all services first, and changes none if one of them fails', async () => {
    const taken: string[] = []
    let fault: LedgerError | undefined = new LedgerError('config_invalid', 'iso.hold[0]: account does not exist')
    const service = (name: string, mayFail: boolean): { name: string; running: RunningService } => ({
      name,
      running: {
        reload: async () => {
          if (mayFail && fault !== undefined) throw fault
          return () => void taken.push(name)
        },
      },
    })
    const reload = new Reload(configOf(''), {
      gateway: { configure: () => void taken.push('gateway') },
      services: [service('one', false), service('two', true)],
      settingsOf: async () => ({}) as never,
      logger,
      audit: { append: async () => {} },
    })
    await expect(reload.take(configOf(''))).rejects.toThrow('iso.hold[0]')
    expect(taken).toEqual([])
    fault = undefined
    // Two at once come one after the other.
    await Promise.all([reload.take(configOf('')), reload.take(configOf(''))])
    expect(taken).toEqual(['gateway', 'one', 'two', 'gateway', 'one', 'two'])
  })
})
