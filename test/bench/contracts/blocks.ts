/**
 * Owns the slowest possible contract blocks: calls of each kind, as many as the units and the work of a block allow.
 */

import { numeric } from '../../../src/codec/index.js'
import { WORK_PER_MS, workOf } from '../../../src/consensus/index.js'
import { generateKeyPair, signEd25519 } from '../../../src/crypto/index.js'
import { signSecp256k1 } from '../../../src/crypto/secp256k1-sign.js'
import {
  BLOCK_MAX_TRANSACTIONS,
  BLOCK_TEU,
  BLOCK_WORK_MS,
  type ExecutableEntry,
  trialRunOf,
} from '../../../src/executor/index.js'
import { ABI_2 } from '../../../src/features/abi.js'
import { instructions as assets } from '../../../src/features/assets/schema/instructions.js'
import { selfCheck } from '../../../src/features/contracts/ledger/self-check.js'
import { TOKEN_CODE } from '../../../src/features/contracts/ledger/self-check-data.js'
import { hostQuery, nestedCall } from '../../../src/features/contracts/schema/host-records.js'
import {
  type AccountId,
  anyInstruction,
  formatAddress,
  type Instruction,
  instruction,
} from '../../../src/model/index.js'
import { Blocks, entry as sealed } from '../../support/blocks.js'
import {
  alice,
  args,
  bob,
  call,
  calledOf,
  contractBench,
  DROP,
  deployed,
  entry,
  handwritten,
  host,
  manifestOf,
  TOKEN,
} from '../../support/contracts.js'
import * as core from '../../support/core.js'
import type { Bench } from '../../support/executor.js'
import { NONE, type Node, op } from '../../support/vm/assembler.js'
import { CHECK_PARTS, entered, RUN_BOMBS } from '../../support/vm/bombs.js'
import { named, repeat } from '../worst/inputs.js'
import { coldState, fastest, timedBlock } from '../worst/measure.js'

/** Limits of a block, and its maximum time (docs/design/hardening.md 4). */
export const BLOCK_FULL = { teu: BLOCK_TEU.fallback, workMs: BLOCK_WORK_MS.fallback, warmMs: 60, coldMs: 150 }
/** Gas of calls that use all of it: three of them fill a block. */
const LARGE = 1_600_000
const context = ABI_2.codec('cw')

/** Ledger and calls that fill its blocks; `next` returns those of another block. */
interface Filled {
  readonly bench: Bench
  readonly next: () => readonly ExecutableEntry[]
}

/** As many copies of an instruction as fit a block. */
function full(make: (index: number) => Instruction, from = 0): ExecutableEntry[] {
  const entries: ExecutableEntry[] = []
  let teu = 0
  let work = 0
  for (;;) {
    const one = make(from + entries.length)
    const next = sealed(alice, [one], { context })
    const units = 60 + ABI_2.costOf([one], 'record') + Math.ceil(next.signedBytes.length / 16)
    teu += units
    work += workOf(units, ABI_2.workUnitsOf([one]))
    const isFull = teu > BLOCK_TEU.fallback || work > BLOCK_WORK_MS.fallback * WORK_PER_MS
    if (isFull || entries.length === BLOCK_MAX_TRANSACTIONS.fallback) return entries
    entries.push(next)
  }
}

const same = (bench: Bench, make: (index: number) => Instruction): Filled => {
  const entries = full(make)
  return { bench, next: () => entries }
}

/** Calls of one entrypoint that runs until its gas is exhausted. */
function endless(body: readonly Node[], data: readonly number[] | Buffer = [], input = Buffer.alloc(0)): Filled {
  const bench = contractBench()
  const code = handwritten({ go: body }, data)
  const address = deployed(bench, code, manifestOf(code, [entry('go')]))
  return same(bench, () => call(address, 'go', { gasLimit: LARGE, input }))
}

/** Calls with exactly the gas that they use. */
function exact(bench: Bench, address: AccountId, more: object = {}, name = 'go'): Filled {
  bench.run(alice, call(address, name, { gasLimit: 2_000_000, ...more }))
  const { gasUsed } = calledOf(bench)
  return same(bench, () => call(address, name, { gasLimit: gasUsed, ...more }))
}

