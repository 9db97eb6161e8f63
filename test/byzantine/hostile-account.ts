/**
 * Owns the transactions of a hostile account: each instruction of the ABI from its declaration, over names that come again,
 * and lists that are known to hurt: circles, chains, fat rows that run by themselves, words with a meaning of their own.
 */

import type { Json, Schema } from '../../src/codec/index.js'
import { NEWEST_ABI } from '../../src/features/abi.js'
import { instructions as triggerInstructions } from '../../src/features/triggers/schema.js'
import {
  type AccountId,
  type DataEvent,
  INSTRUCTION_REGISTRY,
  type Instruction,
  instruction,
  type Metadata,
  multisigAccount,
  PROPOSAL_TTL_MAX_MS,
} from '../../src/model/index.js'
import type { Random } from '../../src/simulation/prng.js'
import * as core from '../support/core.js'
import { accountNamed } from '../support/executor.js'
import { Declared, fatJson, TEXTS } from './declared.js'

const NAME_BYTES = 128
const VALUE_BYTES = 16 * 1024
const JSON_DEPTH = 8
const LONG = 'n'.repeat(NAME_BYTES)
/** Names of leases and subnames, with one of a domain that does not exist. */
const NAMES = ['desk@shop', 'pay@shop', 'in.desk@shop', 'rnode@shop', 'desk@nowhere']
const LABELS = ['desk', 'pay', 'rnode', 'mode', 'in']
/** Positions in lists that no node wrote. */
const PLACES = ['x', '0', '-1', '1.5', '1e9', '7.x', '1 2', ' ', 'a b c', '9'.repeat(16), 'ff', 'x'.repeat(90)]
/** Metadata keys that mean something to the ledger or to who reads it. */
const KEYS = ['teu_limit', 'fee_sponsor', 'reference', '__proto__', 'constructor', 'a', 'b', LONG]
const ID_BYTES = 32
/** Objects of a kind that are remembered. */
const RECORDED_MAX = 64
const FAR_MS = [1, 2, 1_000, 2 ** 40, Number.MAX_SAFE_INTEGER]

/** The attackers: accounts that sign, and accounts that they name. */
export interface Cast {
  readonly mallory: AccountId
  /** Owns the domain `shop`. */
  readonly alice: AccountId
  readonly bob: AccountId
  readonly admin: AccountId
}

/** The members of a registry with their schemas. */
const members = NEWEST_ABI.codec('cw').registries?.[INSTRUCTION_REGISTRY]?.entries ?? []

/** Makes lists of instructions. */
export class HostileAccount {
  /** Kinds that were made so far. */
  readonly kinds = new Set<string>()
  private readonly declared: Declared
  private readonly proposals: Uint8Array[] = [Buffer.alloc(32, 9)]
  private readonly triggers: string[] = ['tick']
  private readonly nfts: string[] = ['art$shop']
  /** Values of 32 bytes in events: ids of agreements and subscriptions, hashes of terms and plans. */
  private readonly ids: Uint8Array[] = [Buffer.alloc(32, 9)]
  private readonly solo: AccountId
  private fresh = 0
  private turn = 0
  private signer: AccountId

