/** The next commands that `localnet up` ends with reach the network that was started. */
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { LocalnetStatus } from '../../../src/cli/localnet/status.js'
import { upText } from '../../../src/cli/localnet/summary.js'
import { DEFAULT_LOCALNET, type Localnet } from '../../../src/cli/settings/localnet-record.js'
import { type QuickstartOutcome, quickstartText } from '../../../src/cli/setup/quickstart.js'

const OWN = 'http://127.0.0.1:9000'

/** Commands below `Next:` for a network in a folder, while commands use a gateway by themselves. */
function nextOf(folder: string, gateway: string): string[] {
  const place = join(process.cwd(), folder)
  const net: Localnet = {
    folder: place,
    chain: 'c',
    genesisHash: '',
    manifest: '',
    peers: [{ name: 'val-0', gateway: OWN, p2p: '', folder: join(place, 'val-0'), config: '' }],
    accounts: [{ name: 'alice', alias: 'alice@bank', address: 'cw1', keyFile: join(place, 'alice.json') }],
  }
  const status = { chain: 'c', peers: [] } as unknown as LocalnetStatus
  const text = upText(net, status, { validators: 1, faults: 0, quorum: 1 }, gateway)
  return text
    .slice(text.indexOf('Next:\n') + 6)
    .split('\n')
    .map((line) => line.trim())
}

const TRANSFER = '--to bob@bank --asset eur#bank --amount 1.50'

it('the summary is short if commands find the network by default', () => {
  expect(nextOf(DEFAULT_LOCALNET, OWN)).toEqual([
    'causeway watch',
    'causeway localnet status',
    `causeway asset transfer --key-file ${DEFAULT_LOCALNET}/alice.json ${TRANSFER}`,
    'causeway localnet down',
  ])
})

it('the summary contains folder and gateway in another folder', () => {
  expect(nextOf('net', 'http://127.0.0.1:8080')).toEqual([
    'causeway watch --dir net',
    'causeway localnet status --dir net',
    `causeway asset transfer --gateway ${OWN} --key-file net/alice.json ${TRANSFER}`,
    'causeway localnet down --dir net',
  ])
})

it('the summary contains the gateway if a profile would select another one', () => {
  const [watch, , transfer] = nextOf(DEFAULT_LOCALNET, 'https://prod.example')
  expect(watch).toBe(`causeway watch --dir ${DEFAULT_LOCALNET}`)
  expect(transfer).toContain(`--gateway ${OWN}`)
})

it.each([
  ['in the folder of the package', join('templates', 'iso', 'pacs008.xml')],
  ['in a folder that contains the package', join('node_modules', 'causeway', 'templates', 'iso', 'pacs008.xml')],
])('the quickstart prints the relative path of the message it paid: %s', (_where, path) => {
  const net: Localnet = { folder: process.cwd(), chain: 'c', genesisHash: '', manifest: '', peers: [], accounts: [] }
  const outcome = { seen: [], payment: {}, status: { chain: 'c', peers: [] } } as unknown as QuickstartOutcome
  expect(quickstartText(net, join(process.cwd(), path), outcome, 1)).toContain(`iso submit pacs008 ${path} `)
  expect(quickstartText(net, join('/elsewhere', path), outcome, 1)).toContain(`iso submit pacs008 /elsewhere/${path} `)
})

it('the summary counts the observers separately from the voting validators', () => {
  const peers = ['val-0', 'val-1', 'val-2', 'val-3', 'obs-0'].map((name) => ({
    name,
    gateway: OWN,
    p2p: '',
    folder: name,
    config: '',
  }))
  const net: Localnet = { folder: 'net', chain: 'c', genesisHash: '', manifest: '', peers, accounts: [] }
  const status = { chain: 'c', peers: [] } as unknown as LocalnetStatus
  const lines = upText(net, status, { validators: 4, faults: 1, quorum: 3 }, OWN).split('\n')
  expect(lines.filter((line) => /^(validators|observers) /.test(line)).map((line) => line.replace(/ +/, ' '))).toEqual([
    'validators 4, quorum 3, survives 1 faulty',
    'observers 1',
  ])
})