/** Loop over host calls; local 0 counts the iterations. */
const round = (...nodes: readonly Node[]): Node[] => [
  op.loop(NONE, [...nodes, op.get(0), op.i32(1), op.plain(0x6a), op.set(0), op.br(0)]),
]
/** The same with the count in the first bytes of memory, so that every key is new. */
const fresh = (...nodes: readonly Node[]): Node[] => round(op.i32(0), op.get(0), op.memory(0x36, 2, 0), ...nodes)
const given = (name: Parameters<typeof host>[0], ...rest: readonly number[]): Node[] => [...host(name, ...rest), DROP]

/** Concatenated records for host functions, with the offset of each. */
function laid(...parts: readonly Uint8Array[]): { readonly data: Buffer; readonly at: readonly number[] } {
  const at: number[] = []
  let length = 0
  for (const part of parts) {
    at.push(length)
    length += part.length
  }
  return { data: Buffer.concat(parts), at }
}
const WIDE = numeric.encode({ mantissa: (1n << 500n) + 1n, scale: 3 })
const THIRD = numeric.encode({ mantissa: 3n, scale: 0 })

function numbers(kind: number, left: Uint8Array = WIDE, right: Uint8Array = THIRD): Filled {
  const { data, at } = laid(Buffer.alloc(1_024), left, right)
  return endless(
    round(...given('num', kind, at[1] as number, left.length, at[2] as number, right.length, 0, 200)),
    data,
  )
}

async function verifies(curve: 'ed25519' | 'secp256k1'): Promise<Filled> {
  const pair = await generateKeyPair(curve, Buffer.from('the bench of contracts'))
  const message = Buffer.alloc(32, 7)
  const sign = curve === 'ed25519' ? signEd25519 : signSecp256k1
  const parts = laid(pair.publicKey.bytes, message, sign(pair.secret, message))
  const [k, m, s] = parts.at as [number, number, number]
  const kind = curve === 'ed25519' ? 0 : 1
  return endless(round(...given('verify', kind, k, pair.publicKey.bytes.length, m, 32, s, 64)), parts.data)
}

function asked(query: Parameters<typeof hostQuery.encode>[0]): Filled {
  const bytes = hostQuery.encode(query)
  return endless(round(...given('query', 0, bytes.length)), bytes)
}

/** Contract that lets another one read undecoded JSON, with a given gas. */
function looks(gas: number): Filled {
  const bench = contractBench()
  bench.genesis(
    alice,
    ...repeat(60, (index) =>
      core.registerNft(`n${index}$bank`, new Map(repeat(3, (at) => [`k${at}`, named(16_000, 3 * index + at)]))),
    ),
  )
  const question = (index: number): Buffer =>
    hostQuery.encode({
      kind: 'metadata',
      value: { target: { kind: 'nft', value: `n${10 + Math.floor(index / 3)}$bank` }, key: `k${index % 3}` },
    })
  const size = question(0).length
  const code = handwritten({ go: [...given('input', 0, 0, size), ...given('query', 0, size)] })
  const address = deployed(bench, code, manifestOf(code, [entry('go')]))
  const parts = laid(
    ...repeat(150, (index) =>
      nestedCall.encode({ address, entrypoint: 'go', input: question(index), gas, attach: [] }),
    ),
  )
  const length = parts.data.length / parts.at.length
  const outer = handwritten({ go: round(...parts.at.flatMap((at) => given('call', at, length))) }, parts.data)
  const caller = deployed(bench, outer, manifestOf(outer, [entry('go')]))
  return same(bench, () => call(caller, 'go', { gasLimit: LARGE }))
}

/** Contract that calls another, empty one until its gas is exhausted. */
function nested(pages: number): Filled {
  const bench = contractBench()
  const nothing = handwritten({ go: [op.plain(0x01)] }, [], { memory: { min: pages, max: 16 } })
  const address = deployed(bench, nothing, manifestOf(nothing, [entry('go')]))
  const bytes = nestedCall.encode({ address, entrypoint: 'go', input: Buffer.alloc(0), gas: 50_000, attach: [] })
  const code = handwritten({ go: round(...given('call', 0, bytes.length)) }, bytes)
  const outer = deployed(bench, code, manifestOf(code, [entry('go')]))
  return same(bench, () => call(outer, 'go', { gasLimit: LARGE }))
}

