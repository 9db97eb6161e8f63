/**
 * Owns a second evaluation of manifests, written from docs/concepts/spaces.md alone: plain maps, and every movement is
 * stored and summed instead of counted.
 */
import type { AccountId } from '../../src/model/index.js'

export interface NaiveEntry {
  readonly instruction?: string
  readonly definition?: string
  /** Account, or `*@domain`. */
  readonly counterparty?: string
  /** Absent: it allows. */
  readonly isDenial?: boolean
  readonly max?: bigint
  readonly window?: 'transaction' | 'minute' | 'day'
}
interface NaiveManifest {
  readonly version: number
  readonly from: number
  readonly until: number | undefined
  readonly entries: readonly NaiveEntry[]
  isRevoked: boolean
}
export interface NaiveMove {
  readonly from: AccountId
  readonly to: AccountId
  readonly definition: string
  readonly amount: bigint
}
/** Action of an authority: an instruction about domains, and its movements. */
export interface NaiveAction {
  readonly by: AccountId
  readonly label: string
  /** Domains that the gate checks; absent: none. */
  readonly about?: readonly string[]
  readonly moves?: readonly NaiveMove[]
}
/** Manifest for publication. */
export interface NaivePublication {
  readonly space: number
  readonly account: AccountId
  readonly version: number
  readonly from?: number
  readonly until?: number
  readonly entries: readonly NaiveEntry[]
}

interface Counted {
  readonly key: string
  readonly version: number
  readonly entry: number
  readonly amount: bigint
  readonly nowMs: number
  readonly transaction: number
}

const partsOf = (definition: string): string => definition.slice(definition.indexOf('#') + 1)

export class NaiveSpaces {
  nowMs = 0
  transaction = 0
  readonly manifests = new Map<string, NaiveManifest>()
  readonly balances = new Map<string, bigint>()
  private moved: Counted[] = []

  constructor(
    /** Homes of accounts. */
    private readonly homes: ReadonlyMap<AccountId, string>,
    /** Dataspaces of domains; absent: the universal one. */
    private readonly spaces: Readonly<Record<string, number>>,
    /** Holders of CanUseDataspace, as `space account`. */
    readonly holders: Set<string> = new Set(),
  ) {}

  /** Run a list of actions as one transaction; false if something was denied, without effects. */
  transact(actions: readonly NaiveAction[]): boolean {
    this.transaction += 1
    const before = { balances: new Map(this.balances), moved: [...this.moved] }
    if (actions.every((action) => this.act(action))) return true
    this.moved = before.moved
    this.balances.clear()
    for (const [key, amount] of before.balances) this.balances.set(key, amount)
    return false
  }

  private act({ by, label, about = [], moves = [] }: NaiveAction): boolean {
    for (const domain of about) {
      const space = this.spaces[domain] ?? 0
      if (this.isGuest(by, space) && this.decided(by, space, label) === undefined) return false
    }
    return moves.every((move) => this.move(move, label))
  }

  private move(move: NaiveMove, label: string): boolean {
    const { from, to, definition, amount } = move
    const space = this.spaces[partsOf(definition)] ?? 0
    if (this.isGuest(from, space)) {
      const entry = this.decided(from, space, label, move)
      if (entry === undefined) return false
      const key = `${space} ${from}`
      const version = this.manifests.get(key)?.version ?? 0
      this.moved.push({ key, version, entry, amount, nowMs: this.nowMs, transaction: this.transaction })
    }
    const add = (account: AccountId, by: bigint): void => {
      const at = `${definition} ${account}`
      this.balances.set(at, (this.balances.get(at) ?? 0n) + by)
    }
    add(from, -amount)
    add(to, amount)
    return true
  }

  private isGuest(account: AccountId, space: number): boolean {
    if (space === 0) return false
    const home = this.homes.get(account)
    if (home !== undefined && this.spaces[home] === space) return false
    return !this.holders.has(`${space} ${account}`)
  }

