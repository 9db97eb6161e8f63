import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { LedgerError } from '../../../src/model/errors.js'
import { closeMatches } from '../../../src/model/suggest.js'
import {
  type FileFault,
  formatHostPort,
  NODE_KEYS,
  nearest,
  nodeConfigJsonSchema,
  parseHostPort,
  parseNodeConfig,
  renderNodeConfig,
} from '../../../src/node/config/index.js'

const HASH = 'ab'.repeat(32)
const MINIMAL = `[genesis]\nhash = "${HASH}"\n`

function faultsOf(text: string, env: Record<string, string> = {}): readonly FileFault[] {
  try {
    parseNodeConfig(text, '/net/node.toml', env)
  } catch (error) {
    expect(error).toBeInstanceOf(LedgerError)
    expect((error as LedgerError).code).toBe('config_invalid')
    return (error as LedgerError).details?.faults as FileFault[]
  }
  return []
}

describe('node configuration', () => {
  test('the template matches the rendered key table, and documents every key', () => {
    const template = readFileSync('templates/config/node.toml', 'utf8')
    expect(template).toBe(renderNodeConfig())
    expect(template).not.toContain('undefined')
    for (const { path } of NODE_KEYS) expect(template).toMatch(new RegExp(`^#?${path.at(-1)} = `, 'm'))
    expect(faultsOf(template)).toEqual([])
  })

  test('the published JSON Schema matches the key table', () => {
    expect(JSON.parse(readFileSync('templates/config/node.schema.json', 'utf8'))).toEqual(nodeConfigJsonSchema())
  })

  test('defaults fill absent keys, and paths are relative to the file', () => {
    const config = parseNodeConfig(MINIMAL, '/net/node.toml')
    expect(config.genesis).toEqual({ file: '/net/genesis.signed', hash: HASH })
    expect(config.dataDir).toBe('/net/data')
    expect(config.gateway.listen).toEqual({ host: '127.0.0.1', port: 8080 })
    expect(config.telemetry.profile).toBe('operator')
    expect(config.keys.features).toEqual([])
  })

  test('rendered values are parsed back', () => {
    const config = parseNodeConfig(
      renderNodeConfig({
        'genesis.hash': HASH,
        'keys.bridge': 'keys/bridge.json',
        'iso.anonymous_submitter': 'bridge@bank',
        'iso.settlement_window.past_days': 5,
        'gateway.cors_origins': ['https://wallet.example'],
      }),
      '/net/node.toml',
    )
    expect(config.keys.features).toEqual([{ name: 'bridge', algorithm: 'ed25519', path: '/net/keys/bridge.json' }])
    expect(config.features.iso20022).toEqual({
      anonymousSubmitter: 'bridge@bank',
      holds: [],
      pins: 'match',
      retentionDays: 400,
      duplicateUetr: 'warn',
      reference: { bic: undefined, iban: undefined, currency: undefined, refreshSeconds: 60 },
      settlementWindow: { pastDays: 5, futureDays: undefined },
    })
    expect(config.gateway.corsOrigins).toEqual(['https://wallet.example'])
  })

  test('all faults are reported together, with lines and suggestions', () => {
    const faults = faultsOf('data_dri = "x"\n[gateway]\nlisten = "nowhere"\n[queue]\ncapacity = 0\n')
    expect(faults).toEqual([
      { path: 'data_dri', line: 1, message: 'unknown key; did you mean data_dir?' },
      expect.objectContaining({ path: 'gateway.listen', line: 3 }),
      expect.objectContaining({ path: 'queue.capacity', line: 5 }),
      expect.objectContaining({ path: 'genesis.hash' }),
    ])
  })

  test('invalid TOML is reported with its line', () => {
    expect(faultsOf('[genesis\nhash = 1')).toEqual([expect.objectContaining({ line: 1 })])
  })

  test('environment variables override the file and are validated in the same way', () => {
    const env = {
      CAUSEWAY_NODE__GATEWAY__LISTEN: '127.0.0.1:9999',
      CAUSEWAY_NODE__QUEUE__DURABLE: 'false',
      CAUSEWAY_NODE__GATEWAY__CORS_ORIGINS: 'https://a.example, https://b.example:2',
      OTHER: 'x',
    }
    const config = parseNodeConfig(`${MINIMAL}[gateway]\nlisten = "127.0.0.1:1"\n`, '/n.toml', env)
    expect(config.gateway.listen.port).toBe(9999)
    expect(config.queue.durable).toBe(false)
    expect(config.gateway.corsOrigins).toEqual(['https://a.example', 'https://b.example:2'])
    expect(faultsOf(MINIMAL, { CAUSEWAY_NODE__QUEUE__CAPACTY: '1' })[0]?.message).toContain('CAPACITY')
    expect(faultsOf(MINIMAL, { CAUSEWAY_NODE__QUEUE__CAPACITY: 'many' })).toHaveLength(1)
  })

  test.each([
    ['a public gateway without TLS', '[gateway]\nlisten = "0.0.0.0:80"', 'gateway.listen'],
    ['a certificate without its key', '[gateway]\ntls_cert = "a.crt"', 'gateway.tls_key'],
    ['a required token without a configured one', '[gateway]\nrequire_api_token = true', 'gateway.require_api_token'],
    ['an operator key of another kind', `[gateway]\noperator_keys = ["${HASH}"]`, 'gateway.operator_keys'],
    ['an origin with a path', '[gateway]\ncors_origins = ["https://a.example/app"]', 'gateway.cors_origins'],
    ['one address for gateway and peers', '[network]\nlisten = "127.0.0.1:8080"', 'network.listen'],
    ['a submitter without a bridge key', '[iso]\nanonymous_submitter = "a@b"', 'iso.anonymous_submitter'],
    [
      'two tokens of one name',
      `[gateway]\napi_tokens = [{name="a",sha256="${HASH}"},{name="a",sha256="${HASH}"}]`,
      'gateway.api_tokens',
    ],
  ])('%s is refused', (_name, text, path) => {
    expect(faultsOf(`${MINIMAL}${text}\n`).map((one) => one.path)).toEqual([path])
  })

  test('a token configured in place of its hash is not repeated in the error', () => {
    const faults = faultsOf(`${MINIMAL}[gateway]\napi_tokens = [{name="a", sha256="my-secret"}]\n`)
    expect(JSON.stringify(faults)).not.toContain('my-secret')
  })
})

describe('host and port parsing', () => {
  test.each(['127.0.0.1:80', 'val-0.example:7400', '[::1]:7400'])('%s is parsed and formatted back', (text) => {
    const read = parseHostPort(text)
    expect(read === undefined ? undefined : formatHostPort(read)).toBe(text)
  })
  test.each(['', 'host', ':80', 'host:', 'host:0', 'host:65536', '::1:80', 'ho st:80', '-a:80', 'a:080000'])(
    '%s is invalid',
    (text) => expect(parseHostPort(text)).toBeUndefined(),
  )
})

test('a suggestion is only made for a similar word', () => {
  expect(nearest('capcity', ['capacity', 'durable'])).toBe('capacity')
  expect(nearest('zzz', ['capacity', 'durable'])).toBeUndefined()
})
test('matches are similar to the text or contain it, and the closest comes first', () => {
  const kinds = ['BatchTransfer', 'Mint', 'Transfer', 'TransferNft']
  expect(closeMatches('transfr', kinds, 5)).toEqual(['Transfer', 'TransferNft'])
  expect(closeMatches('transfer', kinds, 2)).toEqual(['Transfer', 'TransferNft'])
  expect(closeMatches('foo', kinds, 5)).toEqual([])
})
