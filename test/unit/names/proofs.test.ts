/**
 * Proofs of names: the rows and versions of a real state, two verifiers that share no code, and every flipped byte. The finality of
 * blocks has tests of its own; here their headers are given.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { type NameProof, verifyNameRows } from '../../../src/client/name-proof.js'
import { ABI_2 } from '../../../src/features/abi.js'
import { names as nameTable } from '../../../src/features/names/ledger/tables.js'
import { instructions as names } from '../../../src/features/names/schema/instructions.js'
import { nameRow, type StoredVersion } from '../../../src/features/names/schema/records.js'
import { provenNames } from '../../../src/features/names/schema/views.js'
import { aliases } from '../../../src/ledger/tables.js'
import { type BlockHeader, instruction, parseAlias } from '../../../src/model/index.js'
import { MemoryBackend, rowKey, WorldState } from '../../../src/state/index.js'
import type { Bench } from '../../support/executor.js'
import { genesisHeader } from '../../support/headers.js'
import { alice, bob, carol, DAY_MS, leased } from '../../support/names.js'
import { rowsOf } from '../../support/nodes.js'
import { type SecondName, type SecondRow, secondResult } from '../../support/second-name-verifier.js'

const NAMES = ['in.pay.desk@bank', 'pay.desk@bank', 'desk@bank'] as const
type Rows = Pick<NameProof, 'names' | 'at'>
let world: WorldState
let bench: Bench
/** Versions that were replaced, by name, oldest first. */
const replaced = new Map<string, StoredVersion[]>()
/** Heights and times of blocks. */
const times = new Map<number, number>()

/** The next block: its changes make one version of a name. */
function block(by: string, ...list: readonly Parameters<Bench['run']>[1][]): void {
  const before = NAMES.map((text) => {
    const name = parseAlias(text) ?? { domain: '', label: '' }
    const [row, account] = [bench.state.get(nameTable, name), bench.state.get(aliases, name)]
    return { text, name, row, stored: row && account ? { row: nameRow.encode(row), account } : undefined }
  })
  bench.height += 1
  bench.timeMs += 1_000
  expect(bench.run(by, ...list), bench.last?.rejection?.message).toBeUndefined()
  times.set(bench.height, bench.timeMs)
  for (const { text, name, row, stored } of before)
    if (stored !== undefined && bench.state.get(nameTable, name)?.version !== row?.version)
      replaced.set(text, [...(replaced.get(text) ?? []), stored])
}

const sub = (parent: string, label: string, account: string) =>
  instruction(names.createSubname, { parent, label, owner: alice, account, expiresMs: undefined })
const account = (name: string, to: string) => instruction(names.setNameAccount, { name, account: to })

beforeAll(async () => {
  bench = leased('desk')
  times.set(bench.height, bench.timeMs)
  block(alice, sub('desk@bank', 'pay', bob))
  block(alice, sub('pay.desk@bank', 'in', carol))
  block(alice, account('in.pay.desk@bank', bob))
  block(alice, account('in.pay.desk@bank', alice), account('pay.desk@bank', carol))
  block(alice, account('in.pay.desk@bank', carol))
  world = await WorldState.open({ backend: new MemoryBackend(), treeBits: 4, context: ABI_2.codec('cw') })
  await world.commit(world.prepareRows(rowsOf(bench.state)), { height: bench.height })
})

/** Rows of a proof, as a node makes them. */
function proofOf(first: number, at?: number): Rows {
  return {
    at,
    names: NAMES.slice(first).map((text) => {
      const name = parseAlias(text) ?? { domain: '', label: '' }
      const [alias, row] = [world.prove(rowKey(aliases, name)), world.prove(rowKey(nameTable, name))]
      const versions = at === undefined ? [] : [...(replaced.get(text) ?? [])].reverse()
      return {
        name: text,
        alias: { value: alias.bytes, proof: alias.proof },
        row: { value: row.bytes, proof: row.proof },
        versions,
      }
    }),
  }
}
const header = (height: number, timeMs = times.get(height) ?? bench.timeMs): BlockHeader => ({
  ...genesisHeader(Buffer.alloc(32)),
  height,
  timeMs,
  stateRoot: world.root,
})
const verify = (proof: Rows, timeMs?: number) =>
  verifyNameRows(proof, { head: header(bench.height), asked: header(proof.at ?? bench.height, timeMs) })