  /** Entry that allows an instruction, or a movement in it; undefined: denied. */
  decided(account: AccountId, space: number, label: string, move?: NaiveMove): number | undefined {
    const key = `${space} ${account}`
    const manifest = this.manifests.get(key)
    if (manifest === undefined || manifest.isRevoked) return undefined
    if (this.nowMs < manifest.from || this.nowMs >= (manifest.until ?? Number.POSITIVE_INFINITY)) return undefined
    const fitting = [...manifest.entries.keys()].filter((index) =>
      this.fits(manifest.entries[index] as NaiveEntry, label, move),
    )
    const entryAt = (index: number) => manifest.entries[index] as NaiveEntry
    if (fitting.some((index) => entryAt(index).isDenial)) return undefined
    return fitting.find((index) => {
      const { max } = entryAt(index)
      return move === undefined || max === undefined || this.spent(key, index) + move.amount <= max
    })
  }

  private fits({ instruction, definition, counterparty, isDenial }: NaiveEntry, label: string, move?: NaiveMove) {
    const isLabelled = instruction === undefined || [label, ...label.split('::')].includes(instruction)
    if (move === undefined) {
      if (isDenial && (definition ?? counterparty) !== undefined) return false
      return isLabelled && (instruction !== undefined || (definition ?? counterparty) === undefined)
    }
    if (!isLabelled || (definition ?? move.definition) !== move.definition) return false
    return counterparty === undefined || [move.to, `*@${this.homes.get(move.to)}`].includes(counterparty)
  }

  /** Amount moved under an entry of the current manifest in its current window. */
  spent(key: string, entry: number): bigint {
    const manifest = this.manifests.get(key)
    const window = manifest?.entries[entry]?.window
    const place = (one: { readonly nowMs: number; readonly transaction: number }): number => {
      if (window === 'transaction') return one.transaction
      return Math.floor(one.nowMs / (window === 'minute' ? 60_000 : 86_400_000))
    }
    const now = place(this)
    return this.moved
      .filter((one) => one.key === key && one.version === manifest?.version && one.entry === entry)
      .filter((one) => place(one) === now)
      .reduce((sum, { amount }) => sum + amount, 0n)
  }

  publish({ space, account, version, from, until, entries }: NaivePublication): string | undefined {
    const key = `${space} ${account}`
    if (version !== (this.manifests.get(key)?.version ?? 0) + 1) return 'bad_version'
    const starts = from ?? this.nowMs
    const isBad = entries.some(
      ({ isDenial, max, window, definition }) =>
        !isDenial &&
        ((max === undefined) !== (window === undefined) || (max !== undefined && definition === undefined)),
    )
    if (isBad || entries.length === 0) return 'bad_manifest'
    if (until !== undefined && (until <= starts || until <= this.nowMs)) return 'bad_manifest'
    this.manifests.set(key, { version, from: starts, until, entries, isRevoked: false })
    return undefined
  }

  revoke(space: number, account: AccountId): string | undefined {
    const manifest = this.manifests.get(`${space} ${account}`)
    if (manifest === undefined) return 'absent'
    if (manifest.isRevoked) return 'exists'
    manifest.isRevoked = true
    return undefined
  }

  expire(space: number, account: AccountId): string | undefined {
    const key = `${space} ${account}`
    const manifest = this.manifests.get(key)
    if (manifest === undefined) return 'absent'
    if (manifest.until === undefined || this.nowMs < manifest.until) return 'manifest_live'
    this.manifests.delete(key)
    this.moved = this.moved.filter((one) => one.key !== key)
    return undefined
  }

  /** True if routing admits a guest. */
  mayUse(space: number, account: AccountId): boolean {
    const manifest = this.manifests.get(`${space} ${account}`)
    return manifest !== undefined && !manifest.isRevoked && manifest.entries.some(({ isDenial }) => !isDenial)
  }
}