/** Contract that moves its own asset back and forth. */
function executes(): Filled {
  const bench = contractBench()
  const transferJson = (self: AccountId): Uint8Array =>
    anyInstruction.encode(
      instruction(assets.transfer, {
        asset: { definition: 'gold#bank', account: self },
        to: bob,
        amount: { mantissa: 1n, scale: 2 },
      }),
      context,
    )
  // The address does not depend on the code, so a test deployment reveals the next one.
  const probe = handwritten({ go: [] })
  const first = deployed(bench, probe, manifestOf(probe, [entry('go')]))
  const code = handwritten(
    { go: round(...given('execute', 0, transferJson(first).length)) },
    Buffer.from(transferJson(first)),
  )
  const address = deployed(bench, code, manifestOf(code, [entry('go', 'public', {}, { payable: true })]))
  const own = handwritten(
    { go: round(...given('execute', 0, transferJson(address).length)) },
    Buffer.from(transferJson(address)),
  )
  const last = deployed(bench, own, manifestOf(own, [entry('go')]))
  bench.run(alice, core.transfer(alice, first, 500n, 'gold#bank'), core.transfer(alice, last, 400n, 'gold#bank'))
  return same(bench, () => call(last, 'go', { gasLimit: LARGE }))
}

/** Modules that are not cached: each call compiles a whole one. */
function lowered(name: string): Filled {
  const part = CHECK_PARTS[name]
  if (part === undefined) throw new Error(`there is no body ${name}`)
  const bench = contractBench()
  const addresses = Array.from({ length: part.bodies === undefined ? 160 : 700 }, (_, salt) => {
    const code = entered(part, salt)
    return deployed(bench, code, manifestOf(code, [entry('go')]))
  })
  bench.run(alice, call(addresses[0] as AccountId, 'go', { gasLimit: 2_000_000 }))
  const { gasUsed } = calledOf(bench)
  let from = 0
  return {
    bench,
    next() {
      const entries = full(
        (index) => call(addresses[index % addresses.length] as AccountId, 'go', { gasLimit: gasUsed }),
        from,
      )
      from += entries.length
      return entries
    },
  }
}

function token(): Filled {
  const bench = contractBench()
  const code = Buffer.from(TOKEN_CODE, 'base64')
  const input = args(TOKEN, 'init', { digits: 2, initial: '100000' })
  const address = deployed(bench, code, manifestOf(code, TOKEN), { input })
  const payment = args(TOKEN, 'transfer', { to: formatAddress(bob, 'cw'), amount: '0.01' })
  return exact(bench, address, { input: payment }, 'transfer')
}

function calls(body: readonly Node[], pages: number): Filled {
  const bench = contractBench()
  const code = handwritten({ go: body }, [], { memory: { min: pages, max: 16 } })
  return exact(bench, deployed(bench, code, manifestOf(code, [entry('go')])))
}

const grows = (count: number): Node[] => Array.from({ length: count }, () => [op.i32(1), op.grow, DROP]).flat()