const bytesOf = (id: string): Uint8Array => Uint8Array.from(Buffer.from(id, 'latin1'))
const secondRow = ({ value, proof: { siblings, other } }: Rows['names'][number]['row']): SecondRow => ({
  value,
  siblings,
  other,
})
const second = ({ names: list, at }: Rows, timeMs?: number) =>
  secondResult(
    list.map(
      ({ name, alias, row, versions }): SecondName => ({
        name,
        alias: secondRow(alias),
        row: secondRow(row),
        versions: versions.map((one) => ({ row: one.row, account: bytesOf(one.account) })),
      }),
    ),
    { root: world.root, at, timeMs: timeMs ?? times.get(at ?? bench.height) ?? 0 },
  )
/** Results of both verifiers. */
function both(proof: Rows, timeMs?: number): string | undefined {
  const result = verify(proof, timeMs)
  const account = result.ok ? (result.state.account ?? 'none') : undefined
  const other = second(proof, timeMs)
  expect(other instanceof Uint8Array ? Buffer.from(other).toString('latin1') : other).toBe(account)
  return account
}

describe('the proof of a name', () => {
  it('shows the current account of a subname, with all of its parent names', () => {
    expect(both(proofOf(0))).toBe(carol)
    expect(both(proofOf(1))).toBe(carol)
    expect(both(proofOf(2))).toBe(alice)
  })

  it('shows the account at each earlier height with the chain of versions', () => {
    const first = [...times.keys()][0] ?? 0
    const at = [2, 3, 4, 5].map((more) => both(proofOf(0, first + more)))
    expect(at).toEqual([carol, bob, alice, carol])
  })

  it('shows the last account in the grace period, and no account in quarantine', () => {
    expect(both(proofOf(0), bench.timeMs + 366 * DAY_MS)).toBe(carol)
    expect(both(proofOf(0), bench.timeMs + 400 * DAY_MS)).toBe('none')
    expect(both(proofOf(0), bench.timeMs + 500 * DAY_MS)).toBe('none')
  })

  it('is incomplete for a height below the first version, or with missing versions', () => {
    const first = [...times.keys()][0] ?? 0
    expect(verify(proofOf(0, first - 1))).toMatchObject({ ok: false, code: 'history_incomplete' })
    const proof = proofOf(0, first + 2)
    const cut = { ...proof, names: proof.names.map((one) => ({ ...one, versions: one.versions.slice(0, 1) })) }
    expect(verify(cut)).toMatchObject({ ok: false, code: 'history_incomplete' })
    expect(both(cut)).toBeUndefined()
  })

  it('is invalid with reordered versions, with the row of another name, or with a missing parent name', () => {
    const first = [...times.keys()][0] ?? 0
    const proof = proofOf(0, first + 2)
    const [one, two, three] = proof.names
    if (one === undefined || two === undefined || three === undefined) throw new Error('a name is missing')
    const swapped = { ...one, versions: [...one.versions].reverse() }
    for (const list of [
      [swapped, two, three],
      [{ ...one, row: two.row }, two, three],
      [one, two],
      [one, three],
      [{ ...one, name: two.name }, two, three],
    ])
      expect(both({ ...proof, names: list }), JSON.stringify(list.map(({ name }) => name))).toBeUndefined()
  })

  it('proves that a name does not exist', () => {
    const name = parseAlias('nothing@bank') ?? { domain: '', label: '' }
    const [alias, row] = [world.prove(rowKey(aliases, name)), world.prove(rowKey(nameTable, name))]
    const none = ({ proof }: typeof alias) => ({ value: undefined, proof })
    const absent = {
      names: [{ name: 'nothing@bank', alias: none(alias), row: none(row), versions: [] }],
      at: undefined,
    }
    expect(verify(absent)).toMatchObject({ ok: true, state: { standing: undefined, account: undefined } })
    expect(both(absent)).toBe('none')
    const hidden = { ...proofOf(2), names: [{ ...proofOf(2).names[0], alias: none(alias) }] } as Rows
    expect(both(hidden)).toBeUndefined()
  })

  it('is rejected if any byte is changed', () => {
    const first = [...times.keys()][0] ?? 0
    const proof = proofOf(0, first + 2)
    const good = both(proof)
    const bytes = provenNames.encode(proof.names)
    const accepted: number[] = []
    for (let at = 0; at < bytes.length; at += 1) {
      for (const mask of [1, 0x80]) {
        const flipped = Buffer.from(bytes)
        flipped.writeUInt8((bytes[at] ?? 0) ^ mask, at)
        const decoded = provenNames.decode(flipped)
        if (decoded.ok && verify({ ...proof, names: decoded.value }).ok) accepted.push(at)
      }
    }
    expect(accepted).toEqual([])
    expect([good, bytes.length > 1_500]).toEqual([carol, true])
  })
})
