import { describe, expect, it } from 'vitest'
import { LedgerError } from '../../../src/model/index.js'
import { parseNodeConfig } from '../../../src/node/config/index.js'
import { parseSignerConfig } from '../../../src/signer/config.js'

const CHAIN = `chain_hash = "${'ab'.repeat(32)}"`
const OWN = [CHAIN, 'data_dir = "data"', 'validator = "keys/validator.json"']
const ED25519 = `ed0120${'0A'.repeat(32)}`
const BLS = `ea0130${'0A'.repeat(48)}`

/** The faults of a text, or what it says. */
function faultsOf(parse: () => unknown): readonly { path: string; message: string }[] {
  try {
    parse()
    return []
  } catch (error) {
    if (error instanceof LedgerError) return error.details?.['faults'] as { path: string; message: string }[]
    throw error
  }
}
const signerFaults = (...lines: string[]) => faultsOf(() => parseSignerConfig(lines.join('\n'), '/etc/s/signer.toml'))
const nodeFaults = (...lines: string[]) =>
  faultsOf(() => parseNodeConfig(['[genesis]', `hash = "${'0'.repeat(64)}"`, ...lines].join('\n'), '/etc/n/node.toml'))

describe('the configuration file signer.toml', () => {
  it('resolves paths relative to the folder of the file', () => {
    const config = parseSignerConfig([...OWN, 'socket = "run/s.sock"'].join('\n'), '/etc/s/signer.toml')
    expect(config).toMatchObject({
      dataDir: '/etc/s/data',
      validatorKeyFile: '/etc/s/keys/validator.json',
      listen: { kind: 'socket', path: '/etc/s/run/s.sock' },
      leaseMs: 2_000,
    })
  })

  it('requires exactly one listen address, and the keys of both sides if the address is public', () => {
    expect(signerFaults(...OWN)).toMatchObject([{ path: 'socket' }])
    expect(signerFaults(...OWN, 'socket = "s"', 'listen = "127.0.0.1:1"')).toMatchObject([{ path: 'socket' }])
    expect(signerFaults(...OWN, 'listen = "127.0.0.1:1"')).toMatchObject([{ path: 'identity' }, { path: 'nodes' }])
    expect(signerFaults(...OWN, 'socket = "s"', `nodes = ["${ED25519}"]`)).toMatchObject([{ path: 'nodes' }])
    const listen = ['listen = "127.0.0.1:1"', 'identity = "i.json"']
    expect(signerFaults(...OWN, ...listen, `nodes = ["${ED25519}"]`)).toEqual([])
    expect(signerFaults(...OWN, ...listen, 'nodes = []')).toMatchObject([{ path: 'nodes' }])
  })

  it('reports unknown and missing keys', () => {
    expect(signerFaults('socket = "s"', 'sockett = "s"')).toMatchObject([
      { path: 'sockett' },
      { path: 'chain_hash' },
      { path: 'data_dir' },
      { path: 'validator' },
    ])
  })
})

describe('the signer section of node.toml', () => {
  it('is absent by default', () => {
    const text = `[genesis]\nhash = "${'0'.repeat(64)}"`
    expect(parseNodeConfig(text, '/etc/n/node.toml')).toMatchObject({ signer: undefined, standby: undefined })
  })

  it('requires an address and the key of the validator', () => {
    expect(nodeFaults('[signer]', 'socket = "s"', `validator = "${BLS}"`)).toEqual([])
    expect(nodeFaults('[signer]', 'socket = "s"')).toMatchObject([{ path: 'signer.socket' }])
    expect(nodeFaults('[signer]', `validator = "${BLS}"`)).toMatchObject([{ path: 'signer.validator' }])
    expect(nodeFaults('[signer]', 'socket = "s"', `validator = "${ED25519}"`)).toMatchObject([
      { path: 'signer.validator', message: expect.stringContaining('bls') },
    ])
  })

  it('requires the key of a signer on another machine', () => {
    const tls = ['[signer]', 'address = "h:1"', `validator = "${BLS}"`]
    expect(nodeFaults(...tls)).toMatchObject([{ path: 'signer.address' }])
    expect(nodeFaults(...tls, `key = "${ED25519}"`)).toEqual([])
  })

  it('is required for a standby', () => {
    const standby = ['[standby]', 'validator = "v.json"', 'network = "n.json"']
    expect(nodeFaults(...standby)).toMatchObject([{ path: 'standby.network' }])
    expect(nodeFaults('[signer]', 'socket = "s"', `validator = "${BLS}"`, ...standby.slice(0, 2))).toMatchObject([
      { path: 'standby.validator' },
    ])
  })
})
