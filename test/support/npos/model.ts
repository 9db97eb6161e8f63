/** Owns a naive model of stakes, and the invariants after every block for any actions. */
import type { Numeric } from '../../../src/codec/index.js'
import { rosterAt } from '../../../src/executor/rosters.js'
import { consensusKeys } from '../../../src/executor/tables.js'
import { calendarOf } from '../../../src/features/staking/ledger/epochs/calendar.js'
import { epochs } from '../../../src/features/staking/ledger/epochs/tables.js'
import { openSlashes, slashes } from '../../../src/features/staking/ledger/slashing/tables.js'
import { rewardEscrow, stakeEscrow } from '../../../src/features/staking/ledger/stake/pool.js'
import { pools, stakes } from '../../../src/features/staking/ledger/stake/tables.js'
import { ONLY } from '../../../src/features/staking/ledger/table.js'
import { listedCandidates, listedVoters } from '../../../src/features/staking/ledger/validators/lists.js'
import {
  candidatePages,
  listFloors,
  validators,
  voterPages,
} from '../../../src/features/staking/ledger/validators/tables.js'
import { PAGE_ENTRIES } from '../../../src/features/staking/schema/records.js'
import { escrows } from '../../../src/ledger/escrows.js'
import { balances, definitions, feePools } from '../../../src/ledger/tables.js'
import type { AccountId } from '../../../src/model/index.js'
import { type NposChain, SCALE, STAKE } from './chain.js'

export const units = (amount: Numeric | undefined): bigint =>
  amount === undefined ? 0n : amount.mantissa * 10n ** BigInt(SCALE - amount.scale)

/** Violated invariant; undefined if all hold. */
export function faultOf(chain: NposChain, accounts: readonly AccountId[]): string | undefined {
  const { state } = chain
  const pool = state.get(pools, ONLY)
  const definition = state.get(definitions, STAKE)
  if (pool === undefined || definition === undefined) return 'no pool'
  let held = units(state.get(feePools, STAKE))
  let staked = 0n
  for (const account of accounts) {
    held += units(state.get(balances, { definition: STAKE, account }))
    const row = state.get(stakes, account)
    const own = units(row?.bonded) + (row?.unbonding ?? []).reduce((sum, { amount }) => sum + units(amount), 0n)
    const escrow = units(state.get(escrows, stakeEscrow(account, pool)))
    if (own !== escrow) return `a stake of ${own} lies in an escrow of ${escrow}`
    if (row !== undefined && (units(row.bonded) < 0n || row.unbonding.some(({ amount }) => units(amount) <= 0n))) {
      return 'a stake is not above zero'
    }
    staked += own
    held += escrow
    if (row?.role === 'validator' && state.get(validators, account) === undefined) return 'a validator without a record'
    if (row?.role !== 'validator' && state.get(validators, account) !== undefined) return 'a record without its role'
  }
  const calendar = calendarOf(state)
  for (let epoch = 0; epoch <= (calendar?.epoch ?? 0); epoch += 1)
    held += units(state.get(escrows, rewardEscrow(epoch, pool)))
  if (staked !== units(pool.total)) return `stakes of ${staked} are counted as ${units(pool.total)}`
  if (held !== units(definition.total))
    return `balances, pot and escrows are ${held}, the total is ${units(definition.total)}`
  return listFault(chain) ?? slashFault(chain, accounts) ?? rosterFault(chain)
}

export function listFault({ state }: NposChain): string | undefined {
  const pool = state.get(pools, ONLY)
  const lists = [
    ['validator', [...listedCandidates(state)], pool?.candidates],
    ['nominator', [...listedVoters(state)], pool?.voters],
  ] as const
  for (const [role, entries, count] of lists) {
    if (entries.length !== count) return `${entries.length} entries are counted as ${count}`
    for (const [slot, { account, bonded }] of entries) {
      const row = state.get(stakes, account)
      if (row?.slot !== slot || row.role !== role)
        return `a listed ${role} stands at ${row?.slot} as ${row?.role}, not at ${slot}`
      if (units(row.bonded) !== units(bonded))
        return `a listed ${role} bonds ${units(row.bonded)}, not ${units(bonded)}`
    }
  }
  for (const [list, pages] of [
    ['candidates', candidatePages],
    ['voters', voterPages],
  ] as const) {
    const floors = state.get(listFloors, list) ?? []
    const count = Math.ceil((pool?.[list] ?? 0) / PAGE_ENTRIES)
    if (floors.length !== count) return `${count} pages of ${list} have ${floors.length} floors`
    for (const [page, floor] of floors.entries()) {
      // Sorted by size, the last slot of equals first: computed differently from the ledger.
      const [least] = (state.get(pages, page) ?? [])
        .map(({ bonded }, place) => ({ held: units(bonded), place }))
        .sort((a, b) => (a.held === b.held ? b.place - a.place : a.held < b.held ? -1 : 1))
      if (least?.place !== floor.place || least.held !== units(floor.bonded))
        return `the floor of ${list} ${page} is wrong`
    }
  }
  return undefined
}

function slashFault({ state }: NposChain, accounts: readonly AccountId[]): string | undefined {
  const open = new Map<AccountId, number>()
  for (let id = 1; id < (state.get(pools, ONLY)?.nextSlash ?? 1); id += 1) {
    const row = state.get(slashes, id)
    if (row === undefined) return `slash ${id} is gone`
    const isOpen = row.status.kind === 'open' || row.status.kind === 'executing'
    if (isOpen) open.set(row.validator, (open.get(row.validator) ?? 0) + 1)
  }
  for (const account of accounts) {
    if ((state.get(openSlashes, account) ?? 0) !== (open.get(account) ?? 0)) return 'open slashes are counted wrongly'
  }
  return undefined
}

/** Roster: seats of the epoch of the height, without duplicate keys and never empty. */
function rosterFault({ state, height }: NposChain): string | undefined {
  for (const at of [height + 1, height + 2]) {
    const row = rosterAt(state, at)
    if (row === undefined || row.roster.length === 0) return `nobody votes at ${at}`
    if (new Set(row.roster).size !== row.roster.length) return `a key votes twice at ${at}`
    const record = state.get(epochs, row.epoch)
    if (record === undefined || record.seats.length === 0) continue
    if (at < record.start) return `epoch ${row.epoch} votes at ${at}, before it begins at ${record.start}`
    const own = new Set(record.seats.map(({ key }) => key))
    if (row.roster.some((key) => !own.has(key))) return `a key without a seat votes at ${at}`
    for (const key of row.roster) {
      const life = state.get(consensusKeys, key)
      if (life === undefined || life.activeFrom > at) return `a key votes at ${at}, before it acts`
    }
  }
  return undefined
}
