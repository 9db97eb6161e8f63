import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Level } from 'level'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { MultisigWeights } from '../../../src/executor/index.js'
import { ABI_1 } from '../../../src/features/abi.js'
import { queries as accountQueries, instructions as accounts } from '../../../src/features/accounts/schema.js'
import { instructions as assets } from '../../../src/features/assets/schema/instructions.js'
import { instructions as explorer } from '../../../src/features/explorer/schema/log.js'
import { queries as explorerQueries } from '../../../src/features/explorer/schema/queries.js'
import {
  composeBody,
  hashOfHeader,
  instruction,
  NO_METADATA,
  REJECTION_TEXT_MAX_BYTES,
  signedGenesis,
} from '../../../src/model/index.js'
import { writeGenesisFile } from '../../../src/node/genesis/file.js'
import type { Ledger } from '../../../src/node/ledger/ledger.js'
import { openLedger } from '../../../src/node/ledger/open.js'
import { startLedger } from '../../../src/node/ledger/remote.js'
import { flatHashes } from '../../../src/node/ledger/slices.js'
import { DEFAULT_TREE_BITS } from '../../../src/state/index.js'
import {
  codec,
  DEFINITION,
  GENESIS_TIME_MS,
  signedBy,
  type TestAccount,
  type TestPeer,
  temporaryFolder,
  testAccount,
  testGenesis,
  testPeer,
  transferOf,
} from '../../support/chain.js'
import { templateAfter, uncheckedCertificate } from '../../support/headers.js'
import { commitKept } from '../../support/ledger-bench.js'

let peers: TestPeer[]
let alice: TestAccount
let bob: TestAccount
let carol: TestAccount
let genesis: Awaited<ReturnType<typeof testGenesis>>
const cleanup: (() => Promise<void>)[] = []

beforeAll(async () => {
  peers = await Promise.all([0, 1, 2, 3].map((index) => testPeer(index)))
  alice = await testAccount('alice')
  bob = await testAccount('bob')
  carol = await testAccount('carol')
  genesis = await testGenesis({ peers, accounts: [alice, bob, carol] })
})

afterEach(async () => {
  for (const undo of cleanup.splice(0).reverse()) await undo()
})

async function folder(): Promise<string> {
  const made = await temporaryFolder()
  cleanup.push(made.remove)
  return made.path
}

async function open(path: string): Promise<Ledger> {
  const ledger = await openLedger({ folder: path, genesis: genesis.genesis, abi: ABI_1 })
  cleanup.push(() => ledger.close())
  return ledger
}

/** Builds the next block on `ledger` from the given records. */
async function build(ledger: Ledger, records: readonly ReturnType<typeof signedBy>[], view = 0) {
  const tip = await ledger.tip()
  const body = composeBody(
    tip.certificate,
    [],
    records.map((record) => ({ lane: 0, dataspace: 0n, bytes: record.bytes })),
  )
  const header = templateAfter(tip, genesis.genesis, view)
  const answer = await ledger.build({ header, body, hashes: flatHashes(records) })
  return { ...answer, body, hashes: flatHashes(records) }
}

async function commitBlock(ledger: Ledger, records: readonly ReturnType<typeof signedBy>[]) {
  const built = await build(ledger, records)
  if (built.header === undefined) throw new Error(JSON.stringify(built.invalid))
  await commitKept(ledger, { header: built.header, certificate: uncheckedCertificate(built.header) })
  return { ...built, header: built.header }
}

async function balance(ledger: Ledger, account: TestAccount): Promise<bigint> {
  const input = accountQueries.account.input.encode({ id: account.id, alias: undefined }, codec)
  const { output } = await ledger.query({ kind: accountQueries.account.kind, input })
  const decoded = accountQueries.account.output.decode(output ?? new Uint8Array(0), codec)
  if (!decoded.ok) throw new Error(decoded.fault.message)
  return decoded.value.balances[0]?.amount.mantissa ?? 0n
}

const pay = (amount: bigint) => signedBy(alice, [transferOf(alice.id, bob.id, amount)], GENESIS_TIME_MS)

