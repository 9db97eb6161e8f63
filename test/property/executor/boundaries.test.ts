/**
 * Every instruction of the newest ABI with values at the ends of what is declared, and nearly right ones, on a chain where all
 * families have something to work with: no block throws, no entry fails by a fault of this program, value comes and goes only by right, everything
 * can be stored, and nodes that start anew, try other blocks or join on the way say the same. `BOUNDARY_BLOCKS` counts blocks.
 */

import { expect, it } from 'vitest'
import { lazyOf, type Schema } from '../../../src/codec/index.js'
import { type ExecutableEntry, evidenceFault, routeOfPayload, routesAt } from '../../../src/executor/index.js'
import { ABI_2 } from '../../../src/features/abi.js'
import { instructions as parameters } from '../../../src/features/parameters/schema.js'
import { policyOf } from '../../../src/ledger/multisig-tables.js'
import {
  type Evidence,
  INSTRUCTION_REGISTRY,
  type Instruction,
  instruction,
  keyOfAccount,
  type Metadata,
  NO_METADATA,
  signedHash,
  signedTransaction,
  transactionId,
  transactionPayload,
} from '../../../src/model/index.js'
import { type Random, randomOf } from '../../../src/simulation/prng.js'
import { Declared } from '../../byzantine/declared.js'
import { Nodes, rowsOf } from '../../support/nodes.js'
import type { NposChain } from '../../support/npos/chain.js'
import { TEST_MS } from '../../support/ports.js'
import { ADMIN, type Asked, PEOPLE, pair, RichChain, SAFE, SLOW } from '../../support/rich.js'
import { Supply } from '../../support/supply.js'

const BLOCKS = Number(process.env.BOUNDARY_BLOCKS ?? 100)
const SEED = Number(process.env.BOUNDARY_SEED ?? 1)
/** Blocks of one chain. */
const LENGTH = 100
const LONG = 'n'.repeat(128)
const context = ABI_2.codec('cw')
const members = context.registries?.[INSTRUCTION_REGISTRY]?.entries ?? []
const schemas = new Map<string, Schema<unknown>>(members.map(({ kind, schema }) => [kind, schema as Schema<unknown>]))

function declaredFor(random: Random, rich: RichChain): Declared {
  const texts = (items: readonly string[]) => (from: Random) => from.pick(items)
  const definitionsOf = texts([
    'gold#bank',
    SAFE,
    'stake#bank',
    'free#bank',
    'coin0#bank',
    `${LONG}#${LONG}`,
    'x#nowhere',
  ])
  return new Declared(random, {
    types: {
      AccountId: (from) => from.pick(rich.everyAccount),
      Name: (from) => from.pick(['tick', 'clerk', 'roster', 't0', 'r0', 's0', 'vk0', LONG, 'k0', 'a']),
      DomainId: texts(['bank', 'meet', 'shop0', 'nowhere', LONG]),
      AssetDefinitionId: definitionsOf,
      SettlementUnit: definitionsOf,
      NftId: texts(['art$bank', 'n0$bank', 'x$nowhere', `${LONG}$${LONG}`]),
      ConferenceId: texts(['meet:daily', 'meet:c0', 'meet:p0', `${LONG}:${LONG}`]),
      ContractAlias: texts(['a0@bank', 'a1@bank', 'p0@bank', `${LONG}@${LONG}`]),
      Iban: texts(['GB29NWBK60161331926819', 'DE89370400440532013000']),
      CurrencyCode: texts(['USD', 'EUR', 'JPY']),
      Bic: texts(['DEUTDEFF', 'DEUTDEFF500']),
      IsoDate: texts(['2026-01-01', '0000-00-00', '9999-99-99']),
      SpaceCounterparty: (from) => from.pick([...rich.everyAccount, '*@bank', `*@${LONG}`]),
      InstructionMatcher: texts(['asset::transfer', 'asset']),
    },
    fields: {
      name: texts([...ABI_2.permissions.keys(), ...ABI_2.parameters.map(({ name }) => name)]),
      subject: texts([...ABI_2.eventSubjects.keys(), 'none']),
      events: texts([...ABI_2.events.keys()]),
      proposal: (from) => (rich.proposals.length > 0 ? from.pick(rich.proposals.slice(-4)) : Buffer.alloc(32)),
    },
    open: { [INSTRUCTION_REGISTRY]: members as readonly { kind: string; schema: Schema<unknown> }[] },
  })
}

/** A record as voters read it; undefined for what no client can write. */
function entryOf(chain: NposChain, nonce: number, [authority, ...instructions]: Asked, metadata: Metadata) {
  const policy = policyOf(chain.state, authority)
  const signers = policy?.members.map(({ account }) => account) ?? [authority]
  const signatures = signers.flatMap((one) => {
    const publicKey = keyOfAccount(one)
    return publicKey === undefined ? [] : [{ publicKey, signature: Buffer.alloc(64) }]
  })
  if (signatures.length === 0) return undefined
  try {
    const value = {
      chain: chain.name,
      authority,
      createdAtMs: chain.timeMs,
      ttlMs: 20_000,
      nonce,
      metadata,
      dataspace: undefined,
      executable: { kind: 'instructions' as const, value: instructions },
    }
    const signed = { payload: lazyOf(transactionPayload, value, context), signatures, policy }
    const signedBytes = signedTransaction.encode(signed, context)
    const read = signedTransaction.decode(signedBytes, context)
    if (!read.ok) return undefined
    const state = routesAt(ABI_2.policies, chain.state, chain.height + 1)
    const route = routeOfPayload(ABI_2, read.value.payload.value, state)
    if (route.kind === 'refused') return undefined
    const id = transactionId(read.value.payload.bytes)
    return { ...route.value, id, signedHash: signedHash(signedBytes), signedBytes, signed: read.value }
  } catch {
    return undefined
  }
}

