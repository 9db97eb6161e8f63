/** Owns the faults that keep a node from starting: how each comes about, its code, and what its message must name. */
import { chmod, cp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ErrorCode } from '../../src/model/errors.js'
import type { TestNet } from './localnet.js'
import { otherNetwork, type PeerCopy } from './peer-copy.js'

/**
 * Name of a fault, its code, and a function that causes it; returns the expected texts about the fault and its place.
 */
type StartFault = readonly [string, ErrorCode, (net: TestNet, copy: PeerCopy) => Promise<readonly string[]>]

const place = (url: string): string => url.replace('http://', '')
export const START_FAULTS: readonly StartFault[] = [
  [
    'occupied gateway port',
    'address_in_use',
    async (net, copy) => {
      await copy.set('[gateway]', 'listen', place(net.gateways[0]!))
      return [place(net.gateways[0]!)]
    },
  ],
  [
    'occupied port of links',
    'address_in_use',
    async (net, copy) => {
      await copy.set('[network]', 'listen', net.links[0]!)
      return [net.links[0]!]
    },
  ],
  [
    'missing key file',
    'key_file_missing',
    async (_, copy) => {
      await rm(copy.path('keys', 'network.json'))
      return [copy.path('keys', 'network.json')]
    },
  ],
  [
    'loose key file',
    'key_file_loose',
    async (_, copy) => {
      await chmod(copy.path('keys', 'validator.json'), 0o644)
      return [copy.path('keys', 'validator.json'), '644']
    },
  ],
  [
    'genesis with another hash',
    'genesis_mismatch',
    async (net, copy) => {
      await copy.set('[genesis]', 'hash', 'ab'.repeat(32))
      return [copy.config, 'ab'.repeat(32), copy.path('genesis.signed'), (await net.status()).genesis_hash]
    },
  ],
  [
    'another consensus mode than in genesis',
    'consensus_mode_mismatch',
    async (_, copy) => {
      await copy.set('[consensus]', 'consensus_mode', 'npos')
      return [copy.config, 'npos', 'permissioned']
    },
  ],
  [
    'data of another format',
    'data_dir_format',
    async (_, copy) => {
      const file = copy.path('data', 'format.json')
      const format = JSON.parse(await readFile(file, 'utf8')) as object
      await writeFile(file, JSON.stringify({ ...format, format: 99 }))
      return [copy.path('data'), '99']
    },
  ],
  [
    'data that is none',
    'data_dir_format',
    async (_, copy) => {
      await rm(copy.path('data', 'format.json'))
      return [copy.path('data'), 'format.json']
    },
  ],
  [
    'data of another genesis',
    'genesis_mismatch',
    async (net, copy) => {
      const other = await otherNetwork(net)
      const data = join(other, 'val-0', 'data')
      await cp(copy.path('data'), data, { recursive: true })
      await copy.set('', 'data_dir', data)
      await cp(join(other, 'genesis.signed'), copy.path('genesis.signed'))
      const { genesis_hash: hash } = JSON.parse(await readFile(join(other, 'localnet.json'), 'utf8'))
      await copy.set('[genesis]', 'hash', hash)
      return [data, hash, (await net.status()).genesis_hash]
    },
  ],
  [
    'data that another process uses',
    'data_dir_locked',
    async (net, copy) => {
      const data = join(net.folder, 'val-0', 'data')
      await copy.set('', 'data_dir', data)
      return [data, String((await net.status()).peers[0]?.pid)]
    },
  ],
]
