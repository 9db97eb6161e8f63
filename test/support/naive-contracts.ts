/**
 * Owns a second executor of contracts, written from the design alone: a state that is copied before everything that may
 * fail, and programs with one line of semantics each. Contracts are identified by the order of deployment.
 */
import type { AccountId, ErrorCode } from '../../src/model/index.js'
import { TRAP, type Trap } from '../../src/vm/index.js'

/** Operation of a program: each entrypoint does one thing with its argument. */
export type Script =
  | { readonly name: 'put' | 'mine' | 'fail' | 'look'; readonly key: number; readonly value: number }
  | { readonly name: 'del'; readonly key: number }
  | { readonly name: 'emit'; readonly value: number }
  | { readonly name: 'take'; readonly value: number }
  | { readonly name: 'spin' | 'nothing' | 'init' }
  | { readonly name: 'act'; readonly to: AccountId; readonly amount: bigint }
  | { readonly name: 'try' | 'must'; readonly call: NaiveCall }
export interface NaiveCall {
  /** Index of the contract; an index beyond the list is an unused address. */
  readonly contract: number
  readonly script: Script
  readonly attach: readonly bigint[]
}
export type NaiveContractInstruction =
  | { readonly op: 'register' | 'remove'; readonly artifact: number }
  | {
      readonly op: 'deploy'
      readonly artifact: number
      readonly alias: string | undefined
      readonly inherit: boolean
      readonly value: number | undefined
    }
  | { readonly op: 'deactivate'; readonly contract: number }
  | { readonly op: 'bind'; readonly alias: string; readonly contract: number }
  | { readonly op: 'release'; readonly alias: string }
  | { readonly op: 'call'; readonly call: NaiveCall }

interface Contract {
  readonly artifact: number
  /** Contract whose state and account it uses. */
  readonly line: number
  readonly owner: AccountId
  active: boolean
}
interface State {
  /** Registrant of each artifact. */
  artifacts: Map<number, AccountId>
  contracts: Contract[]
  /** State by line. */
  kept: Map<number, Map<number, string>>
  /** Balances by account, or by the line of a contract. */
  gold: Map<AccountId | number, bigint>
  /** Holder of a label: an account, or a line of contracts. */
  labels: Map<string, AccountId | number>
  emitted: { readonly contract: number; readonly data: string }[]
}

/** Setup of the second executor. */
export interface NaiveWorld {
  readonly deployers: readonly AccountId[]
  readonly domainOwner: AccountId
  readonly people: readonly AccountId[]
  readonly gold: Readonly<Record<AccountId, bigint>>
  /** Labels of user accounts. */
  readonly labels: Readonly<Record<string, AccountId>>
  /** By artifact: true if its contracts allow takeover of their state. */
  readonly upgradable: readonly boolean[]
  /** Error numbers of a transfer beyond the balance, and of one of zero. */
  readonly errors: { readonly tooMuch: number; readonly nothing: number }
}

const PUBLIC = new Set(['put', 'mine', 'fail', 'look', 'del', 'emit', 'take', 'spin', 'nothing', 'act', 'try', 'must'])
const byte = (value: number): string => value.toString(16).padStart(2, '0')

export class NaiveContracts {
  state: State
  /** Trap of the last failed call. */
  trap: Trap = TRAP.ok

  constructor(private readonly world: NaiveWorld) {
    this.state = {
      artifacts: new Map(),
      contracts: [],
      kept: new Map(),
      gold: new Map(Object.entries(world.gold)),
      labels: new Map(Object.entries(world.labels)),
      emitted: [],
    }
  }

  /** Run a transaction; returns its error, or undefined. */
  run(by: AccountId, list: readonly NaiveContractInstruction[]): ErrorCode | undefined {
    return this.whole(() => {
      this.state.emitted = []
      for (const one of list) {
        const code = this.one(by, one)
        if (code !== undefined) return code
      }
      return undefined
    })
  }

  /** All or nothing. */
  private whole<T>(work: () => T): T {
    const before = this.state
    this.state = structuredClone(before)
    const result = work()
    if (result !== undefined && result !== TRAP.ok) this.state = before
    return result
  }

  private one(by: AccountId, i: NaiveContractInstruction): ErrorCode | undefined {
    const { artifacts, contracts, labels } = this.state
    const mayDeploy = this.world.deployers.includes(by)
    switch (i.op) {
      case 'register':
        if (!mayDeploy) return 'not_permitted'
        if (artifacts.has(i.artifact)) return 'exists'
        artifacts.set(i.artifact, by)
        return undefined
      case 'remove':
        if (!artifacts.has(i.artifact)) return 'contract_not_found'
        if (artifacts.get(i.artifact) !== by) return 'not_permitted'
        if (contracts.some((one) => one.active && one.artifact === i.artifact)) return 'contract_in_use'
        artifacts.delete(i.artifact)
        return undefined
      case 'deploy':
        return mayDeploy ? this.deploy(by, i) : 'not_permitted'
      case 'deactivate': {
        const found = contracts[i.contract]
        if (found === undefined) return 'contract_not_found'
        if (found.owner !== by) return 'contract_not_owner'
        if (!found.active) return 'contract_not_found'
        found.active = false
        return undefined
      }
      case 'bind':
        if (by !== this.world.domainOwner) return 'not_permitted'
        if (contracts[i.contract]?.active !== true) return 'contract_not_found'
        return this.bind(i.alias, (contracts[i.contract] as Contract).line)
      case 'release': {
        if (by !== this.world.domainOwner) return 'not_permitted'
        const holder = labels.get(i.alias)
        if (holder === undefined) return 'contract_not_found'
        if (typeof holder !== 'number') return 'bad_label'
        labels.delete(i.alias)
        return undefined
      }
      case 'call':
        return this.outer(by, i.call, PUBLIC)
    }
  }

