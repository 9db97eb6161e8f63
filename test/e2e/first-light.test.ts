/** Four processes settle payments; nothing is paid twice and nothing is lost, through kills and restarts. */
import { chmod, lstat, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { LocalnetStatus } from '../../src/cli/localnet/status.js'
import type { Run } from '../cli/run.js'
import { getJson, TestNet, until } from './localnet.js'
import { type IsoRecord, message, messageFile, PARTIES, post } from './messages.js'

const HEX_32 = /^[0-9a-f]{64}$/
const TEMPLATE = join(process.cwd(), 'templates', 'iso', 'pacs008.xml')
const START = 2_000_000_00n
const ACCOUNTS = ['admin', 'alice', 'bob', 'bridge']

let net: TestNet
beforeAll(async () => {
  net = await TestNet.start()
})
afterAll(() => TestNet.closeAll())

/** Cents of an amount with at most two fraction digits. */
const cents = (text: string): bigint => {
  const [whole = '', fraction = ''] = text.split('.')
  return BigInt(whole) * 100n + BigInt(fraction.padEnd(2, '0'))
}

/** Total of payments from alice to bob so far, in cents. */
let paid = 0n

/** Euro of an account on one peer, in cents. */
async function euro(gateway: string, account: string): Promise<bigint> {
  const { balances } = await getJson<{ balances: { definition: string; amount: string }[] }>(
    gateway,
    `/v1/accounts/${account}@bank`,
  )
  return cents(balances.find((one) => one.definition === 'eur#bank')?.amount ?? '0')
}

/** Every running peer holds one state, with exactly the payments that were made and not a cent more or less. */
async function expectBooks(running = 4): Promise<LocalnetStatus> {
  const status = await net.agreed(running)
  for (const peer of status.peers.filter((one) => one.running)) {
    const held = await Promise.all(ACCOUNTS.map((account) => euro(peer.gateway, account)))
    expect(held, peer.name).toEqual([0n, START / 2n - paid, START / 2n + paid, 0n])
    const { items } = await getJson<{ items: { id: string; total_quantity: string }[] }>(
      peer.gateway,
      '/v1/assets/definitions',
    )
    const total = cents(items.find((one) => one.id === 'eur#bank')!.total_quantity)
    expect(
      held.reduce((sum, one) => sum + one, 0n),
      'supply',
    ).toBe(total)
    expect(total).toBe(START)
  }
  return status
}

/** A folder and all that is in it, with their permissions. */
async function entriesOf(folder: string): Promise<{ path: string; isFolder: boolean; mode: number }[]> {
  const below = await readdir(folder, { recursive: true })
  return Promise.all(
    [folder, ...below.map((name) => join(folder, name))].map(async (path) => {
      const found = await lstat(path)
      return { path, isFolder: found.isDirectory(), mode: found.mode & 0o777 }
    }),
  )
}

const submit = (file: string, ...words: string[]): Promise<Run> =>
  net.cli('iso', 'submit', 'pacs008', file, '--wait', 'committed', '--json', ...words)

/** The record of a submission that settled. */
function settled(run: Run, amount: bigint | 'replayed'): IsoRecord {
  expect(run.code, run.stdout + run.stderr).toBe(0)
  const record = run.json() as unknown as IsoRecord
  expect(record).toMatchObject({ pacs002_code: 'ACSC', replayed: amount === 'replayed' })
  expect(record.transaction_hash).toMatch(HEX_32)
  if (amount !== 'replayed') paid += amount
  return record
}

/** The error of a refused command. */
function refused(run: Run, exit: number): { code: string; details: Record<string, unknown> } {
  expect(run.code, run.stdout + run.stderr).toBe(exit)
  const { error } = run.json() as unknown as { error: { code: string; exit: number; details: Record<string, unknown> } }
  expect(error.exit).toBe(exit)
  return error
}

/** The record of a message on one peer once it is final there. */
const final = (gateway: string, id: string): Promise<IsoRecord> =>
  until(`${id} at ${gateway}`, async () => {
    const record = await getJson<IsoRecord>(gateway, `/v1/iso20022/status/${id}`)
    return ['ACSC', 'RJCT'].includes(record.pacs002_code) ? record : undefined
  })

/** Hash of each message that was paid. */
const hashes = new Map<string, string>()

/** Every message that was paid answers its first result on the given peers, and another amount under its id is refused. */
async function expectReplays(gateways: readonly string[]): Promise<void> {
  for (const [id, hash] of hashes) {
    for (const gateway of gateways) {
      const again = await post(gateway, await message({ id }))
      expect(again, `${id} at ${gateway}`).toMatchObject({
        status: 200,
        json: { transaction_hash: hash, replayed: true, pacs002_code: 'ACSC' },
      })
      const other = await post(gateway, await message({ id, amount: '10.02' }))
      expect(other, `${id} at ${gateway}`).toMatchObject({ status: 409, json: { code: 'iso_duplicate_message' } })
    }
  }
}

/** The same through the command line. */
async function expectReplayByCommand(id: string): Promise<void> {
  const record = settled(await submit(await messageFile(net.root, { id })), 'replayed')
  expect(record.transaction_hash).toBe(hashes.get(id))
  const conflict = await submit(await messageFile(net.root, { id, amount: '99.99' }))
  expect(refused(conflict, 6)).toMatchObject({ code: 'iso_duplicate_message', details: { http_status: 409 } })
}

describe('four validators in four processes', () => {
  it('start with the genesis state', async () => {
    const status = await expectBooks()
    expect(new Set(status.peers.map((one) => one.pid)).size).toBe(4)
    expect(status.peers.map((one) => one.gateway)).toEqual(net.gateways)
    expect(status).toMatchObject({ running: 4, height: 1, agreed: true })
  })

  it('settle the template message with the same block and state root', async () => {
    const record = settled(await submit(TEMPLATE), cents('1250.00'))
    expect(record.message_id).toBe('PAY-2026-000001')
    const status = await expectBooks()
    expect(status.height).toBeGreaterThan(1)
    const [first] = status.peers
    expect(first?.block_hash).toMatch(HEX_32)
    expect(first?.state_root).toMatch(HEX_32)
    for (const peer of status.peers) {
      const { block_hash, state_root, height } = first!
      expect(peer).toMatchObject({ running: true, block_hash, state_root, height })
      const view = await getJson<Record<string, unknown>>(peer.gateway, '/v1/consensus/status')
      expect(view).toMatchObject({ height, state_root, commit_qc: { height, block_hash } })
    }
  })

  it('reject a message between unbound accounts', async () => {
    const run = await submit(await messageFile(net.root))
    const error = refused(run, 6)
    expect(error.code).toBe('iso_unbound')
    const faults = error.details.faults as { value: string; reason_code: string }[]
    expect(faults.map((one) => one.value)).toEqual([PARTIES.debtorIban, PARTIES.creditorIban])
    expect(faults.map((one) => one.reason_code)).toEqual(['AC02', 'AC03'])
    const shown = await net.cli('iso', 'status', 'E2E-1', '--json')
    expect(shown.json()).toMatchObject({ pacs002_code: 'RJCT', transaction_hash: null })
    await expectBooks()
  })

  it('settle the same message once its accounts, submitter and currency are bound', async () => {
    const bic = ['--bic', PARTIES.debtorBic, '--bic', 'ALPHDEFF']
    for (const words of [
      ['iso', 'bind', 'iban', PARTIES.debtorIban, '--account', 'alice@bank'],
      ['iso', 'bind', 'iban', PARTIES.creditorIban, '--account', 'bob@bank'],
      ['iso', 'submitter', 'set', 'bridge@bank', ...bic, '--domain', 'bank'],
      // It is bound already, to the same definition.
      ['iso', 'bind', 'currency', 'EUR', '--asset', 'eur#bank'],
    ]) {
      const run = await net.cli(...words, '--json')
      expect(run.code, run.stdout + run.stderr).toBe(0)
      expect(run.json()).toMatchObject({ state: 'approved' })
    }
    const record = settled(await submit(await messageFile(net.root)), cents('10.01'))
    hashes.set('E2E-1', record.transaction_hash!)
    await expectBooks()
  })

  it('settle a message once if two gateways receive it at the same time', async () => {
    const body = await message({ id: 'E2E-2' })
    const pair = net.gateways.slice(1, 3)
    const answers = await Promise.all(pair.map((gateway) => post(gateway, body)))
    for (const { status } of answers) expect([200, 202]).toContain(status)
    const records = await Promise.all(pair.map((gateway) => final(gateway, 'E2E-2')))
    for (const record of records) expect(record.pacs002_code).toBe('ACSC')
    expect(records[1]!.transaction_hash).toBe(records[0]!.transaction_hash)
    hashes.set('E2E-2', records[0]!.transaction_hash!)
    paid += cents('10.01')
    await expectBooks()
  })

  it('settle a message once if two command lines submit it', async () => {
    const file = await messageFile(net.root, { id: 'E2E-3' })
    const runs = await Promise.all([0, 3].map((at) => submit(file, '--gateway', net.gateways[at]!)))
    const found = runs.map((run) => {
      expect(run.code, run.stdout + run.stderr).toBe(0)
      return (run.json() as unknown as IsoRecord).transaction_hash
    })
    expect(found[1]).toBe(found[0])
    hashes.set('E2E-3', found[0]!)
    paid += cents('10.01')
    await expectBooks()
  })

  it('return the first result for a repeated message, and a conflict if its amount differs', async () => {
    const before = await expectBooks()
    await expectReplayByCommand('E2E-1')
    await expectReplays(net.gateways)
    const again = settled(await submit(TEMPLATE), 'replayed')
    expect(again.amount).toBe('1250')
    // Nothing was even put into a block.
    expect((await expectBooks()).height).toBe(before.height)
  })

  it('keep these results after kill -9 of all four', async () => {
    // The state of one accepted message is unknown to the client: it must be paid once.
    const taken = await post(net.gateways[0]!, await message({ id: 'E2E-4' }))
    expect(taken.status).toBe(202)
    await net.kill()
    expect((await net.status()).running).toBe(0)
    const silent = await submit(TEMPLATE)
    expect(refused(silent, 5).code).toBe('unreachable')

    const run = await net.up()
    expect(run.code, run.stdout + run.stderr).toBe(0)
    const record = await final(net.gateways[0]!, 'E2E-4')
    expect(record.pacs002_code).toBe('ACSC')
    hashes.set('E2E-4', record.transaction_hash!)
    paid += cents('10.01')
    const before = await expectBooks()
    await expectReplayByCommand('E2E-1')
    await Promise.all(net.gateways.map(async (gateway) => post(gateway, await message({ id: 'E2E-2' }))))
    await expectReplays(net.gateways)
    expect((await expectBooks()).height).toBe(before.height)
  })

  it('settle a new payment through two gateways after that restart', async () => {
    const body = await message({ id: 'E2E-5' })
    await Promise.all(net.gateways.slice(0, 2).map((gateway) => post(gateway, body)))
    const records = await Promise.all(net.gateways.slice(0, 2).map((gateway) => final(gateway, 'E2E-5')))
    expect(records.map((one) => one.pacs002_code)).toEqual(['ACSC', 'ACSC'])
    expect(records[1]!.transaction_hash).toBe(records[0]!.transaction_hash)
    hashes.set('E2E-5', records[0]!.transaction_hash!)
    paid += cents('10.01')
    await expectBooks()
  })

  it('settle a payment while one of the four is killed', async () => {
    await net.kill('val-3')
    for (const id of ['E2E-6', 'E2E-7']) {
      const record = settled(await submit(await messageFile(net.root, { id })), cents('10.01'))
      hashes.set(id, record.transaction_hash!)
    }
    const status = await expectBooks(3)
    expect(status.peers.find((one) => one.name === 'val-3')).toMatchObject({ running: false, height: null })
  })

  it('have the same root and responses as the killed validator after its restart', async () => {
    const before = await expectBooks(3)
    const run = await net.up('--only', 'val-3')
    expect(run.code, run.stdout + run.stderr).toBe(0)
    const status = await expectBooks(4)
    expect(status.height).toBe(before.height)
    const root = before.peers[0]!.state_root
    expect(status.peers.map((one) => one.state_root)).toEqual([root, root, root, root])
    await expectReplays([net.gateways[3]!])
    expect((await expectBooks()).height).toBe(before.height)
  })

  it('make their files private, even if others could read them before', async () => {
    await net.kill('val-2')
    const folder = join(net.folder, 'val-2')
    const opened = await entriesOf(join(folder, 'data'))
    for (const { path, isFolder } of opened) await chmod(path, isFolder ? 0o755 : 0o644)
    await chmod(join(folder, 'node.log'), 0o644)
    const run = await net.up('--only', 'val-2')
    expect(run.code, run.stdout + run.stderr).toBe(0)
    await expectBooks()
    const entries = await entriesOf(join(folder, 'data'))
    expect(entries.length).toBeGreaterThan(10)
    for (const { path, isFolder, mode } of entries) expect([path, mode]).toEqual([path, isFolder ? 0o700 : 0o600])
    for (const path of [net.folder, folder, join(folder, 'keys')]) expect((await stat(path)).mode & 0o077, path).toBe(0)
    expect((await stat(join(folder, 'node.log'))).mode & 0o777).toBe(0o600)
  })

  it('leave no processes or files when stopped', async () => {
    const logs = await Promise.all(
      ['val-0', 'val-1', 'val-2', 'val-3'].map((name) => readFile(join(net.folder, name, 'node.log'), 'utf8')),
    )
    for (const text of logs) expect(text).not.toMatch(/"level":(50|60)/)
    const run = await net.cli('localnet', 'down', '--dir', net.folder, '--json')
    const { peers } = run.json() as unknown as { peers: { result: string }[] }
    expect(peers.map((one) => one.result)).toEqual(['stopped', 'stopped', 'stopped', 'stopped'])
  })
})
