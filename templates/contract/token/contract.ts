/**
 * A token with roles and a pause: minters mint, holders transfer, and a pause stops every entrypoint that moves value or grants a role.
 * `revoke` and `pause` work in a pause: they are what the owner needs then.
 */
import { Account, caller, Cell, DIGITS_MAX, emit, Numeric, require, StorageMap, Writer } from './sdk/index'

/** @event transfer(from: Account, to: Account, amount: Numeric) */
/** @event mint(to: Account, amount: Numeric) */

const NOT_ALLOWED: u32 = 1
const PAUSED: u32 = 2
const TOO_LITTLE: u32 = 3
const BAD_AMOUNT: u32 = 4
const BAD_ROLE: u32 = 5

const MINTER = 'minter'
const PAUSER = 'pauser'

const balances = new StorageMap('balance')
const roles = new StorageMap('role')
const supply = new Cell('supply')
const owner = new Cell('owner')
const paused = new Cell('paused')
/** Digits behind the point that amounts may have. */
const scale = new Cell('digits')

function isOwner(): bool {
  return owner.account() == caller()
}
function roleKey(role: string, account: Account): StaticArray<u8> {
  require(role == MINTER || role == PAUSER, BAD_ROLE, 'the roles are minter and pauser')
  return new Writer().string(role).raw(account.id).finish()
}
function requireRole(role: string): void {
  require(isOwner() || roles.has(roleKey(role, caller())), NOT_ALLOWED, 'the caller has no such role')
}
function requireOwner(): void {
  require(isOwner(), NOT_ALLOWED, 'the caller is not the owner')
}
function requireRunning(): void {
  require(paused.get() === null, PAUSED, 'the token is paused')
}
function requireAmount(amount: Numeric): void {
  require(amount.sign > 0, BAD_AMOUNT, 'the amount is not positive')
  require(<u64>amount.digits <= scale.u64(), BAD_AMOUNT, 'the amount has more digits than the token')
}
function credit(to: Account, amount: Numeric): void {
  balances.set(to.id, (balances.numeric(to.id) + amount).bytes)
}

/** @init */
export function init(digits: u32, initial: Numeric): void {
  require(digits <= <u32>DIGITS_MAX && <u32>initial.digits <= digits, BAD_AMOUNT, 'the supply has more digits than the token')
  require(initial.sign >= 0, BAD_AMOUNT, 'the supply is negative')
  const from = caller()
  owner.set(from.id)
  scale.setU64(digits)
  supply.set(initial.bytes)
  balances.set(from.id, initial.bytes)
}
/** @entrypoint */
export function transfer(to: Account, amount: Numeric): void {
  requireRunning()
  requireAmount(amount)
  const from = caller()
  const held = balances.numeric(from.id)
  require(held >= amount, TOO_LITTLE, 'the balance is too small')
  balances.set(from.id, (held - amount).bytes)
  credit(to, amount)
  emit('transfer', new Writer().account(from).account(to).numeric(amount).finish())
}
/** @entrypoint */
export function mint(to: Account, amount: Numeric): void {
  requireRole(MINTER)
  requireRunning()
  requireAmount(amount)
  supply.set((supply.numeric() + amount).bytes)
  credit(to, amount)
  emit('mint', new Writer().account(to).numeric(amount).finish())
}
/** @entrypoint */
export function grant(role: string, account: Account): void {
  requireOwner()
  requireRunning()
  roles.set(roleKey(role, account), new StaticArray<u8>(1))
}
/** @entrypoint */
export function revoke(role: string, account: Account): void {
  requireOwner()
  roles.delete(roleKey(role, account))
}
/** @entrypoint */
export function pause(on: bool): void {
  requireRole(PAUSER)
  if (on) paused.set(new StaticArray<u8>(1))
  else paused.clear()
}
/** @view */
export function balanceOf(account: Account): Numeric {
  return balances.numeric(account.id)
}
/** @view */
export function totalSupply(): Numeric {
  return supply.numeric()
}
/** @view */
export function digits(): u32 {
  return <u32>scale.u64()
}