/** Two contradicting votes of a member, for the next block; their signatures are not verified here. */
function faultOf(random: Random, { chainHash, height, state }: NposChain): readonly Evidence[] {
  const [first, second] = [1, 2].map((block) => ({
    phase: random.pick(['prepare', 'commit'] as const),
    view: 0,
    blockHash: Buffer.alloc(32, block),
    signature: Buffer.alloc(96),
  }))
  if (first === undefined || second === undefined) return []
  const record: Evidence = {
    height: Math.max(2, height + 1 - random.below(60)),
    index: random.below(5),
    proof: { kind: 'doubleVote', value: { first, second: { ...second, phase: first.phase } } },
  }
  return evidenceFault(state, { chainHash, height: height + 1 }, [record]) === undefined ? [record] : []
}

it(`boundary values on every family succeed or fail as declared, ${BLOCKS} blocks from seed ${SEED}`, {
  timeout: TEST_MS + 5_000 * BLOCKS,
}, async () => {
  const succeeded = new Map<string, number>()
  const failed = new Map<string, Map<string, number>>()
  for (let seed = SEED; seed < SEED + Math.ceil(BLOCKS / LENGTH); seed += 1) {
    const random = randomOf(seed, 'boundaries')
    const paid = { fee_asset: 'gold#bank', fee_per_teu: { mantissa: 1n, scale: 2 }, fee_sponsorship: true }
    const rich = await RichChain.begin(random, seed % 2 === 0 ? paid : {})
    const { chain } = rich
    chain.leavesOut = true
    const declared = declaredFor(random, rich)
    const nodes = await Nodes.at(rowsOf(chain.state))
    const supply = new Supply(chain.state)
    let nonce = 0
    for (let block = 0; block < LENGTH; block += 1) {
      if (random.chance(0.2)) chain.timeMs += random.below(20_000)
      if (block === LENGTH >> 1) await nodes.join()
      const entries: ExecutableEntry[] = []
      for (let tries = 1 + random.below(14); tries > 0; tries -= 1) {
        const kind = random.pick([...schemas.keys()])
        if (SLOW.has(kind) && random.chance(0.5)) continue
        const asked =
          (kind === 'setParameter' && random.chance(0.2) ? parameterChange(random, declared) : rich.ask(kind)) ??
          ([random.pick([ADMIN, ...PEOPLE, pair]), made(declared, kind)] as const)
        const entry = entryOf(
          chain,
          ++nonce,
          random.chance(0.5) ? asked : varied(declared, asked, 1 + random.below(2)),
          NO_METADATA,
        )
        if (entry === undefined) continue
        entries.push(entry)
      }
      const run = chain.block(entries, random.chance(0.05) ? faultOf(random, chain) : [])
      const kinds = chain.last.entries.map(({ signed }) => signed.payload.value.executable.value.map((one) => one.kind))
      for (const [at, of] of kinds.entries()) {
        const code = run.rejections.get(at)?.code
        for (const kind of of) {
          if (code === undefined) succeeded.set(kind, (succeeded.get(kind) ?? 0) + 1)
          else {
            const codes = failed.get(kind) ?? new Map<string, number>()
            failed.set(kind, codes.set(code, (codes.get(code) ?? 0) + 1))
          }
        }
      }
      const faults = [...run.rejections].filter(([, { code }]) => code === 'executor_fault')
      const what = `seed ${seed} block ${block} ${kinds.join(' ')}`
      expect(faults, what).toEqual([])
      for (const { event } of run.events) rich.record(event)
      for (const [at] of kinds.entries()) expect(run.results[at]?.teu, what).toBeGreaterThan(0)
      await nodes.execute(chain.last, run, random.below(4), what)
      supply.look(run, what)
    }
    await nodes.expectIndexes()
  }
  // A kind that never succeeds is not tested far.
  expect(succeeded.size).toBeGreaterThan(schemas.size / 2)
  if (process.env.SIM_VERBOSE !== undefined) {
    for (const kind of schemas.keys()) console.log(kind, succeeded.get(kind) ?? 0, [...(failed.get(kind) ?? [])])
  }
})

/** Any parameter at any value that its schema has. */
function parameterChange(random: Random, declared: Declared): Asked | undefined {
  const { name, schema } = random.pick(ABI_2.parameters)
  try {
    const value = schema.toJson(declared.of(schema), context)
    return [ADMIN, instruction(parameters.setParameter, { name, value })]
  } catch {
    return undefined
  }
}

const made = (declared: Declared, kind: string): Instruction => ({
  kind,
  value: declared.of(schemas.get(kind) as Schema<unknown>),
})

/** The same with some parts of its instructions at an end of what they may be. */
function varied(declared: Declared, [by, ...list]: Asked, times: number): Asked {
  let next = list
  for (let at = 0; at < times; at += 1) {
    next = next.map((one, place) =>
      place === at % next.length
        ? { kind: one.kind, value: declared.vary(schemas.get(one.kind) as Schema<unknown>, one.value) }
        : one,
    )
  }
  return [by, ...next]
}
