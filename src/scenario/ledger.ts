/**
 * Owns an in-memory ledger for scenarios: people with assets, one contract, and calls that run as in a block of the
 * newest ABI.
 */

import { errorMessage } from '../base/thrown.js'
import { type Json, type Numeric, parseNumeric } from '../codec/index.js'
import { hash } from '../crypto/index.js'
import {
  definitionOf,
  EXECUTIONS,
  incarnations,
  runInstructions,
  type TransactionRun,
  tryOut,
} from '../executor/index.js'
import { NEWEST_ABI } from '../features/abi.js'
import { instructions as accounts } from '../features/accounts/schema.js'
import { instructions as assets } from '../features/assets/schema/instructions.js'
import { callContract, newSession } from '../features/contracts/ledger/calls.js'
import { events as contractEvents } from '../features/contracts/schema/events.js'
import { instructions as contracts } from '../features/contracts/schema/instructions.js'
import { artifactHashOf, type Entrypoint, type Manifest } from '../features/contracts/schema/records.js'
import { parseType } from '../features/contracts/schema/type-texts.js'
import { inputBytes, valueOfBytes } from '../features/contracts/schema/value-types.js'
import { instructions as domains } from '../features/domains/schema.js'
import { instructions as permissions } from '../features/permissions/schema.js'
import { balances } from '../ledger/tables.js'
import {
  type AccountId,
  accountKeyOf,
  accountOfKey,
  formatAddress,
  type Instruction,
  instruction,
  isEvent,
  LedgerError,
  NO_METADATA,
} from '../model/index.js'
import { EMPTY_ROWS, Overlay } from '../state/index.js'
import { TRAP, trapName } from '../vm/index.js'
import type { Scenario, Step } from './file.js'

const PREFIX = 'cw'
const CHAIN = 'scenario'
const DOMAIN = 'test'
/** Fraction digits of amounts by asset name; undefined for the maximum of a decimal. */
const ASSETS = { gold: undefined, silver: undefined, yen: 0 }
/** Initial amount of each asset in each account. */
const BEGINS_WITH = { mantissa: 1_000n, scale: 0 }
const DEPLOY_GAS = 2_000_000
const VIEW_GAS = 1_000_000
/** Header time of the first block: a day in 2026, so that contracts see realistic times. */
const FIRST_MS = 1_767_225_600_000
const BLOCK_MS = 1_000
/** Maximum units for the effects of a call, as on a network. */
const CONTENT_TEU = 60_000

/** Cost of a step. */
export interface Ran {
  readonly gas: number
  readonly micros: number
}

/** Amount of a text that was validated with the file. */
function amountOf(text: string): Numeric {
  const amount = parseNumeric(text)
  if (amount === undefined) throw new Error(`${text} is not an amount`)
  return amount
}

/** Names of the people in a scenario. */
function peopleOf({ by, init, steps }: Scenario): string[] {
  const named = new Set([by])
  const look = (value: Json): void => {
    if (typeof value === 'string' && value.startsWith('@')) named.add(value.slice(1))
    else if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) look(one)
  }
  look(init)
  for (const step of steps) {
    if (step.kind === 'call' || step.kind === 'view') {
      named.add(step.by)
      look(step.args)
    } else if (step.kind === 'holds') look(step.of)
  }
  named.delete('contract')
  return [...named].sort()
}

const idOf = (name: string): AccountId =>
  accountOfKey(accountKeyOf('ed25519', hash('contract:scenario', Buffer.from(name, 'utf8'))))

export class ScenarioLedger {
  private readonly state = new Overlay(EMPTY_ROWS)
  private timeMs = FIRST_MS
  private height = 1
  private address: AccountId | undefined

