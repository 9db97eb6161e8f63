/** One byte of one node's state changes on disk: the report and the replay name the row and the instruction. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ABI_1 } from '../../../src/features/abi.js'
import { balances } from '../../../src/ledger/tables.js'
import { hashOfHeader } from '../../../src/model/index.js'
import { Failures } from '../../../src/node/consensus/failures.js'
import { reportOf } from '../../../src/node/ledger/divergence.js'
import type { Ledger } from '../../../src/node/ledger/ledger.js'
import { replayBlocks } from '../../../src/node/ledger/replay.js'
import type { Touch } from '../../../src/node/ledger/trace.js'
import type { Logger } from '../../../src/node/process/logger.js'
import { MemoryBackend, type RowKey, rowKey, WorldState } from '../../../src/state/index.js'
import { DEFINITION, GENESIS_TIME_MS, signedBy, transferOf } from '../../support/chain.js'
import { flipState } from '../../support/flip-state.js'
import { LedgerBench } from '../../support/ledger-bench.js'

const ID = Buffer.alloc(32, 1)
let bench: LedgerBench
beforeEach(async () => {
  bench = await LedgerBench.create()
})
afterEach(() => bench.close())

const pay = (amount: bigint) =>
  signedBy(bench.alice, [transferOf(bench.alice.id, bench.bob.id, amount)], GENESIS_TIME_MS)
const bobsRow = () => rowKey(balances, { definition: DEFINITION, account: bench.bob.id })
/** The next block, as a sound ledger builds it. */
const requestOf = async () => {
  const built = await bench.build(await bench.open('good'), [pay(5n)])
  return { blockHash: hashOfHeader(built.header), ...built }
}
const refuse = async (ledger: Ledger, certified: boolean) => ledger.execute({ ...(await requestOf()), certified })

describe('a node whose stored state was altered', () => {
  /** Two ledgers with the same three blocks; in the state of the second one a byte of bob's balance is another. */
  async function damaged(): Promise<Ledger> {
    const good = await bench.open('good')
    const bad = await bench.open('bad')
    for (const amount of [1n, 2n, 3n]) {
      const built = await bench.build(good, [pay(amount)])
      await bench.commit(good, built)
      await bench.commit(bad, built)
    }
    await bench.stop('bad')
    await flipState(bench.folder('bad'), bobsRow())
    return bench.open('bad')
  }

  it.each([
    ['a proposal', false],
    ['a certified block', true],
  ])(
    'rejects %s that touches the row, and reports both roots, the table, the key and the instruction',
    async (_, certified) => {
      const ledger = await damaged()
      const result = await refuse(ledger, certified)
      expect(result).toMatchObject({ ok: false, mismatch: true })
      expect(result.detail).toContain('stateRoot: the block has')
      expect(result.detail).toContain('table balances')
      const report = JSON.parse(await readFile(result.report ?? '', 'utf8'))
      expect(report).toMatchObject({
        height: 5,
        certified,
        first_difference: { table: 'balances', instruction: { instruction: 'asset::transfer', position: 0 } },
        damaged_rows: [{ table: 'balances', row: Buffer.from(bobsRow(), 'latin1').toString('hex') }],
      })
      expect(report.first_difference.key.definition).toBe(DEFINITION)
      const root = report.differing.find((one: { field: string }) => one.field === 'stateRoot')
      expect(root.block).not.toBe(root.computed)
      // Alice's row is written too, and it is sound.
      expect(report.changed_rows.map((one: { table: string }) => one.table)).toContain('balances')
    },
  )

  it('explains every certified block, but only one uncertified block per height', async () => {
    const ledger = await damaged()
    expect((await refuse(ledger, false)).report).toBeDefined()
    const again = await refuse(ledger, false)
    expect(again).toMatchObject({ ok: false, mismatch: true })
    expect(again.report).toBeUndefined()
    expect((await refuse(ledger, true)).report).toBeDefined()
  })

  it.each([
    ['a proposal', false],
    ['a certified block', true],
  ])('rejects %s with the reason even if the report cannot be written', async (_, certified) => {
    const ledger = await damaged()
    const request = await requestOf()
    const name = `divergence-5-${request.blockHash.toString('hex').slice(0, 8)}.json`
    // There is a folder in the place of the draft of the report, so nothing can be written.
    await mkdir(join(bench.folder('bad'), `${name}.new`))
    const result = await ledger.execute({ ...request, certified })
    expect(result).toMatchObject({ ok: false, mismatch: true, reportFault: { code: 'file_unwritable' } })
    expect(result.detail).toContain('table balances')
    expect(result.report).toBeUndefined()
    expect(result.reportFault?.message).toContain(name)
    expect(await readdir(bench.folder('bad'))).not.toContain(name)
    // It goes on: another question is answered.
    expect((await ledger.tip()).header.height).toBe(4)
  })

  it('keeps the last 32 reports', async () => {
    const ledger = await damaged()
    const folder = bench.folder('bad')
    for (let height = 10; height < 60; height++)
      await writeFile(join(folder, `divergence-${height}-0a0a0a0a.json`), '{}')
    await refuse(ledger, true)
    const left = (await readdir(folder)).filter((name) => name.startsWith('divergence-'))
    expect(left.length).toBe(32)
    expect(left).toContain('divergence-59-0a0a0a0a.json')
    expect(left).not.toContain('divergence-10-0a0a0a0a.json')
  })

  it('can be diagnosed by a replay, which reports the row, both values, and the block of its last write', async () => {
    await damaged()
    await bench.stop('bad')
    const scratch = join(bench.root, 'scratch')
    await mkdir(scratch)
    const options = { folder: bench.folder('bad'), scratch, genesis: bench.genesis, abi: ABI_1, explain: true }
    const report = await replayBlocks(options)
    expect(report).toMatchObject({ stateHeight: 4, reproduced: 4, failed: undefined })
    expect(report.wrongRows).toHaveLength(1)
    const [wrong] = report.wrongRows ?? []
    expect(wrong).toMatchObject({
      row: bobsRow(),
      lastWrite: { height: 4, touch: { label: 'asset::transfer', position: 0, kind: 'write' } },
    })
    expect(wrong?.stored?.equals(wrong.expected ?? Buffer.alloc(0))).toBe(false)
  })

  it('can be compared with an intact node, whose own replay reports nothing', async () => {
    const good = await bench.open('good')
    await bench.commit(good, await bench.build(good, [pay(1n)]))
    await bench.stop('good')
    const scratch = join(bench.root, 'scratch')
    await mkdir(scratch)
    const options = { folder: bench.folder('good'), scratch, genesis: bench.genesis, abi: ABI_1, explain: false }
    expect(await replayBlocks(options)).toMatchObject({ reproduced: 2, failed: undefined, wrongRows: [] })
  })
})

