/** The wiring of the gateway: every key of `[gateway]` reaches it, and the routes of a bridge that is off say so. */
import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, describe, expect, it } from 'vitest'
import { signRequest } from '../../../src/client/index.js'
import { formatPublicKey } from '../../../src/crypto/index.js'
import type { Gateway } from '../../../src/gateway/index.js'
import { formatAddress } from '../../../src/model/index.js'
import { parseNodeConfig } from '../../../src/node/config/index.js'
import { openGateway } from '../../../src/node/gateway.js'
import { accountOf, alice, CHAIN, FakeNode, NETWORK_KEY } from '../gateway/support.js'

const HASH = 'ab'.repeat(32)
const steps: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const step of steps.splice(0).reverse()) await step()
})

async function gatewayWith(lines: string, node = new FakeNode()): Promise<Gateway> {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-wiring-'))
  steps.push(() => rm(folder, { recursive: true, force: true }))
  const config = parseNodeConfig(`[genesis]\nhash = "${HASH}"\n[gateway]\n${lines}`, join(folder, 'node.toml'))
  const { gateway } = await openGateway(config, node.services, {
    audit: { append: async () => {} },
    tls: undefined,
    sealSecret: Buffer.alloc(32, 7),
    keys: new Map(),
    logger: pino({ enabled: false }),
    onClose: (step) => steps.push(step),
  })
  steps.push(() => gateway.close())
  return gateway
}

const codeOf = (answer: { body: string }): string => (JSON.parse(answer.body) as { code: string }).code

describe('a node without a bridge key', () => {
  it('rejects payment messages, but returns the status of payments on the ledger', async () => {
    const gateway = await gatewayWith('')
    for (const [method, url] of [
      ['POST', '/v1/iso20022/pacs008'],
      ['POST', '/v1/iso20022/pacs009'],
    ] as const) {
      const answer = await gateway.inject({ method, url })
      expect([answer.statusCode, codeOf(answer)]).toEqual([404, 'route_not_enabled'])
    }
    const status = await gateway.inject({ url: '/v1/iso20022/status/PAY-1' })
    expect(codeOf(status)).not.toBe('route_not_enabled')
    const document = JSON.parse((await gateway.inject({ url: '/openapi.json' })).body) as { paths: object }
    expect(Object.keys(document.paths).filter((path) => path.includes('iso20022'))).toEqual([
      '/v1/iso20022/status/{msg_id}',
      '/v1/iso20022/status/{msg_id}/transactions',
    ])
  })
})

describe('a node with lanes disabled', () => {
  it('has no lane routes, also in its API document and capabilities, and serves the data of the chain', async () => {
    const gateway = await gatewayWith('[features]\noff = ["lanes"]')
    const answer = await gateway.inject({ url: '/v1/lanes/lifecycle' })
    expect([answer.statusCode, codeOf(answer)]).toEqual([404, 'route_not_enabled'])
    const document = JSON.parse((await gateway.inject({ url: '/openapi.json' })).body) as { paths: object }
    expect(Object.keys(document.paths).filter((path) => /^.v1.lanes(?!.public-lanes)/.test(path))).toEqual([])
    const { features } = JSON.parse((await gateway.inject({ url: '/v1/node/capabilities' })).body) as {
      features: string[]
    }
    expect([features.includes('core'), features.includes('lanes')]).toEqual([true, false])
    const { body } = await gateway.inject({ url: '/schema' })
    expect(body.includes('"lanesChanged"')).toBe(true)
  })
})

describe('the configuration keys of the gateway', () => {
  it('are passed to the gateway', async () => {
    const gateway = await gatewayWith(
      [
        'rate_per_second = 7',
        'rate_burst = 9',
        'connections_per_address = 2000',
        'cors_origins = ["https://wallet.example"]',
        `operator_keys = ["${formatPublicKey(alice.publicKey)}"]`,
        `api_tokens = [{ name = "desk", sha256 = "${HASH}" }]`,
        'require_api_token = true',
      ].join('\n'),
    )
    expect(gateway.config).toMatchObject({
      rateLimit: { perSecond: 7, burst: 9 },
      maxConnectionsPerAddress: 2_000,
      maxConnections: 2_000,
      corsOrigins: ['https://wallet.example'],
      operatorKeys: [formatPublicKey(alice.publicKey)],
      apiTokens: [{ name: 'desk', sha256: HASH }],
      requireApiToken: true,
    })
    expect((await gateway.inject({ url: '/peers' })).statusCode).toBe(401)
  })

  it('give operator keys access that the telemetry profile denies', async () => {
    const gateway = await gatewayWith(
      `operator_keys = ["${formatPublicKey(alice.publicKey)}"]\n[telemetry]\nprofile = "disabled"`,
    )
    const headers = await signRequest(
      { chain: CHAIN, networkKey: NETWORK_KEY, method: 'GET', target: '/metrics' },
      alice,
    )
    expect((await gateway.inject({ url: '/metrics' })).statusCode).toBe(503)
    expect((await gateway.inject({ url: '/metrics', headers })).statusCode).toBe(200)
  })

  it('can bind API tokens to an account by address or by alias', async () => {
    const sha256 = createHash('sha256').update('secret').digest('hex')
    const bound = async (account: string) =>
      (await gatewayWith(`api_tokens = [{ name = "a", sha256 = "${sha256}", account = "${account}" }]`)).config
        .apiTokens
    const expected = [{ name: 'a', sha256, account: { id: accountOf(alice) } }]
    expect(await bound(formatAddress(accountOf(alice), 'cw'))).toEqual(expected)
    expect(await bound('alice@d000')).toEqual(expected)
    // It may be in a block that this node does not have yet.
    expect(await bound('nobody@d000')).toEqual([{ name: 'a', sha256, account: { id: undefined } }])
    await expect(bound('nonsense')).rejects.toMatchObject({
      code: 'config_invalid',
      message: expect.stringContaining('gateway.api_tokens "a": '),
    })
  })
})