describe('the ledger of a single node', () => {
  it('applies genesis with deterministic roots and serves it', async () => {
    const first = await open(await folder())
    const second = await open(await folder())
    const tips = await Promise.all([first.tip(), second.tip()])
    expect(tips[0].stateRoot).toEqual(tips[1].stateRoot)
    expect(tips[0].stateRoot).toEqual(Buffer.from(genesis.genesis.header.stateRoot))
    expect(tips[0].schedule.roster).toHaveLength(4)
    expect(await balance(first, alice)).toBe(1_000_000n)
  })

  it('finds the balances of an account whose id ends with byte 0xff', async () => {
    const highest: TestAccount = { ...alice, id: `${alice.id.slice(0, -1)}\xff` }
    const ledger = await open(await folder())
    await commitBlock(ledger, [
      signedBy(
        genesis.admin,
        [
          instruction(accounts.registerAccount, {
            id: highest.id,
            domain: 'bank',
            label: undefined,
            metadata: NO_METADATA,
          }),
          instruction(assets.mint, {
            asset: { definition: DEFINITION, account: highest.id },
            amount: { mantissa: 7n, scale: 0 },
          }),
        ],
        GENESIS_TIME_MS,
      ),
    ])
    expect(await balance(ledger, highest)).toBe(7n)
  })

  it('reproduces and commits a block that another ledger has built', async () => {
    const proposer = await open(await folder())
    const voter = await open(await folder())
    const built = await build(proposer, [pay(5n), pay(7n)])
    if (built.header === undefined) throw new Error('not built')
    const request = {
      blockHash: hashOfHeader(built.header),
      header: built.header,
      body: built.body,
      hashes: built.hashes,
      certified: false,
    }
    expect(await voter.execute(request)).toMatchObject({ ok: true, mismatch: false, detail: '', report: undefined })
    const certified = { header: built.header, certificate: uncheckedCertificate(built.header) }
    const tips = await Promise.all([proposer, voter].map((one) => commitKept(one, certified)))
    expect(tips[0]?.stateRoot).toEqual(tips[1]?.stateRoot)
    expect(tips[0]?.approved).toBe(2)
    expect(await balance(voter, alice)).toBe(999_988n)
    expect(await balance(voter, bob)).toBe(1_000_012n)
  })

  it('rejects a block with a forged state root, and reports both roots', async () => {
    const ledger = await open(await folder())
    const built = await build(ledger, [pay(1n)])
    if (built.header === undefined) throw new Error('not built')
    const header = { ...built.header, stateRoot: Buffer.alloc(32, 9) }
    const result = await ledger.execute({
      blockHash: hashOfHeader(header),
      header,
      body: built.body,
      hashes: built.hashes,
      certified: false,
    })
    expect(result.ok).toBe(false)
    expect(result.mismatch).toBe(true)
    expect(result.detail).toContain('stateRoot')
  })

  it('keeps a rejected transaction in its block with its error, and changes nothing else', async () => {
    const ledger = await open(await folder())
    const poor = pay(2_000_000n)
    await commitBlock(ledger, [poor])
    expect(await balance(ledger, alice)).toBe(1_000_000n)
    expect((await ledger.tip()).rejected).toBe(1)
    const input = explorerQueries.transaction.input.encode({ hash: poor.id }, codec)
    const { output } = await ledger.query({ kind: explorerQueries.transaction.kind, input })
    const decoded = explorerQueries.transaction.output.decode(output ?? new Uint8Array(0), codec)
    expect(decoded.ok && decoded.value.rejection).toBe('not_enough')
  })

  it('commits a rejection with an overlong text, which is truncated', async () => {
    const ledger = await open(await folder())
    const definition = `${'d'.repeat(128)}#${'e'.repeat(128)}`
    const asset = { definition, account: alice.id }
    const amount = { mantissa: 1n, scale: 0 }
    const unknown = signedBy(alice, [instruction(assets.transfer, { asset, to: bob.id, amount })], GENESIS_TIME_MS)
    await commitBlock(ledger, [unknown])
    const input = explorerQueries.transaction.input.encode({ hash: unknown.id }, codec)
    const { output } = await ledger.query({ kind: explorerQueries.transaction.kind, input })
    const decoded = explorerQueries.transaction.output.decode(output ?? new Uint8Array(0), codec)
    const text = (decoded.ok && decoded.value.rejectionText) || ''
    expect(text).toContain('ddd')
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(REJECTION_TEXT_MAX_BYTES)
  })

  it('leaves inadmissible evidence out of a block, and continues', async () => {
    const ledger = await open(await folder())
    const tip = await ledger.tip()
    const vote = (block: number) => ({
      phase: 'commit' as const,
      view: 0,
      blockHash: Buffer.alloc(32, block),
      signature: Buffer.alloc(96, 1),
    })
    const future = {
      height: 9,
      index: 0,
      proof: { kind: 'doubleVote' as const, value: { first: vote(1), second: vote(2) } },
    }
    const body = composeBody(tip.certificate, [future], [])
    const header = templateAfter(tip, genesis.genesis, 0)
    expect((await ledger.build({ header, body, hashes: Buffer.alloc(0) })).header).toBeUndefined()
    expect((await build(ledger, [pay(1n)])).header).toBeDefined()
  })

  it('excludes committed, expired, future and duplicate transactions from a block', async () => {
    const ledger = await open(await folder())
    const paid = pay(1n)
    await commitBlock(ledger, [paid])
    const expired = signedBy(alice, [transferOf(alice.id, bob.id, 1n)], GENESIS_TIME_MS - 10_000, 1_000)
    const future = signedBy(alice, [transferOf(alice.id, bob.id, 1n)], GENESIS_TIME_MS + 60_000)
    const twice = pay(2n)
    const built = await build(ledger, [paid, expired, future, twice, twice])
    expect(built.header).toBeUndefined()
    expect(built.invalid.map(({ index, code }) => [index, code])).toEqual([
      [0, 'already_committed'],
      [1, 'transaction_expired'],
      [2, 'transaction_in_future'],
      [4, 'already_committed'],
    ])
  })

  it('reports the only transaction that prevents execution, and executes the others', async () => {
    // A mistake outside of any instruction, where nothing catches it.
    const multisigWeights: MultisigWeights = (state, authority, policy) => {
      if (authority === carol.id) throw new Error('a careless rule')
      return ABI_1.policies.multisigWeights?.(state, authority, policy)
    }
    const abi = { ...ABI_1, policies: { ...ABI_1.policies, multisigWeights } }
    const ledger = await openLedger({ folder: await folder(), genesis: genesis.genesis, abi })
    cleanup.push(() => ledger.close())
    const log = (by: TestAccount) =>
      signedBy(by, [instruction(explorer.log, { level: 'info', text: 'x' })], GENESIS_TIME_MS)
    const records = [log(alice), pay(1n), log(bob), log(carol), pay(2n), log(bob)]
    const before = await balance(ledger, bob)
    const built = await build(ledger, records)
    expect(built.header).toBeUndefined()
    expect(built.invalid).toEqual([{ index: 3, code: 'executor_fault', message: 'a careless rule' }])
    const { header } = await commitBlock(
      ledger,
      records.filter((_, index) => index !== 3),
    )
    expect(header.transactionCount).toBe(5)
    expect(await balance(ledger, bob)).toBe(before + 3n)
  })

  it('replays blocks that are missing in the state database after a crash, with equal roots', async () => {
    const path = await folder()
    const before = await folder()
    let ledger = await openLedger({ folder: path, genesis: genesis.genesis, abi: ABI_1 })
    await commitBlock(ledger, [pay(1n)])
    await ledger.close()
    await cp(join(path, 'state'), join(before, 'state'), { recursive: true })
    ledger = await openLedger({ folder: path, genesis: genesis.genesis, abi: ABI_1 })
    for (let count = 0; count < 5; count++) await commitBlock(ledger, [pay(2n), pay(3n)])
    const { stateRoot } = await ledger.tip()
    await ledger.close()
    // The state database of two blocks in, the block store of seven.
    await rm(join(path, 'state'), { recursive: true })
    await cp(join(before, 'state'), join(path, 'state'), { recursive: true })
    // A start that is ended between two blocks has closed its files: the next one goes on.
    const executed: number[] = []
    const ended = openLedger({
      folder: path,
      genesis: genesis.genesis,
      abi: ABI_1,
      onReplay: (height) => executed.push(height),
      stopped: () => executed.length === 2,
    })
    await expect(ended).rejects.toMatchObject({ code: 'node_stopping' })
    expect(executed).toEqual([3, 4])
    // The thread is told the same by a signal.
    const genesisFile = join(await folder(), 'genesis.bin')
    await writeGenesisFile(genesisFile, signedGenesis.encode(genesis.genesis, codec))
    const data = { folder: path, genesisFile, cacheBytes: 1024 * 1024, treeBits: DEFAULT_TREE_BITS }
    const events = { onReplay: () => {}, onLost: () => {} }
    await expect(startLedger(data, events, AbortSignal.abort())).rejects.toMatchObject({ code: 'node_stopping' })
    const again = await open(path)
    const tip = await again.tip()
    expect(tip.height).toBe(7)
    expect(tip.stateRoot).toEqual(stateRoot)
    expect(await balance(again, bob)).toBe(1_000_026n)
  })

  it('rejects a data directory with another genesis or other tree bits, and leaves it unlocked', async () => {
    const path = await folder()
    const own = { folder: path, genesis: genesis.genesis, abi: ABI_1 }
    await (await openLedger(own)).close()
    const other = await testGenesis({ peers, accounts: [alice] })
    // Nodes of one process share an open database; without that, it opens only if nothing holds it.
    const isFree = async (): Promise<boolean> => {
      const database = new Level(join(path, 'state'), { multithreading: false } as object)
      const opened = await database.open().then(
        () => true,
        () => false,
      )
      await database.close()
      return opened
    }
    await expect(openLedger({ ...own, genesis: other.genesis })).rejects.toMatchObject({ code: 'genesis_mismatch' })
    expect(await isFree()).toBe(true)
    const treeBits = DEFAULT_TREE_BITS - 1
    await expect(openLedger({ ...own, treeBits })).rejects.toMatchObject({ code: 'config_invalid' })
    expect(await isFree()).toBe(true)
    expect((await (await open(path)).tip()).height).toBe(1)
  })
})