const CASES: Readonly<Record<string, () => Filled | Promise<Filled>>> = {
  'plain transfers': () => same(contractBench(), () => core.transfer(alice, bob, 1n, 'gold#bank')),
  'token transfers': token,
  'calls of nothing': () => calls([op.plain(0x01)], 1),
  'calls with 1 MiB of memory': () => calls([op.plain(0x01)], 16),
  'calls that grow page by page': () => calls(grows(15), 1),
  'calls that grow at once': () => calls([op.i32(15), op.grow, DROP], 1),
  'calls of a contract that does nothing': () => nested(1),
  'calls of a contract with 1 MiB of memory': () => nested(16),
  ...Object.fromEntries(Object.entries(RUN_BOMBS).map(([name, body]) => [`opcode: ${name}`, () => endless(body)])),
  'host: input': () => endless(round(...given('input', 0, 0, 8)), [], Buffer.alloc(8)),
  'host: input of 60 KiB': () => endless(round(...given('input', 0, 0, 60_000)), [], Buffer.alloc(60_000)),
  'host: context': () => endless(round(...given('context', 2, 0))),
  'host: context of route': () => endless(round(...given('context', 10, 0))),
  'host: output': () => endless(round(...host('output', 0, 8))),
  'host: output of 16 KiB': () => endless(round(...host('output', 0, 16_384))),
  'host: log': () => endless(round(...host('log', 0, 8))),
  'host: attached': () => endless(round(...given('attached', 0, 0, 8))),
  'host: hash of nothing, BLAKE3': () => endless(round(...host('hash', 0, 0, 0, 64))),
  'host: hash of nothing, SHA-256': () => endless(round(...host('hash', 1, 0, 0, 64))),
  'host: hash of nothing, Keccak-256': () => endless(round(...host('hash', 2, 0, 0, 64))),
  'host: hash of 60 KiB, BLAKE3': () => endless(round(...host('hash', 0, 0, 60_000, 65_000))),
  'host: hash of 60 KiB, SHA-256': () => endless(round(...host('hash', 1, 0, 60_000, 65_000))),
  'host: hash of 60 KiB, Keccak-256': () => endless(round(...host('hash', 2, 0, 60_000, 65_000))),
  'host: verify Ed25519': () => verifies('ed25519'),
  'host: verify secp256k1': () => verifies('secp256k1'),
  'host: num add': () => numbers(0),
  'host: num sub': () => numbers(1),
  'host: num mul': () => numbers(2),
  'host: num div': () => numbers(3),
  'host: num cmp': () => numbers(4),
  'host: num parse': () => numbers(5, Buffer.from(`${'9'.repeat(120)}.12345678`)),
  'host: num format': () => numbers(6),
  'host: query of a balance': () => asked({ kind: 'balance', value: { definition: 'gold#bank', account: alice } }),
  'host: query of a definition': () => asked({ kind: 'definition', value: { id: 'gold#bank' } }),
  'host: query of an account': () => asked({ kind: 'account', value: { id: alice } }),
  'host: query of JSON': () => looks(200_000),
  'host: query of JSON without gas for it': () => looks(4_000),
  'host: transfer': executes,
  'state: get of keys that are not there': () => endless(fresh(...given('state_get', 0, 8, 64, 64))),
  'state: get of keys of 128 bytes': () => endless(fresh(...given('state_get', 0, 128, 256, 64))),
  'state: set of new keys': () => endless(fresh(...given('state_set', 0, 8, 64, 1))),
  'state: set of new keys of 128 bytes': () => endless(fresh(...given('state_set', 0, 128, 256, 1))),
  'state: set of one key': () => endless(round(...given('state_set', 0, 8, 64, 1))),
  'state: set of one key to 16 KiB': () => endless(round(...given('state_set', 0, 8, 64, 16_384))),
  'state: set of new keys to 16 KiB': () => endless(fresh(...given('state_set', 0, 8, 64, 16_384))),
  'state: del of keys that are not there': () => endless(fresh(...given('state_del', 0, 8))),
  'state: set and del of new keys': () =>
    endless(fresh(...given('state_set', 0, 8, 64, 1), ...given('state_del', 0, 8))),
  ...Object.fromEntries(Object.keys(CHECK_PARTS).map((name) => [`load: ${name}`, () => lowered(name)])),
}

export const BLOCK_NAMES: readonly string[] = Object.keys(CASES)

/**
 * Blocks of one kind in this process: the first of a node that executed something else before, and the fastest of many.
 */
export async function measureBlock(name: string) {
  const make = CASES[name]
  if (make === undefined) throw new Error(`unknown block ${name}`)
  const { bench, next } = await make()
  new Blocks(bench)
  selfCheck(trialRunOf(ABI_2))
  const others = full(() => core.transfer(alice, bob, 1n, 'gold#bank'))
  const timed = async (entries: readonly ExecutableEntry[]) =>
    timedBlock(await coldState(bench.state, context), entries, { abi: ABI_2 })
  await timed(others)
  const first = await timed(next())
  const best = await fastest(() => timed(next()), 0.4)
  return { coldMs: rounded(first.mainMs), warmMs: rounded(best.ms), calls: first.results }
}

const rounded = (value: number): number => Number(value.toPrecision(3))