  constructor(
    private readonly random: Random,
    private readonly cast: Cast,
  ) {
    const { mallory, alice, bob, admin } = cast
    this.signer = mallory
    this.solo = multisigAccount(core.policyOf([[mallory, 1]], 1))
    const domains = ['shop', 'shop', 'shop', 'bank', 'nowhere', LONG]
    const texts = (items: readonly string[]) => (from: Random) => from.pick(items)
    const names = ['a', 'b', 'c', 'd', 'tick', 'clerk', LONG]
    const people = [mallory, alice, bob, admin, this.solo]
    const definition = (from: Random): string =>
      from.chance(0.5)
        ? from.pick(['gold#shop', 'gold#shop', 'usd#bank'])
        : `${from.pick(['usd', 'gold', 'x', LONG])}#${from.pick(domains)}`
    const account = (from: Random): AccountId =>
      from.chance(0.5)
        ? this.signer
        : from.chance(0.8)
          ? from.pick(people)
          : accountNamed(`stranger ${from.below(200)}`)
    const id32 = (from: Random): Uint8Array => from.pick(this.ids)
    const subjects = [...NEWEST_ABI.eventSubjects.keys(), 'none']
    const events = [...NEWEST_ABI.events.keys()]
    const words = [...NEWEST_ABI.permissions.keys(), ...NEWEST_ABI.parameters.map(({ name }) => name)]
    this.declared = new Declared(random, {
      types: {
        AccountId: account,
        Name: (from) =>
          from.chance(0.3) ? from.pick(this.triggers) : from.chance(0.9) ? from.pick(names) : `fresh${this.number()}`,
        DomainId: texts(domains),
        AssetDefinitionId: definition,
        SettlementUnit: definition,
        NftId: (from) => (from.chance(0.6) ? from.pick(this.nfts) : definition(from).replace('#', '$')),
        ValidatorKey: (from) => Buffer.alloc(48, from.below(4)).toString('latin1'),
        NetworkKey: (from) => Buffer.alloc(32, from.below(4)).toString('latin1'),
        Iban: texts(['GB29NWBK60161331926819', 'DE89370400440532013000']),
        CurrencyCode: texts(['USD', 'EUR']),
        Bic: texts(['DEUTDEFF', 'DEUTDEFF500']),
        MessageId: texts(['m', 'm'.repeat(35)]),
        InstructionMatcher: texts(['asset::transfer', 'asset']),
        GovScopeElement: texts(['*', 'asset', 'asset::transfer', 'parameter::set=block_time_ms']),
        AgendaId: texts(['AC-2026-001', 'AC-2026-002']),
        LotId: texts(['ore#shop/1', 'ore#shop/2', 'ore#shop/3', 'gold#shop/1']),
        PackageId: texts(['shop/kit', 'bank/kit', 'shop/tools']),
        ReleaseVersion: texts(['1.0.0', '1.0.1', '2.0.0-rc.1']),
        ReleaseTag: texts(['latest', 'next']),
        CalendarDate: texts(['2026-12-24', '2027-01-04', '2028-02-29']),
        ContractAlias: texts(NAMES),
        ContractType: texts(['int', 'bool', 'account_id', 'list<int>']),
        Isin: texts(['DE000BASF111', 'US0378331005']),
      },
      fields: {
        name: (from) => (from.chance(0.7) ? from.pick(words) : from.pick(NAMES)),
        names: texts(NAMES),
        parent: texts(NAMES),
        text: texts(NAMES),
        label: texts(LABELS),
        after: texts(PLACES),
        version: texts(['1.0.0', '1.0.1', '2.0.0-rc.1']),
        id: id32,
        subscription: id32,
        termsHash: id32,
        planHash: id32,
        digest: id32,
        key: texts(KEYS),
        subject: texts(subjects),
        events: texts(events),
        object: (from) =>
          from.pick([...domains, definition(from), Buffer.from(account(from), 'latin1').toString('hex')]),
        proposal: (from) => from.pick(this.proposals),
        startMs: (from) => Date.now() + from.pick(FAR_MS),
        periodMs: (from) => from.pick(FAR_MS),
        ttlMs: (from) => from.pick([1, 10_000, PROPOSAL_TTL_MAX_MS]),
        authority: () => this.signer,
      },
      open: { [INSTRUCTION_REGISTRY]: members },
    })
  }

  /** Remember ids of the events of committed blocks: proposals to approve, triggers to change, agreements. */
  record({ kind, value }: DataEvent): void {
    if (kind === 'proposalCreated') this.proposals.push((value as { readonly proposal: Uint8Array }).proposal)
    if (kind === 'triggerCreated') this.triggers.push((value as { readonly trigger: string }).trigger)
    if (kind === 'nftCreated') this.nfts.push((value as { readonly nft: string }).nft)
    for (const one of Object.values(value as object))
      if (one instanceof Uint8Array && one.length === ID_BYTES) this.ids.push(one)
    for (const list of [this.proposals, this.triggers, this.nfts, this.ids])
      if (list.length > RECORDED_MAX) list.shift()
  }

  /** The instructions of one transaction: one of a kind whose turn it is, some together, or a list that hurts. */
  next(signer: AccountId): readonly Instruction[] {
    const { random } = this
    this.signer = signer
    const list = random.chance(0.2)
      ? random.pick(this.lists())(signer)
      : random.chance(0.7)
        ? [this.one()]
        : Array.from({ length: 2 + random.below(4) }, () => this.one())
    for (const { kind } of list) this.kinds.add(kind)
    return list
  }

  /** Input of a query. */
  input(schema: Schema<unknown>): unknown {
    return this.declared.of(schema)
  }

  /** The JSON form of a value of a schema; undefined for what it does not allow. */
  json(schema: Schema<unknown>): Json | undefined {
    try {
      return schema.toJson(this.declared.of(schema), NEWEST_ABI.codec('cw'))
    } catch {
      return undefined
    }
  }

  /** Some JSON. */
  anything(): Json {
    return this.declared.json(4_096, JSON_DEPTH)
  }

  /** Metadata of a transaction. */
  metadata(): Metadata {
    const { random } = this
    if (random.chance(0.7)) return new Map()
    const value = (): Json =>
      random.chance(0.5) ? this.declared.json(4_096, JSON_DEPTH) : random.pick<Json>([0, 1, 300, 2 ** 50, -1, ...TEXTS])
    const keys = new Set(Array.from({ length: 1 + random.below(3) }, () => random.pick(KEYS)))
    return new Map([...keys].sort().map((key) => [key, value()]))
  }

  private number(): number {
    this.fresh += 1
    return this.fresh
  }

  private one(): Instruction {
    const { kind, schema } = members[this.turn++ % members.length] as { kind: string; schema: Schema<unknown> }
    return { kind, value: this.declared.of(schema) }
  }

