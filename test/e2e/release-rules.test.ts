/**
 * The first ABI is what its release made of it: random chains that today's ledger builds under it are executed again by the
 * program of that release, which finds every root and row the same. `RELEASE_BLOCKS` counts blocks.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { ABI_1 } from '../../src/features/abi.js'
import {
  ACCOUNT_ADMISSION,
  type AccountId,
  composeBody,
  hashOfHeader,
  type Instruction,
  type SignedGenesis,
} from '../../src/model/index.js'
import { writeGenesisFile } from '../../src/node/genesis/file.js'
import type { Ledger } from '../../src/node/ledger/ledger.js'
import { openLedger } from '../../src/node/ledger/open.js'
import { flatHashes } from '../../src/node/ledger/slices.js'
import { causeway } from '../cli/run.js'
import { entry } from '../support/blocks.js'
import { CHAIN, codec, testAccount, testGenesis, testPeer } from '../support/chain.js'
import * as core from '../support/core.js'
import { templateAfter, uncheckedCertificate } from '../support/headers.js'
import {
  begin,
  everyAccount,
  GLOBALS,
  PAIR,
  pair,
  people,
  real,
  type Step,
  step,
  wisely,
} from '../support/histories.js'
import { TEST_MS } from '../support/ports.js'
import { unpackNetwork, unpackProgram } from '../support/releases.js'

const BLOCKS = Number(process.env['RELEASE_BLOCKS'] ?? 60)
const SEED = Number(process.env['RELEASE_SEED'] ?? 1)
const RELEASE = '0.1.0'

const [p0, p1, , p3] = people as [AccountId, AccountId, AccountId, AccountId]
/** First instructions of the histories. */
const START: readonly Instruction[] = [
  core.registerDomain('shop'),
  ...people.map((id) => core.registerAccount(id)),
  core.registerMultisig(PAIR),
  ...GLOBALS.map((name) => core.permission('grant', name, undefined, p0)),
  ...[p0, p1, pair].map((id) => core.permission('grant', 'CanWatchEvents', undefined, id)),
  core.registerDefinition('d0#bank'),
  core.registerNft('n0$bank'),
  core.registerRole('r0', [], [p1]),
  real({ op: 'admission', domain: 'bank', implicit: true, minimum: undefined, role: undefined }, []),
  ...everyAccount.map((id) => core.mint(id, 20n, 'd0#bank')),
  core.passOn('definition', 'd0#bank', p0),
  core.passOn('nft', 'n0$bank', p0),
  core.passOn('domain', 'shop', p3),
  core.passOn('domain', 'bank', p0),
]

/** Transactions of a block, ms since the one before, and the view that it is made in. */
interface Drawn {
  readonly steps: readonly Step[]
  readonly waitMs: number
  readonly view: number
}
const drawn: fc.Arbitrary<Drawn> = fc.record({
  steps: fc.array(step, { maxLength: 6 }),
  waitMs: fc.constantFrom(1, 1, 500, 3_000, 6_000, 100_000),
  view: fc.constantFrom(0, 0, 0, 0, 0, 0, 0, 1, 2, 3),
})

let folder: string
let home: string
let executable: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'causeway-rules-'))
  home = join(unpackNetwork(RELEASE, folder), 'val-0')
  executable = await unpackProgram(RELEASE, folder)
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Lets the node of the release have a chain of this genesis; gives its data directory, without blocks. */
async function begunAt(genesis: SignedGenesis, bytes: Uint8Array): Promise<string> {
  const data = join(home, 'data')
  const hash = Buffer.from(hashOfHeader(genesis.header)).toString('hex')
  await rm(join(home, 'genesis.signed'))
  await writeGenesisFile(join(home, 'genesis.signed'), bytes)
  const config = await readFile(join(home, 'node.toml'), 'utf8')
  await writeFile(join(home, 'node.toml'), config.replace(/hash = "[0-9a-f]{64}"/, `hash = "${hash}"`))
  const format = JSON.parse(await readFile(join(data, 'format.json'), 'utf8')) as object
  for (const name of ['blocks', 'state', 'merge_ledger', 'votes.log', 'queue.log', 'staging.log']) {
    await rm(join(data, name), { recursive: true })
  }
  await writeFile(join(data, 'format.json'), JSON.stringify({ ...format, chain: CHAIN, genesis_hash: hash }))
  return data
}

/** Commits a block of those transactions that may stand in it. */
async function commit(ledger: Ledger, genesis: SignedGenesis, { waitMs, view }: Drawn, made: MadeOf): Promise<void> {
  const tip = await ledger.tip()
  const header = { ...templateAfter(tip, genesis, view), timeMs: tip.header.timeMs + waitMs }
  let entries = made(header.timeMs)
  for (;;) {
    const records = entries.map(({ lane, dataspace, signedBytes }) => ({ lane, dataspace, bytes: signedBytes }))
    const body = composeBody(tip.certificate, [], records)
    const built = await ledger.build({ header, body, hashes: flatHashes(entries), proofs: undefined })
    if (built.header !== undefined) {
      const certificate = { ...uncheckedCertificate(built.header), view }
      await ledger.commit({ certified: { header: built.header, certificate } })
      return
    }
    const out = new Map(built.invalid.map(({ index, code }) => [index, code]))
    expect(out.size).toBeGreaterThan(0)
    const end = Math.min(...[...out].map(([index, code]) => (code === 'block_ends' ? index : entries.length)))
    entries = entries.filter((_, index) => index < end && !out.has(index))
  }
}
type MadeOf = (timeMs: number) => ReturnType<typeof entry>[]

it(`release ${RELEASE} executes ${BLOCKS} random blocks with the same results as the current release`, {
  timeout: TEST_MS + 1_000 * BLOCKS,
}, async () => {
  const admission = { mode: 'implicit', maxPerTx: 16, maxPerBlock: 256 } as const
  const { genesis, bytes } = await testGenesis({
    peers: await Promise.all([0, 1, 2, 3].map((index) => testPeer(index))),
    accounts: [await testAccount('alice')],
    extra: START,
    abi: ABI_1,
    parameters: new Map([[ACCOUNT_ADMISSION.name, ACCOUNT_ADMISSION.schema.encode(admission, codec)]]),
  })
  const ledger = await openLedger({ folder: await begunAt(genesis, bytes), genesis, abi: ABI_1 })
  const { naive } = begin()
  for (const one of fc.sample(drawn, { numRuns: BLOCKS, seed: SEED })) {
    naive.nowMs += one.waitMs
    const asked = one.steps.map((of) => wisely(naive, of)).filter(({ by }) => by !== pair)
    for (const { by, list } of asked) naive.run(by, list)
    await commit(ledger, genesis, one, (timeMs) =>
      asked.map(({ by, list }) => {
        const instructions = list.map((instruction) => real(instruction, []))
        return entry(by, instructions, { createdAtMs: timeMs })
      }),
    )
  }
  const { height, approved, rejected } = await ledger.tip()
  await ledger.close()
  expect(height).toBe(BLOCKS + 1)
  // Neither says much alone.
  expect(Math.min(approved, rejected)).toBeGreaterThan(BLOCKS / 4)
  const replayed = await causeway(['block', 'replay', '--peer-dir', home], { executable })
  expect(replayed, replayed.stdout + replayed.stderr).toMatchObject({ code: 0 })
  expect(replayed.stdout).toContain(`${height}`)
})
