/** Configuration in the bundle of the doctor: no token in any notation, and all useful values. */
import { parse } from 'smol-toml'
import { describe, expect, it } from 'vitest'
import { withoutSecrets } from '../../../src/doctor/redact.js'
import { parseNodeConfig } from '../../../src/node/config/index.js'

const SECRET = 'abab'.repeat(16)
const TOKEN = `{ name = "bank", sha256 = "${SECRET}" }`

describe('tokens are not shown', () => {
  it.each([
    ['in one line', `[gateway]\napi_tokens = [${TOKEN}]`],
    ['over several lines', `[gateway]\napi_tokens = [\n  ${TOKEN},\n  # and another\n  ${TOKEN},\n]`],
    ['under a dotted key', `gateway.api_tokens = [\n  ${TOKEN}\n]`],
    ['under a quoted key', `[gateway]\n"api_tokens" = [${TOKEN}]`],
    ['under a spaced dotted key', `gateway . 'api_tokens' = [${TOKEN}]`],
    ['in an inline table', `gateway = { listen = "127.0.0.1:8080", api_tokens = [${TOKEN}] }`],
    ['as an array of tables', `[[gateway.api_tokens]]\nname = "bank"\nsha256 = "${SECRET}"`],
    ['in a literal string', `[gateway]\napi_tokens = [{ name = 'bank', sha256 = '${SECRET}' }]`],
    ['in a multi-line string', `[gateway]\napi_tokens = """\nname\n${SECRET}\n"""`],
    ['in a multi-line literal string', `[gateway]\napi_tokens = '''\n${SECRET}'''`],
    ['in a comment', `[gateway]\n# api_tokens = [${TOKEN}]\nlisten = "127.0.0.1:8080"`],
    ['after a value', `[gateway]\nlisten = "127.0.0.1:8080" # token ${SECRET}`],
    ['under a mistyped name', `[gateway]\napi_tokns = "${SECRET}"`],
    ['in an unknown section', `[gatway]\nlisten = "${SECRET}"\n[gatway.inner]\na = ["${SECRET}"]`],
    ['in place of a section', `gateway = "${SECRET}"`],
    ['as tables in place of a section', `[[gateway]]\nlisten = "${SECRET}"`],
    ['in a file that is not TOML', `[gateway\napi_tokens = "${SECRET}"`],
  ])('%s', (_, toml) => {
    expect(withoutSecrets(toml)).not.toContain(SECRET)
  })
})

it('credentials in addresses are removed, and the rest of an address is shown', () => {
  const toml = [
    '[notify]',
    'upstream_url = "https://push.bank.example/send?key=SECRET"',
    '[traces]',
    'endpoint = "https://user:SECRET@otel.example:4318/v1/traces"',
    '[telemetry]',
    'gateways = ["http://a.example:8080", "http://b.example/?token=SECRET#SECRET"]',
  ].join('\n')
  const shown = withoutSecrets(toml)
  expect(shown).not.toContain('SECRET')
  expect(parse(shown)).toEqual({
    notify: { upstream_url: 'https://push.bank.example/send?(left out)' },
    traces: { endpoint: 'https://(left out)@otel.example:4318/v1/traces' },
    telemetry: { gateways: ['http://a.example:8080', 'http://b.example/?(left out)'] },
  })
})

it('values of known keys are shown, and removed parts are marked', () => {
  const toml = `data_dir = "data"\n[gateway]\nrequire_api_token = true\nlisten = "127.0.0.1:9"\napi_tokens = [${TOKEN}]\n[log]\nlevel = 'warn'`
  expect(parse(withoutSecrets(toml))).toEqual({
    data_dir: 'data',
    gateway: { require_api_token: true, listen: '127.0.0.1:9', api_tokens: '(left out)' },
    log: { level: 'warn' },
  })
})

it('a configuration fault does not repeat the value of a token key', () => {
  const read = () => parseNodeConfig(`[gateway]\napi_tokens = "${SECRET}"`, 'node.toml')
  expect(read).toThrow('api_tokens')
  expect(read).not.toThrow(SECRET)
})