  private fat(): Json {
    return fatJson(VALUE_BYTES - 200, JSON_DEPTH, this.random)
  }

  /** Lists that take one thing to its end. */
  private lists(): readonly ((signer: AccountId) => readonly Instruction[])[] {
    const { random, solo, cast } = this
    const id = `t${this.number()}`
    const soon = Date.now() + 1
    const times = (): number | undefined => (random.chance(0.4) ? undefined : 1 + random.below(4))
    const self = (signer: AccountId) => ({ kind: 'account', value: signer }) as const
    const repeat = <T>(count: number, make: (index: number) => T): T[] =>
      Array.from({ length: count }, (_, index) => make(index))
    const nested = (depth: number, last: Instruction): Instruction =>
      depth === 0 ? last : core.propose(solo, nested(depth - 1, last))
    return [
      // Rows that are as fat as they may be, and a timer that goes over them again and again.
      (signer) => repeat(4, (index) => core.setKey(self(signer), `fat${index}`, this.fat())),
      (signer) => [
        core.registerTrigger(
          id,
          signer,
          core.every(soon, random.pick([1, 50, 1_000])),
          repeat(16, (index) => core.setKey(self(signer), `fat${index % 4}`, index)),
          times(),
        ),
      ],
      // All keys that an object may have.
      (signer) => repeat(64, (index) => core.setKey(self(signer), `${String(index)}${'k'.repeat(120)}`, index)),
      // Triggers in a circle, and one that changes, calls and removes itself.
      (signer) => [
        core.registerTrigger(id, signer, core.BY_CALL, [core.callTrigger(`${id}x`)]),
        core.registerTrigger(`${id}x`, signer, core.BY_CALL, [core.callTrigger(id)]),
        core.callTrigger(id),
      ],
      (signer) => [
        core.registerTrigger(id, signer, core.every(soon, 5), [
          core.changeRepeats(id, times(), random.chance(0.5)),
          core.unregister('Trigger', random.pick([id, ...this.triggers])),
          core.registerTrigger(id, signer, core.every(soon + 60_000, 5), [core.log('again')]),
        ]),
      ],
      (signer) => [
        core.registerTrigger(
          id,
          signer,
          core.onData(random.pick(['account', 'asset', 'trigger', 'metadata']), self(signer)),
          [core.setKey(self(signer), 'seen', this.number()), core.log('seen')],
        ),
        core.setKey(self(signer), 'seen', 0),
      ],
      (signer) => [core.registerTrigger(id, signer, { kind: 'preCommit', value: undefined }, [core.log('end')])],
      // A trigger whose metadata says who pays and how much it may take.
      (signer) => [
        instruction(triggerInstructions.registerTrigger, {
          id,
          authority: signer,
          filter: core.every(soon, 20),
          instructions: [core.log('limited'), core.transfer(signer, cast.bob, 1n)],
          repeats: undefined,
          metadata: this.metadata(),
        }),
      ],
      () => this.triggers.slice(-8).map((one) => core.changeRepeats(one, times(), true)),
      () => this.triggers.slice(0, 4).map((one) => core.unregister('Trigger', one)),
      // Proposals of proposals of an account that one member speaks for.
      (signer) => [nested(1 + random.below(6), core.transfer(solo, signer, 1n))],
      (signer) => [
        core.transfer(signer, solo, 3n),
        core.propose(solo, core.replacePolicy(solo, core.policyOf([[signer, 1]], 1)), core.log('mine')),
        core.propose(solo, core.unregister('Account', solo)),
      ],
      // Value to and fro in one block: statements go back over it.
      (signer) => [
        core.transfer(signer, cast.bob, 5n),
        core.mint(signer, 2n, 'gold#shop'),
        core.burn(signer, 2n, 'gold#shop'),
        core.transfer(signer, signer, 1n),
      ],
      (signer) => [core.batch(...repeat(256, (): [AccountId, AccountId, bigint] => [signer, cast.bob, 1n]))],
      // Objects that are created, removed and created again in one block.
      () => [
        core.registerDefinition(`re${id}#shop`),
        core.mint(cast.alice, 7n, `re${id}#shop`),
        core.burn(cast.alice, 7n, `re${id}#shop`),
        core.unregister('AssetDefinition', `re${id}#shop`),
        core.registerDefinition(`re${id}#shop`),
        core.registerNft(`re${id}$shop`),
        core.passOn('nft', `re${id}$shop`, cast.bob),
      ],
      () => {
        const newcomer = accountNamed(id)
        return [
          core.registerAccount(newcomer, id, 'shop'),
          core.permission('grant', 'CanRegisterNft', 'shop', newcomer),
          core.unregister('Account', newcomer),
          core.registerAccount(newcomer, undefined, 'shop'),
        ]
      },
      // Texts with a meaning, as long as they may be.
      () => repeat(TEXTS.length, (index) => core.log(`${TEXTS[index % TEXTS.length]}`.repeat(4))),
      () => repeat(2, () => core.log('\u{1f600}'.repeat(256))),
    ]
  }
}