  private outer(by: AccountId, call: NaiveCall, names: ReadonlySet<string>): ErrorCode | undefined {
    const trap = this.call(by, call, [], false, names)
    if (typeof trap !== 'number') return trap
    this.trap = trap
    return trap === TRAP.ok ? undefined : 'contract_trap'
  }

  private bind(alias: string, line: number): ErrorCode | undefined {
    const { labels } = this.state
    const holder = labels.get(alias)
    if (holder === line) return undefined
    if (holder !== undefined && typeof holder !== 'number') return 'bad_label'
    for (const [label, of] of labels) if (of === line) labels.delete(label)
    labels.set(alias, line)
    return undefined
  }

  private deploy(by: AccountId, i: NaiveContractInstruction & { readonly op: 'deploy' }): ErrorCode | undefined {
    const { artifacts, contracts, labels, kept } = this.state
    if (!artifacts.has(i.artifact)) return 'contract_not_found'
    if (i.alias !== undefined && by !== this.world.domainOwner) return 'not_permitted'
    const holder = i.alias === undefined ? undefined : labels.get(i.alias)
    const before = contracts.find((one) => one.active && one.line === holder)
    if (i.inherit) {
      if (before === undefined) return 'contract_not_upgradable'
      if (before.owner !== by) return 'contract_not_owner'
      if (this.world.upgradable[before.artifact] !== true) return 'contract_not_upgradable'
      before.active = false
    }
    const place = contracts.length
    const line = i.inherit && before !== undefined ? before.line : place
    contracts.push({ artifact: i.artifact, line, owner: by, active: true })
    if (!kept.has(line)) kept.set(line, new Map())
    const unbound = i.alias === undefined ? undefined : this.bind(i.alias, line)
    if (unbound !== undefined) return unbound
    // Only upgradable programs have an entrypoint for it.
    if (i.inherit && this.world.upgradable[i.artifact] !== true)
      return i.value === undefined ? undefined : 'contract_invalid'
    const script: Script =
      i.value === undefined ? { name: 'nothing' } : { name: 'put', key: i.inherit ? 117 : 105, value: i.value }
    return this.outer(by, { contract: place, script, attach: [] }, PUBLIC)
  }

  /** Run a call; returns the error of the transaction if the attached assets cannot be moved. */
  private call(
    caller: AccountId | number,
    { contract, script, attach }: NaiveCall,
    atWork: readonly number[],
    isView: boolean,
    names: ReadonlySet<string>,
  ): Trap | ErrorCode {
    const found = this.state.contracts[contract]
    if (found?.active !== true) return TRAP.contract_inactive
    if (!names.has(script.name)) return TRAP.no_entrypoint
    if (script.name === 'mine' && caller !== found.owner) return TRAP.not_permitted
    const looks = isView || script.name === 'look'
    if (attach.length > 0 && (looks || script.name !== 'take')) return TRAP.not_permitted
    if (atWork.length >= 8) return TRAP.call_depth
    if (atWork.includes(found.line)) return TRAP.reentrant
    return this.whole(() => {
      for (const amount of attach) {
        const held = this.state.gold.get(caller) ?? 0n
        if (amount === 0n || held < amount) {
          return atWork.length > 0 ? TRAP.not_permitted : amount === 0n ? 'bad_amount' : 'not_enough'
        }
        this.state.gold.set(caller, held - amount)
        this.state.gold.set(found.line, (this.state.gold.get(found.line) ?? 0n) + amount)
      }
      return this.script(found.line, contract, script, [...atWork, found.line], looks)
    })
  }

  private script(line: number, contract: number, script: Script, atWork: readonly number[], isView: boolean): Trap {
    // Read anew each time: a nested call may change the state.
    const keep = (key: number, value: string): Trap => {
      if (isView) return TRAP.write_in_view
      this.state.kept.get(line)?.set(key, value)
      return TRAP.ok
    }
    switch (script.name) {
      case 'nothing':
      case 'init':
        return TRAP.ok
      case 'put':
      case 'mine':
      case 'look':
        return keep(script.key, byte(script.value))
      case 'fail':
        keep(script.key, byte(script.value))
        return isView ? TRAP.write_in_view : TRAP.unreachable
      case 'del':
        if (isView) return TRAP.write_in_view
        this.state.kept.get(line)?.delete(script.key)
        return TRAP.ok
      case 'take':
        return keep(116, byte(script.value))
      case 'emit':
        if (isView) return TRAP.write_in_view
        this.state.emitted.push({ contract, data: byte(script.value) })
        return TRAP.ok
      case 'spin':
        return TRAP.out_of_gas
      case 'act': {
        if (isView) return TRAP.write_in_view
        const { gold } = this.state
        const held = gold.get(line) ?? 0n
        const { errors } = this.world
        const error = script.amount === 0n ? errors.nothing : held < script.amount ? errors.tooMuch : 0
        if (error === 0) {
          gold.set(line, held - script.amount)
          gold.set(script.to, (gold.get(script.to) ?? 0n) + script.amount)
        }
        return keep(101, byte(error & 0xff))
      }
      case 'try':
      case 'must': {
        if (isView && script.call.attach.length > 0) return TRAP.write_in_view
        const trap = this.call(line, script.call, atWork, isView, PUBLIC) as Trap
        if (script.name === 'must') return trap === TRAP.ok ? TRAP.ok : TRAP.unreachable
        return keep(115, byte(trap))
      }
    }
  }
}
