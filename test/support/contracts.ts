/**
 * Owns a ledger with contracts for tests: modules written by hand or compiled from the templates, and short forms of
 * instructions.
 */

import { readFileSync } from 'node:fs'
import { ABI_2 } from '../../src/features/abi.js'
import { instructions as accounts } from '../../src/features/accounts/schema.js'
import { instructions as assets } from '../../src/features/assets/schema/instructions.js'
import { CONTRACT_ABI_HASH, CONTRACT_ABI_VERSION } from '../../src/features/contracts/schema/abi.js'
import { events as contractEvents } from '../../src/features/contracts/schema/events.js'
import { instructions as contracts } from '../../src/features/contracts/schema/instructions.js'
import { artifactHashOf, codeHashOf, type Manifest } from '../../src/features/contracts/schema/records.js'
import { inputBytes } from '../../src/features/contracts/schema/value-types.js'
import { instructions as domains } from '../../src/features/domains/schema.js'
import { instructions as permissions } from '../../src/features/permissions/schema.js'
import { type AccountId, type Instruction, instruction, isEvent, NO_METADATA } from '../../src/model/index.js'
import { HOST_FUNCTIONS } from '../../src/vm/index.js'
import { accountNamed, Bench } from './executor.js'
import { assemble, I32, type ModuleSource, type Node, op } from './vm/assembler.js'

export const [alice, bob, mallory] = ['alice', 'bob', 'mallory'].map(accountNamed) as [AccountId, AccountId, AccountId]
export const PREFIX = 'cw'

type Entrypoint = Manifest['entrypoints'][number]
/** Entrypoint: its name, its kind, its parameters as `name: type`. */
export const entry = (
  name: string,
  kind: Entrypoint['kind'] = 'public',
  params: Readonly<Record<string, string>> = {},
  more: Partial<Entrypoint> = {},
): Entrypoint => ({
  name,
  kind,
  params: Object.entries(params).map(([of, type]) => ({ name: of, type })),
  result: undefined,
  permission: undefined,
  payable: false,
  ...more,
})

export const manifestOf = (
  code: Uint8Array,
  entrypoints: readonly Entrypoint[],
  more: Partial<Manifest> = {},
): Manifest => ({
  version: 1,
  name: 'test',
  abiVersion: CONTRACT_ABI_VERSION,
  abiHash: CONTRACT_ABI_HASH,
  codeHash: codeHashOf(code),
  upgradable: false,
  entrypoints: [...entrypoints],
  events: [],
  sourceHash: undefined,
  provenance: undefined,
  ...more,
})

/** Ledger with the domain `bank` of alice, bob in it, and an asset of 1,000 held by alice. */
export function contractBench(): Bench {
  const bench = new Bench(undefined, ABI_2)
  bench.timeMs = 1_000
  bench.genesis(alice, instruction(domains.registerDomain, { id: 'bank', dataspace: undefined, metadata: NO_METADATA }))
  for (const id of [alice, bob, mallory]) {
    bench.genesis(
      alice,
      instruction(accounts.registerAccount, { id, label: undefined, domain: 'bank', metadata: NO_METADATA }),
    )
  }
  bench.genesis(
    alice,
    instruction(permissions.grant, {
      subject: { kind: 'permission', value: { name: 'CanDeployContract', object: undefined } },
      to: { kind: 'account', value: alice },
    }),
  )
  bench.genesis(
    alice,
    instruction(assets.registerAssetDefinition, {
      id: 'gold#bank',
      scale: 2,
      mintable: { kind: 'infinitely', value: undefined },
      metadata: NO_METADATA,
    }),
    instruction(assets.mint, {
      asset: { definition: 'gold#bank', account: alice },
      amount: { mantissa: 1_000n, scale: 0 },
    }),
  )
  return bench
}

export const register = (code: Uint8Array, manifest: Manifest): Instruction =>
  instruction(contracts.registerContract, { code, manifest })
export const deploy = (artifact: Uint8Array, more: object = {}): Instruction =>
  instruction(contracts.deployContract, {
    artifact,
    domain: undefined,
    alias: undefined,
    inherit: false,
    input: Buffer.alloc(0),
    gasLimit: 500_000,
    ...more,
  })
