/** A token with roles and a pause: the owner mints, holders transfer, pausers stop everything. */
import { Account, caller, Cell, emit, Numeric, require, StorageMap, Writer } from './sdk/index'

const NOT_ALLOWED: u32 = 1
const PAUSED: u32 = 2
const TOO_LITTLE: u32 = 3

const balances = new StorageMap('balance')
const roles = new StorageMap('role')
const supply = new Cell('supply')
const owner = new Cell('owner')
const paused = new Cell('paused')

function isOwner(): bool {
  return owner.account() == caller()
}
function roleKey(role: string, account: Account): StaticArray<u8> {
  return new Writer().string(role).raw(account.id).finish()
}
function move(from: Account, to: Account, amount: Numeric): void {
  require(paused.get() === null, PAUSED, 'paused')
  require(amount.sign > 0, TOO_LITTLE, 'nothing to move')
  const held = balances.numeric(from.id)
  require(held >= amount, TOO_LITTLE, 'the balance is too small')
  balances.set(from.id, (held - amount).bytes)
  balances.set(to.id, (balances.numeric(to.id) + amount).bytes)
  emit('transfer', new Writer().account(from).account(to).numeric(amount).finish())
}

/** @init */
export function init(initial: Numeric): void {
  const from = caller()
  owner.set(from.id)
  supply.set(initial.bytes)
  balances.set(from.id, initial.bytes)
}
/** @entrypoint */
export function transfer(to: Account, amount: Numeric): void {
  move(caller(), to, amount)
}
/** @entrypoint */
export function mint(to: Account, amount: Numeric): void {
  require(isOwner() || roles.has(roleKey('minter', caller())), NOT_ALLOWED, 'only minters mint')
  supply.set((supply.numeric() + amount).bytes)
  balances.set(to.id, (balances.numeric(to.id) + amount).bytes)
  emit('mint', new Writer().account(to).numeric(amount).finish())
}
/** @entrypoint */
export function grant(role: string, account: Account): void {
  require(isOwner(), NOT_ALLOWED, 'only the owner grants')
  roles.set(roleKey(role, account), new StaticArray<u8>(1))
}
/** @entrypoint */
export function revoke(role: string, account: Account): void {
  require(isOwner(), NOT_ALLOWED, 'only the owner revokes')
  roles.delete(roleKey(role, account))
}
/** @entrypoint */
export function pause(on: bool): void {
  require(isOwner() || roles.has(roleKey('pauser', caller())), NOT_ALLOWED, 'only pausers pause')
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