  constructor(
    private readonly code: Uint8Array,
    private readonly manifest: Manifest,
    private readonly scenario: Scenario,
  ) {
    const owner = idOf(scenario.by)
    const genesis: Instruction[] = [
      instruction(domains.registerDomain, { id: DOMAIN, dataspace: undefined, metadata: NO_METADATA }),
    ]
    const people = peopleOf(scenario).map(idOf)
    for (const id of people) {
      genesis.push(
        instruction(accounts.registerAccount, { id, domain: DOMAIN, label: undefined, metadata: NO_METADATA }),
      )
    }
    for (const [name, scale] of Object.entries(ASSETS)) {
      const id = `${name}#${DOMAIN}`
      const mintable = { kind: 'infinitely', value: undefined } as const
      genesis.push(instruction(assets.registerAssetDefinition, { id, scale, mintable, metadata: NO_METADATA }))
      for (const account of people) {
        genesis.push(instruction(assets.mint, { asset: { definition: id, account }, amount: BEGINS_WITH }))
      }
    }
    const subject = { kind: 'permission', value: { name: 'CanDeployContract', object: undefined } } as const
    genesis.push(instruction(permissions.grant, { subject, to: { kind: 'account', value: owner } }))
    this.must('the ledger of the test', this.block(owner, genesis, true))
    this.must(
      'registering the module',
      this.block(owner, [instruction(contracts.registerContract, { code, manifest })]),
    )
  }

  /**
   * Deploy the contract, and return the difference from the expected result of init. Throws on an unexpected failure.
   */
  deploy(): string | undefined {
    const { code, manifest } = this
    const { by, init, aborts } = this.scenario
    const artifact = artifactHashOf(code, manifest)
    const begin = manifest.entrypoints.find(({ kind }) => kind === 'init')
    const input = begin === undefined ? Buffer.alloc(0) : this.inputOf(begin, init)
    const deploy = { artifact, domain: DOMAIN, alias: undefined, inherit: false, input, gasLimit: DEPLOY_GAS }
    const deployed = this.block(idOf(by), [instruction(contracts.deployContract, deploy)])
    if (aborts !== undefined) {
      const { outcome, rejection } = deployed
      const isAborted = outcome.kind === 'called' && outcome.value.trap === TRAP.aborted
      if (isAborted && outcome.value.abortCode === aborts) return undefined
      return `init by ${by} did not end with ${aborts}: ${rejection?.message ?? 'it succeeded'}`
    }
    this.must('deploying it', deployed)
    const event = deployed.events.find((one) => isEvent(one, contractEvents.contractDeployed))
    this.address = event?.value.address
    return undefined
  }

  /** Run a step, and return the difference from its expected result. */
  step(step: Step): Ran | string | undefined {
    switch (step.kind) {
      case 'wait':
        this.timeMs += step.ms
        return undefined
      case 'holds':
        return this.holds(step)
      case 'call':
        return this.call(step)
      case 'view':
        return this.view(step)
    }
  }

  private call(step: Step & { readonly kind: 'call' }): Ran | string {
    const { entrypoint, by, gas: gasLimit, aborts, fails } = step
    const input = this.inputOf(this.entrypoint(entrypoint), step.args)
    const attach = step.attach.map(([definition, amount]) => ({ definition, amount: amountOf(amount) }))
    const { address } = this
    if (address === undefined) throw new Error('no contract is deployed')
    const value = { address, entrypoint, input, gasLimit, attach }
    const from = performance.now()
    const { outcome, rejection } = this.block(idOf(by), [instruction(contracts.contractCall, value)])
    const micros = (performance.now() - from) * 1_000
    const called = outcome.kind === 'called' ? outcome.value : undefined
    const gas = called?.gasUsed ?? 0
    const trap = called === undefined ? undefined : trapName(called.trap)
    const found = rejection === undefined ? 'ok' : called?.trap === TRAP.aborted ? 'aborted' : (trap ?? rejection.code)
    const wanted = aborts !== undefined ? 'aborted' : (fails ?? 'ok')
    const isAsWanted = found === wanted && (aborts === undefined || called?.abortCode === aborts)
    if (isAsWanted) return { gas, micros }
    const cause = found === 'ok' ? 'it succeeded' : (rejection?.message ?? found)
    return `${entrypoint} by ${by} ${wanted === 'ok' ? 'failed' : `did not end with ${aborts ?? wanted}`}: ${cause}`
  }

