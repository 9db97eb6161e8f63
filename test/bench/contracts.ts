/**
 * Owns the benchmark of contracts: time per gas by opcode and host function, validation of modules cold and warm, and
 * the cost of a token call beside a plain transfer. Processor time of this process, including its compiler and
 * collector, so that other load has little effect; the target is 10 ns per gas.
 */

import { EXECUTIONS, trialRunOf, tryOut } from '../../src/executor/index.js'
import { NEWEST_ABI } from '../../src/features/abi.js'
import { callContract, newSession } from '../../src/features/contracts/ledger/calls.js'
import { selfCheck } from '../../src/features/contracts/ledger/self-check.js'
import { TOKEN_CODE } from '../../src/features/contracts/ledger/self-check-data.js'
import { formatAddress } from '../../src/model/index.js'
import { Overlay } from '../../src/state/index.js'
import { checkModule, HOST_FUNCTIONS, loadModule } from '../../src/vm/index.js'
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
  register,
  TOKEN,
} from '../support/contracts.js'
import * as core from '../support/core.js'
import { NONE, op } from '../support/vm/assembler.js'
import { CHECK_BOMBS, RUN_BOMBS } from '../support/vm/bombs.js'

const GAS = 2_000_000
const ROUNDS = 5
const CALLS = 2_000

const ms = (work: () => void): number => {
  const from = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(from)
  return (user + system) / 1_000
}
const rounded = (value: number): number => Number(value.toPrecision(3))
/** First and minimum time of several runs, in ms. */
function timed(work: () => void): { readonly first: number; readonly best: number } {
  const all = Array.from({ length: ROUNDS }, () => ms(work))
  return { first: all[0] ?? 0, best: Math.min(...all) }
}

/** Nanoseconds per gas of an entrypoint that loops until its gas is exhausted. */
function perGas(body: Parameters<typeof handwritten>[0][string], data: readonly number[] | Buffer = []) {
  const bench = contractBench()
  const code = handwritten({ go: body }, data)
  const address = deployed(bench, code, manifestOf(code, [entry('go')]))
  const { first, best } = timed(() => bench.run(alice, call(address, 'go', { gasLimit: GAS })))
  const { gasUsed } = calledOf(bench)
  return { first: rounded((first * 1e6) / gasUsed), best: rounded((best * 1e6) / gasUsed), trap: calledOf(bench).trap }
}

/** Arguments for which a host function succeeds: pointers into 1 KiB of its memory. */
const HOST_ARGS: Readonly<Record<string, readonly number[]>> = {
  input: [0, 0, 8],
  ret_read: [0, 0, 8],
  context: [2, 0],
  state_get: [0, 8, 16, 8],
  state_set: [0, 8, 16, 8],
  state_del: [0, 8],
  log: [0, 8],
  output: [0, 8],
  attached: [0, 0, 8],
  call: [0, 8],
  execute: [0, 8],
  query: [0, 8],
  hash: [0, 0, 64, 512],
  verify: [0, 0, 32, 64, 64, 128, 64],
  num: [0, 256, 3, 256, 3, 512, 8],
}
/** The number one in codec form: scale 0, one byte, that byte. */
const ONE = [0, 1, 1]

function hostFigures() {
  const data = Buffer.alloc(1_024, 1)
  data.set(ONE, 256)
  const figures: Record<string, unknown> = {}
  for (const { name, hasResult } of HOST_FUNCTIONS) {
    const given = HOST_ARGS[name]
    if (given === undefined) continue
    figures[name] = perGas([op.loop(NONE, [...host(name, ...given), ...(hasResult ? [DROP] : []), op.br(0)])], data)
  }
  for (const [name, kind] of [
    ['hash of 60 KiB, BLAKE3', 0],
    ['SHA-256', 1],
    ['Keccak-256', 2],
  ] as const) {
    figures[name] = perGas([op.loop(NONE, [...host('hash', kind, 0, 60_000, 65_000), op.br(0)])])
  }
  figures['verify secp256k1'] = perGas(
    [op.loop(NONE, [...host('verify', 1, 0, 33, 64, 64, 128, 64), DROP, op.br(0)])],
    data,
  )
  for (const [name, kind] of [
    ['mul', 2],
    ['div', 3],
    ['cmp', 4],
  ] as const) {
    figures[`num ${name}`] = perGas(
      [op.loop(NONE, [...host('num', kind, 256, 3, 256, 3, 512, 8), DROP, op.br(0)])],
      data,
    )
  }
  return figures
}

/** Modules of 64 KiB, before and after the self-checks of a node. */
function checkFigures() {
  const modules = Object.entries(CHECK_BOMBS).map(([name, make]) => [name, make()] as const)
  const cold = modules.map(([name, code]) => [name, rounded(ms(() => checkModule(code)))])
  const known = timed(() => selfCheck(trialRunOf(NEWEST_ABI)))
  const warm = modules.map(([name, code]) => {
    const check = timed(() => checkModule(code))
    return [name, { check: rounded(check.best), load: rounded(timed(() => loadModule(code)).best) }]
  })
  return { cold: Object.fromEntries(cold), selfCheck: known, warm: Object.fromEntries(warm) }
}

function tokenFigures() {
  const bench = contractBench()
  const code = Buffer.from(TOKEN_CODE, 'base64')
  const address = deployed(bench, code, manifestOf(code, TOKEN), {
    input: args(TOKEN, 'init', { digits: 2, initial: '100000' }),
  })
  const input = args(TOKEN, 'transfer', { to: formatAddress(bob, 'cw'), amount: '0.01' })
  const many = (one: () => void): number => {
    const all = (): void => {
      for (let left = CALLS; left > 0; left -= 1) one()
    }
    all()
    return rounded((ms(all) * 1_000) / CALLS)
  }
  const micros = many(() => void bench.run(alice, call(address, 'transfer', { input, gasLimit: 100_000 })))
  const gas = calledOf(bench).gasUsed
  const plain = many(() => void bench.run(alice, core.transfer(alice, bob, 1n, 'gold#bank')))
  const trial = {
    address,
    entrypoint: 'balanceOf',
    input: args(TOKEN, 'balanceOf', { account: formatAddress(bob, 'cw') }),
  }
  const env = { height: 3, timeMs: 1_000, genesis: false, chain: 'test', gate: undefined }
  const view = many(() => {
    tryOut(EXECUTIONS.trial, NEWEST_ABI, env, new Overlay(bench.state), alice, (own) =>
      callContract(own, newSession(alice, true), { ...trial, gas: GAS, caller: alice, kinds: ['view'], attach: [] }),
    )
  })
  const module = Buffer.from(TOKEN_CODE, 'base64')
  const registration = timed(() => {
    const fresh = contractBench()
    fresh.run(alice, register(module, manifestOf(module, TOKEN)))
  })
  return {
    micros,
    gas,
    plainTransferMicros: plain,
    ofPlain: rounded(plain / micros),
    viewMicros: view,
    viewsPerSecond: Math.round(1e6 / view),
    registrationMs: rounded(registration.best),
  }
}

/** All results. */
export function benchContracts() {
  return {
    check: checkFigures(),
    opcodes: Object.fromEntries(Object.entries(RUN_BOMBS).map(([name, body]) => [name, perGas(body)])),
    host: hostFigures(),
    tokenTransfer: tokenFigures(),
  }
}