export const call = (address: AccountId, entrypoint: string, more: object = {}): Instruction =>
  instruction(contracts.contractCall, {
    address,
    entrypoint,
    input: Buffer.alloc(0),
    gasLimit: 500_000,
    attach: [],
    ...more,
  })

/** Register and deploy; returns the address. */
export function deployed(bench: Bench, code: Uint8Array, manifest: Manifest, more: object = {}): AccountId {
  const artifact = artifactHashOf(code, manifest)
  const failed = bench.run(alice, register(code, manifest)) ?? bench.run(alice, deploy(artifact, more))
  if (failed !== undefined) throw new Error(`${failed}: ${bench.last?.rejection?.message}`)
  return addressOf(bench)
}

/** Address of the last deployed contract. */
export function addressOf(bench: Bench): AccountId {
  const event = bench.events.findLast((one) => isEvent(one, contractEvents.contractDeployed))
  if (event === undefined) throw new Error('no contract was deployed')
  return event.value.address
}

/** Result of the contract calls of the last transaction. */
export function calledOf(bench: Bench) {
  const outcome = bench.last?.outcome
  if (outcome?.kind !== 'called') throw new Error(`the outcome is ${outcome?.kind}`)
  return outcome.value
}

/** Host functions by name, all imported in order: a call of each is a call of its index. */
export const IMPORTS = HOST_FUNCTIONS.map(({ name, params, hasResult }) => ({
  name,
  signature: { params: new Array<typeof I32>(params).fill(I32), results: hasResult ? ([I32] as const) : [] },
}))
export const host = (name: (typeof HOST_FUNCTIONS)[number]['name'], ...args: readonly (number | Node)[]): Node[] => [
  ...args.map((one) => (typeof one === 'number' ? op.i32(one) : one)),
  op.call(HOST_FUNCTIONS.findIndex((one) => one.name === name)),
]
export const DROP = op.plain(0x1a)

/** Module of handwritten entrypoints, with the initial bytes of its memory. */
export function handwritten(
  entrypoints: Readonly<Record<string, readonly Node[]>>,
  data: readonly number[] | Buffer = [],
  more: Partial<ModuleSource> = {},
): Uint8Array {
  const bodies = Object.values(entrypoints)
  return assemble({
    types: [],
    imports: IMPORTS,
    functions: bodies.map((body) => ({ signature: { params: [], results: [] }, locals: [I32, I32], body })),
    globals: [],
    memory: { min: 1, max: 16 },
    data: data.length === 0 ? [] : [{ at: 0, bytes: [...data] }],
    exports: Object.fromEntries(Object.keys(entrypoints).map((name, index) => [name, IMPORTS.length + index])),
    ...more,
  })
}

/** Precompiled template, and the entrypoints of its manifest. */
export const compiled = (name: string): Uint8Array =>
  readFileSync(new URL(`../../templates/contract/${name}/prebuilt.wasm`, import.meta.url))
export const TOKEN = [
  entry('init', 'init', { digits: 'u32', initial: 'numeric' }),
  entry('transfer', 'public', { to: 'account', amount: 'numeric' }),
  entry('mint', 'public', { to: 'account', amount: 'numeric' }),
  entry('grant', 'public', { role: 'string', account: 'account' }),
  entry('revoke', 'public', { role: 'string', account: 'account' }),
  entry('pause', 'public', { on: 'bool' }),
  entry('balanceOf', 'view', { account: 'account' }, { result: 'numeric' }),
  entry('totalSupply', 'view', {}, { result: 'numeric' }),
  entry('digits', 'view', {}, { result: 'u32' }),
]

/** Arguments of an entrypoint as its input. */
export function args(
  entrypoints: readonly Entrypoint[],
  name: string,
  values: Readonly<Record<string, unknown>>,
): Buffer {
  const found = entrypoints.find((one) => one.name === name)
  if (found === undefined) throw new Error(`there is no entrypoint ${name}`)
  return inputBytes(found.params, values, PREFIX)
}