  private view(step: Step & { readonly kind: 'view' }): Ran | string {
    const { entrypoint, by, gives } = step
    const entry = this.entrypoint(entrypoint)
    const input = this.inputOf(entry, step.args)
    const caller = idOf(by)
    const { address } = this
    if (address === undefined) throw new Error('no contract was deployed')
    const session = newSession(caller, true)
    const from = performance.now()
    const { result } = tryOut(
      EXECUTIONS.scenarioView,
      NEWEST_ABI,
      this.env(false),
      new Overlay(this.state),
      caller,
      (own) =>
        own.apart(Number.MAX_SAFE_INTEGER, () =>
          callContract(own, session, {
            address,
            entrypoint,
            input,
            gas: VIEW_GAS,
            caller,
            kinds: ['view'],
            attach: [],
          }),
        ),
    )
    const micros = (performance.now() - from) * 1_000
    const { trap, gasUsed: gas, output } = result.result
    if (trap !== TRAP.ok)
      return `${entrypoint} ended with ${trapName(trap)}${session.abortText && `: ${session.abortText}`}`
    const found = entry.result === undefined ? null : valueOfBytes(parseType(entry.result), output, PREFIX)
    const [shown, wanted] = [JSON.stringify(found), JSON.stringify(this.named(gives))]
    return shown === wanted ? { gas, micros } : `${entrypoint} returned ${shown}, not ${wanted}`
  }

  private holds({ of, asset, amount }: Step & { readonly kind: 'holds' }): string | undefined {
    const account = of === '@contract' ? this.address : idOf(of.replace(/^@/, ''))
    const held = account === undefined ? undefined : this.state.get(balances, { definition: asset, account })
    const { mantissa, scale } = held ?? { mantissa: 0n, scale: 0 }
    const wanted = parseNumeric(amount)
    return wanted?.mantissa === mantissa && wanted.scale === scale
      ? undefined
      : `${of} holds ${mantissa} of ${asset} with ${scale} fraction digits, not ${amount}`
  }

  private entrypoint(name: string): Entrypoint {
    const found = this.manifest.entrypoints.find((one) => one.name === name)
    if (found !== undefined) return found
    throw new LedgerError('bad_value', `the contract does not have the entrypoint ${name}`, {
      hint: `Entrypoints: ${this.manifest.entrypoints.map((one) => one.name).join(', ')}.`,
    })
  }

  private inputOf({ name, params }: Entrypoint, args: Json): Buffer {
    try {
      return inputBytes(params, this.named(args) as Readonly<Record<string, unknown>>, PREFIX)
    } catch (error) {
      throw new LedgerError('bad_value', `${name}: ${errorMessage(error)}`, {
        hint: `Parameters: ${params.map((one) => `${one.name}: ${one.type}`).join(', ')}.`,
      })
    }
  }

  /** Replace the names that begin with @ in JSON texts by addresses. */
  private named(value: Json): Json {
    if (typeof value === 'string' && value.startsWith('@')) {
      const id = value === '@contract' ? this.address : idOf(value.slice(1))
      return id === undefined ? value : formatAddress(id, PREFIX)
    }
    if (Array.isArray(value)) return value.map((one) => this.named(one))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, this.named(one)]))
  }

  private env(genesis: boolean) {
    const { height, timeMs } = this
    return { height, timeMs, genesis, chain: CHAIN, gate: undefined }
  }

  private block(authority: AccountId, list: readonly Instruction[], genesis = false): TransactionRun {
    const run = runInstructions(
      genesis ? EXECUTIONS.genesis : EXECUTIONS.scenario,
      NEWEST_ABI,
      this.env(genesis),
      this.state,
      {
        authority,
        id: hash('contract:scenario', Buffer.from(String(this.height))),
        payload: undefined,
        instructions: list.map((one) => ({ def: definitionOf(NEWEST_ABI, one), value: one.value })),
        content: genesis ? undefined : { own: CONTENT_TEU },
        nextIncarnation: incarnations(this.height),
      },
    )
    this.height += 1
    this.timeMs += BLOCK_MS
    return run
  }

  private must(what: string, { rejection }: TransactionRun): void {
    if (rejection === undefined) return
    throw new LedgerError('contract_invalid', `${what} failed: ${rejection.code}: ${rejection.message}`)
  }
}