describe('a block with roots that cannot be reproduced', () => {
  it('is rejected with a report that every touched row is intact', async () => {
    const good = await bench.open('good')
    const built = await bench.build(good, [pay(5n)])
    const header = { ...built.header, stateRoot: Buffer.alloc(32, 9) }
    const other = await bench.open('other')
    const result = await other.execute({
      blockHash: hashOfHeader(header),
      header,
      body: built.body,
      hashes: built.hashes,
      certified: false,
    })
    expect(result.detail).toContain('every row that the block touches matches the committed one')
    const report = JSON.parse(await readFile(result.report ?? '', 'utf8'))
    expect(report).toMatchObject({ first_difference: null, damaged_rows: [] })
    expect(report.changed_rows.length).toBeGreaterThan(1)
  })
})

describe('a divergence report', () => {
  it('checks each row once, however often the block touched it', async () => {
    const { header } = await requestOf()
    const world = await WorldState.open({ backend: new MemoryBackend() })
    let looks = 0
    const counted = new Proxy(world, {
      get(target, name) {
        if (name !== 'recordedHash') return Reflect.get(target, name, target)
        return (row: RowKey) => {
          looks += 1
          return target.recordedHash(row)
        }
      },
    })
    const touch: Touch = { row: bobsRow(), kind: 'read', label: 'asset::transfer', position: 0, transaction: ID }
    const own = undefined
    const { report } = await reportOf({
      abi: ABI_1,
      codec: ABI_1.codec('test'),
      world: counted,
      header,
      certified: false,
      detail: '',
      own,
      changes: [],
      touches: Array.from({ length: 1000 }, () => touch),
    })
    expect(report).toMatchObject({ damaged_rows: [] })
    expect(looks).toBe(1)
  })

  it('logs the error code if it cannot be written', () => {
    const logged: unknown[] = []
    const logger = { error: (fields: unknown) => logged.push(fields) } as unknown as Logger
    const divergence = { height: 5, blockHash: ID, certified: false, detail: 'other roots', report: undefined }
    new Failures(logger, () => undefined).diverged(divergence, { code: 'file_unwritable', message: 'the disk is full' })
    expect(logged).toMatchObject([
      { height: 5, detail: 'other roots' },
      { height: 5, code: 'file_unwritable' },
    ])
  })
})
