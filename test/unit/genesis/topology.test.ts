import { beforeAll, describe, expect, test } from 'vitest'
import type { LedgerError } from '../../../src/model/errors.js'
import type { FileFault } from '../../../src/node/config/index.js'
import {
  entryOf,
  type PeerEntry,
  parseTopology,
  quorumRow,
  sizeAdvice,
  topologyText,
} from '../../../src/node/genesis/index.js'
import { entry } from './support.js'

let peers: PeerEntry[]
beforeAll(async () => {
  peers = await Promise.all([0, 1, 2, 3].map((index) => entry(`val-${index}`, 7400 + index)))
})

async function faultsOf(text: string): Promise<readonly FileFault[]> {
  try {
    await parseTopology(text, 'topology.json')
  } catch (error) {
    expect((error as LedgerError).code).toBe('topology_invalid')
    return (error as LedgerError).details?.faults as FileFault[]
  }
  return []
}

describe('the topology file', () => {
  test('is parsed if valid, and its entries are preserved', async () => {
    const read = await parseTopology(topologyText(peers), 'topology.json')
    expect(read.map(entryOf)).toEqual(peers)
    expect(read.map((one) => one.peer.role)).toEqual(Array(4).fill('validator'))
  })

  test('is rejected with every fault and its line', async () => {
    const [a, b, c, d] = peers as [PeerEntry, PeerEntry, PeerEntry, PeerEntry]
    const text = topologyText([
      { ...a, pop: '' },
      { ...b, pop: c.pop },
      { ...c, network_key: d.network_key, addresses: ['nowhere'] },
      { ...d, key: d.network_key },
    ])
    const faults = await faultsOf(text)
    expect(faults.map((one) => one.path)).toEqual([
      'peers[0].pop',
      'peers[2].addresses[0]',
      'peers[3].key',
      'peers[1].pop',
    ])
    for (const one of faults) {
      const last = one.path.split('.').at(-1)?.replace(/\[.*/, '') ?? ''
      const lines = text.split('\n')
      expect(lines.slice(one.line! - 2, one.line).join('\n')).toContain(`"${last}"`)
    }
  })

  test('is rejected for a duplicate value, with a reference to the first peer that has it', async () => {
    const [a, b] = peers as [PeerEntry, PeerEntry]
    const faults = await faultsOf(topologyText([a, { ...b, name: a.name, network_key: a.network_key }, a]))
    const texts = faults.map((one) => `${one.path}: ${one.message}`)
    expect(texts).toContain('peers[1].name: duplicate name of peers[0]')
    expect(texts).toContain('peers[1].network_key: duplicate network key of peers[0]')
    expect(texts).toContain('peers[2].key: duplicate key of peers[0]')
    expect(texts).toContain('peers[2].addresses: duplicate address of peers[0]')
  })

  test('is rejected if it lists only observers, or is invalid JSON', async () => {
    const observers = peers.map((one) => ({ ...one, role: 'Observer' as const }))
    expect((await faultsOf(topologyText(observers)))[0]?.message).toBe('no validator is listed')
    expect(await faultsOf('{"peers": [}')).toEqual([expect.objectContaining({ line: 1 })])
    expect((await faultsOf('{"peers": [], "extra": 1}')).map((one) => one.path)).toContain('extra')
  })
})

test('the quorum table matches the specification', () => {
  const rows = [1, 2, 3, 4, 5, 6, 7, 10].map(quorumRow)
  expect(rows.map((row) => row.faults)).toEqual([0, 0, 0, 1, 1, 1, 2, 3])
  expect(rows.map((row) => row.quorum)).toEqual([1, 2, 3, 3, 3, 3, 5, 7])
  expect([4, 7, 10].map(sizeAdvice)).toEqual([undefined, undefined, undefined])
  for (const n of [2, 3]) expect(sizeAdvice(n)).toContain('any failure stops')
  for (const n of [5, 6]) expect(sizeAdvice(n)).toContain('useful sizes are 4, 7, 10')
})
